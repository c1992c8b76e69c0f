// A memo's editor: nothing that was typed goes without a question, files are made of what was typed, what a server that
// was out of reach did not take is sent again, and what was not saved before a reload is put back and saved.
const AGAIN = 10_000; // ms until a save that was lost is sent again, unless the line is back before
const NO_FILE = gettext("The file was not made: what you typed is not saved yet.");

const editor = () => document.querySelector("form.memo-edit");
const written = (form) => JSON.stringify([form.elements.title.value, form.elements.text.value]);
const original = (form) => JSON.stringify([form.elements.title.defaultValue, form.elements.text.defaultValue]);
const stored = new WeakMap(); // by form, what the server has
const sent = new WeakMap();
let file = null; // the link to a file that waits for a save
let lost = 0; // the timer of a save that is sent again
let given = false; // whether the memo is being deleted, and its text with it

const draft = (form) => `memo ${form.dataset.person} ${form.action}`; // in the tab's own storage, until it is saved
const isUnsaved = (form) => written(form) !== (stored.get(form) ?? original(form));

function save(form) {
  clearTimeout(lost);
  lost = 0;
  if (!form.matches(".htmx-request")) htmx.trigger(form, "submit");
}

/** The draft may be saved meanwhile, by a request that the reload overtook: then sending it again changes nothing. */
function putBack() {
  const form = editor(), kept = form && sessionStorage.getItem(draft(form));
  if (!form || (!kept && !isUnsaved(form))) return;
  if (kept) [form.elements.title.value, form.elements.text.value] = JSON.parse(kept);
  if (isUnsaved(form)) save(form);
  else sessionStorage.removeItem(draft(form));
}

function follow() {
  const link = file;
  file = null;
  link.click();
}

document.addEventListener("input", ({ target }) => {
  if (target.form?.matches("form.memo-edit")) sessionStorage.setItem(draft(target.form), written(target.form));
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-file]"), form = editor();
  if (!link || !form || !isUnsaved(form)) return;
  event.preventDefault();
  file = link;
  save(form);
});

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt.matches("form.memo-edit")) sent.set(detail.elt, written(detail.elt));
  given = detail.elt.matches("#dialog form");
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const form = detail.elt;
  given &&= detail.successful;
  if (!form.matches("form.memo-edit")) return;
  const { status, responseURL } = detail.xhr;
  const isTaken = status === 200 && new URL(responseURL).pathname === new URL(form.action).pathname; // or it is the sign-in page
  if (isTaken) stored.set(form, sent.get(form));
  if (isTaken && !isUnsaved(form)) sessionStorage.removeItem(draft(form));
  if (status === 0) lost = setTimeout(() => save(form), AGAIN);
  if (!file) return;
  if (isTaken && form.isConnected && isUnsaved(form)) setTimeout(() => save(form));
  else if (isTaken && form.isConnected) follow();
  else {
    file = null;
    document.dispatchEvent(new CustomEvent("toast", { detail: { text: NO_FILE, kind: "bad" } }));
  }
});

addEventListener("pageshow", putBack);
addEventListener("online", () => lost && save(editor()));
addEventListener("beforeunload", (event) => {
  const form = editor();
  if (form && !given && isUnsaved(form)) event.preventDefault();
});
