// What scripts say, in the language of the page. Its messages come in words/<language>.js; English needs none.
const { lang } = document.documentElement;
const plural = new Intl.PluralRules(lang);
let categories = ["one", "other"]; // of counts, in the order of a message's forms
let messages = {};

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

globalThis.learn = (order, given) => {
  categories = order;
  messages = given;
};

/** The message with its {values}. */
globalThis.gettext = (text, values = {}) => filled(messages[text] ?? text, values);

/** For words with two meanings: the context says which. */
globalThis.pgettext = (context, text, values = {}) => filled(messages[`${context}\u0004${text}`] ?? text, values);

/** A number as people write it, as localization/formats has it for pages: in these digits, also in Arabic. */
globalThis.numeral = (value, options) => value.toLocaleString(`${lang}-u-nu-latn`, { useGrouping: "always", ...options });

/** The form that n takes; {n} is the number as people write it. */
globalThis.ngettext = (one, many, n, values = {}) => {
  const at = categories.indexOf(plural.select(n));
  const form = messages[one]?.at(at < 0 ? -1 : at) ?? (n === 1 ? one : many);
  return filled(form, { n: numeral(n), ...values });
};
