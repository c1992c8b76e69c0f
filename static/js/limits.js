// Fields with a limit (data-limit, in characters): nothing typed or pasted is cut. Near the limit it is counted; what is
// longer is refused with a sentence.
const NEAR = 0.8;

function length(field) {
  const text = field.value.trim();
  return [...(field.type === "textarea" ? text : text.replace(/\s+/g, " "))].length;
}

function countOf(field) {
  const known = field.nextElementSibling;
  if (known?.matches("[data-count]")) return known;
  const count = Object.assign(document.createElement("p"), { id: `${field.id}-count` });
  count.dataset.count = "";
  field.after(count);
  field.setAttribute("aria-describedby", `${field.getAttribute("aria-describedby") ?? ""} ${count.id}`.trim());
  return count;
}

function check(field) {
  const limit = Number(field.dataset.limit), long = length(field), over = long > limit;
  const counts = { n: numeral(long), limit: numeral(limit), over: numeral(long - limit) };
  const said = over
    ? gettext("{n} of {limit} characters. Shorten it by {over}.", counts)
    : gettext("{n} of {limit} characters.", counts);
  field.setCustomValidity(over ? said : "");
  if (over) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  if (long < NEAR * limit && !field.nextElementSibling?.matches("[data-count]")) return;
  const count = countOf(field);
  count.className = over ? "hint err" : "hint";
  count.textContent = long < NEAR * limit ? "" : said;
}

document.addEventListener("input", ({ target }) => target.dataset.limit && check(target));
for (const field of document.querySelectorAll("[data-limit]")) check(field);
