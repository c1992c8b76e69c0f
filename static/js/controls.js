// Behaviour of small shared controls: menus, dialogs, Esc, copying, showing a password, naming what is to be deleted, and forms
// that are sent once however often one clicks.
const EDGE = 8; // pixels between a menu and the edge of the window
const toast = (text) => document.dispatchEvent(new CustomEvent("toast", { detail: { text } }));

function openDialog(dialog) {
  if (!dialog || dialog.open) return;
  dialog.showModal();
  dialog.dispatchEvent(new CustomEvent("dialogopen"));
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
}

// A menu opens to its own side if it fits there, else to the side with more room; where it is taller still, it scrolls.
function place(menu) {
  const pop = menu.querySelector(":scope > .pop");
  if (!pop?.offsetParent) return; // or it is not shown at this width
  menu.dataset.side ??= pop.classList.contains("above") ? "above" : "below";
  pop.style.maxHeight = pop.style.translate = "";
  const { top, bottom } = pop.offsetParent.getBoundingClientRect();
  const room = { above: top - 2 * EDGE, below: innerHeight - bottom - 2 * EDGE };
  const { side } = menu.dataset, other = side === "above" ? "below" : "above";
  const chosen = pop.offsetHeight <= room[side] || room[side] >= room[other] ? side : other;
  pop.classList.toggle("above", chosen === "above");
  if (pop.offsetHeight > room[chosen]) pop.style.maxHeight = `${room[chosen]}px`;
  const { left, right } = pop.getBoundingClientRect();
  const shift = Math.max(EDGE - left, 0) || Math.min(innerWidth - EDGE - right, 0);
  if (shift) pop.style.translate = `${shift}px 0`;
}

document.addEventListener("toggle", ({ target }) => {
  if (target.matches("details[data-menu][open]")) place(target);
}, true); // it does not bubble
for (const change of ["resize", "htmx:afterSettle"]) {
  addEventListener(change, () => document.querySelectorAll("details[data-menu][open]").forEach(place));
}

document.querySelector("main [aria-invalid=true]")?.focus(); // what was refused may lie below the fold

const ONCE = 10_000; // ms in which a form of a page is sent once, unless another page comes before

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return; // htmx sends it, or it changes nothing
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  setTimeout(() => delete form.dataset.sent, ONCE);
});
addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

const LONG = 200; // characters that nobody wants to write again

/** Ask before a long text that was written in the dialog goes with it. */
function mayClose(dialog) {
  const fields = [...dialog.querySelectorAll("textarea")];
  const written = fields.some((field) => field.value.length > LONG && field.value !== field.defaultValue);
  return !written || confirm(gettext("Close this? What you wrote here is lost."));
}

document.addEventListener("cancel", (event) => {
  if (event.target.matches("dialog") && !mayClose(event.target)) event.preventDefault();
}, true); // it does not bubble

/** Browsers offer the clipboard over https and on this computer alone, and may refuse it: then the text is shown, selected. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(gettext("Copied"));
  } catch {
    prompt(gettext("This browser does not let SVQ copy. Copy it yourself (Ctrl C, on a Mac ⌘ C):"), text);
  }
}

const actions = {
  "[data-dialog]": (button) => openDialog(document.getElementById(button.dataset.dialog)),
  "[data-close]": (button) => button.closest("dialog").close(),
  "[data-copy]": (button) => copy(button.dataset.copy),
  "[data-reveal]": (button) => {
    const field = document.getElementById(button.dataset.reveal);
    field.type = field.type === "password" ? "text" : "password";
    button.setAttribute("aria-pressed", field.type === "text");
  },
};

document.addEventListener("click", (event) => {
  closeMenus(event.target);
  const item = event.target.closest("[data-menu] .menu :is(a, button)");
  if (item) item.closest("[data-menu]").open = false;
  if (event.target.matches("dialog.dlg") && mayClose(event.target)) event.target.close();
  for (const [selector, act] of Object.entries(actions)) {
    const button = event.target.closest(selector);
    if (button) act(button);
  }
});

// Esc closes what lies on top: a menu, else a dialog or popover, which the browser does, else what hears "dismiss" and takes
// it: a panel, an answer that is being written.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  const dialog = document.querySelector("dialog:modal");
  const menu = (dialog ?? document).querySelector("details[data-menu][open]");
  if (menu) {
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (!dialog && !document.querySelector("[popover]:not([popover=manual]):popover-open")) {
    if (!document.dispatchEvent(new CustomEvent("dismiss", { cancelable: true }))) event.preventDefault();
  }
});

document.addEventListener("input", (event) => {
  const { confirm } = event.target.dataset;
  if (confirm === undefined) return;
  event.target.form.querySelector("[type=submit]").disabled = event.target.value.trim() !== confirm;
});

// What is typed is shown elsewhere, too: a button names the model that it uses.
document.addEventListener("input", ({ target }) => {
  const shown = target.dataset.shownIn && document.getElementById(target.dataset.shownIn);
  if (shown) shown.textContent = target.value.trim();
});

for (const open of document.querySelectorAll(".tabs [aria-current], .st-n [aria-current]")) {
  open.scrollIntoView({ inline: "center", block: "nearest" });
}

// A fragment that arrives as <dialog data-open> opens itself and goes away when closed.
document.addEventListener("htmx:afterSettle", () => {
  const dialog = document.querySelector("dialog[data-open]:not([open])");
  dialog?.addEventListener("close", () => dialog.remove());
  openDialog(dialog);
});

// What somebody has unfolded stays unfolded on their next visit, where the browser keeps anything.
for (const fold of document.querySelectorAll("details[data-remember]")) {
  const key = `unfolded:${fold.dataset.remember}`;
  try {
    fold.open ||= localStorage.getItem(key) === "yes";
    fold.addEventListener("toggle", () => localStorage.setItem(key, fold.open ? "yes" : "no"));
  } catch { /* it may keep nothing */ }
}
