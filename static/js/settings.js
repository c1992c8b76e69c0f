// Pages of settings: words about a change that did not arrive, fields that are wrong, search, old anchors, folded fields.
const LOST = gettext("Not saved: the server did not answer. Change it again.");
const REFUSED = gettext("Not saved."); // a toast says why

const stateOf = (form) => [...form.querySelectorAll(".st-state")].at(-1);

function mark(form) {
  const error = stateOf(form).querySelector(".err");
  for (const field of form.querySelectorAll(".st-value :is(input, select, textarea)")) {
    if (error) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

// A switch shows what is stored: one that was refused goes back. Text stays, to be corrected.
function keepSwitches(form) {
  if (form.matches("[data-waits]")) return;
  const refused = stateOf(form).querySelector(".err");
  for (const field of form.querySelectorAll(".st-value .switch")) {
    if (refused) field.checked = field.defaultChecked;
    else field.defaultChecked = field.checked;
  }
}

document.addEventListener("htmx:afterSwap", ({ target }) => {
  const form = target.closest?.("form[data-saves]");
  if (!form) return;
  mark(form);
  keepSwitches(form);
  if (typedIn === form) sayNotSaved(form);
});

// Enter also tells of a change: what is on its way is not sent a second time. What waits for a button is told by it alone.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-saves]:not([data-waits]).htmx-request")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(failure, ({ detail }) => {
    const form = detail.elt.closest?.("form[data-saves]");
    if (!form) return;
    stateOf(form).replaceChildren(Object.assign(document.createElement("p"), { className: "hint err", textContent: failure === "htmx:responseError" ? REFUSED : form.dataset.lost ?? LOST }));
    mark(form);
    keepSwitches(form);
  });
}

// What is not stored yet says so, also when the page is left: what waits for a button, and text until its field is left.
const TYPED = "textarea, input:not([type=checkbox], [type=radio])";
let typedIn = null; // the form with text that no request has carried off; an answer to an earlier one is not about it

const sayNotSaved = (form) =>
  stateOf(form).replaceChildren(Object.assign(document.createElement("span"), { className: "pill warn", textContent: gettext("Not saved yet") }));

document.addEventListener("input", ({ target }) => {
  const form = target.closest("form[data-saves]");
  if (!form || !(form.matches("[data-waits]") || target.matches(TYPED))) return;
  typedIn = form;
  sayNotSaved(form);
});
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.elt === typedIn) typedIn = null;
});
// By now the change was sent, or there is none: what was typed was taken back.
document.addEventListener("focusout", ({ target }) => {
  const form = target.closest("form[data-saves]:not([data-waits])");
  if (!form) return;
  typedIn = null;
  stateOf(form).querySelector(".pill.warn")?.remove();
});
addEventListener("beforeunload", (event) => {
  if (document.querySelector("form[data-saves] .st-state > .pill.warn")) event.preventDefault();
});

// The theme is seen as soon as it is stored.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const chosen = detail.successful && detail.elt.querySelector?.('[name="theme"]:checked')?.value;
  if (!chosen) return;
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  document.dispatchEvent(new CustomEvent("themechange"));
});

// A folded list of choices tells what is chosen.
function tell(fold) {
  const chosen = [...fold.querySelectorAll("label:has(:checked)")].map((label) => label.textContent.trim());
  fold.querySelector("summary").textContent = chosen.join(", ") || fold.querySelector("summary").dataset.none;
}

for (const fold of document.querySelectorAll(".st-fold:has(> summary[data-none])")) {
  tell(fold);
  fold.addEventListener("change", () => tell(fold));
}

// Enter goes to the first setting that was found.
document.addEventListener("submit", (event) => {
  const first = event.target.matches("[data-finds]") && event.target.querySelector("#st-found a");
  if (!first) return;
  event.preventDefault();
  first.click();
});

// What was folded away opens when a link leads into it. Links to the parts of the one page that there once was go on to the
// section that has the part now.
function arrive() {
  const name = location.hash.slice(1);
  if (!name) return;
  const moved = document.querySelector(`.st-n a[data-anchors~="${CSS.escape(name)}"]`);
  if (moved && moved.pathname !== location.pathname) return location.replace(`${moved.pathname}#${name}`);
  const place = document.getElementById(name);
  for (let fold = place?.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) fold.open = true;
  place?.scrollIntoView({ block: "center" });
  place?.querySelector("input:not([type=hidden]), select, textarea, button:not(.danger)")?.focus({ preventScroll: true });
}

addEventListener("hashchange", arrive);
// Not before: a browser takes the focus away once more when it has found the place itself.
addEventListener("load", () => setTimeout(arrive));

// An export is written whole before it is sent: until its cookie comes with it, the page says so.
const BEGUN = "export_begun=1", LONGEST_WAIT = 600_000; // milliseconds; what takes longer has failed, or was cancelled
const forget = () => { document.cookie = "export_begun=; max-age=0; path=/"; };

document.addEventListener("submit", ({ target }) => {
  if (!target.matches("[data-exports]")) return;
  const note = target.querySelector("[role=status]"), end = Date.now() + LONGEST_WAIT;
  if (!note.hidden) return;
  forget();
  note.hidden = false;
  const look = setInterval(() => {
    if (!document.cookie.split("; ").includes(BEGUN) && Date.now() < end) return;
    forget();
    note.hidden = true;
    clearInterval(look);
  }, 300);
});

// A name that was typed for a provider of one kind is kept for one of the other.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-keeps-name]");
  const name = document.getElementById("id_name")?.value;
  if (!link || !name) return;
  const to = new URL(link.href);
  to.searchParams.set("name", name);
  link.href = to;
});
