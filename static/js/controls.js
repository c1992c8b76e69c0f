// Behaviour of small shared controls: menus, dialogs, copying, showing a password, naming what is to be deleted.
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

const actions = {
  "[data-dialog]": (button) => openDialog(document.getElementById(button.dataset.dialog)),
  "[data-close]": (button) => button.closest("dialog").close(),
  "[data-copy]": async (button) => {
    await navigator.clipboard.writeText(button.dataset.copy);
    toast("Copied");
  },
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
  if (event.target.matches("dialog.dlg")) event.target.close();
  for (const [selector, act] of Object.entries(actions)) {
    const button = event.target.closest(selector);
    if (button) act(button);
  }
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.("details[data-menu][open]");
  if (!menu) return;
  event.preventDefault();
  menu.open = false;
  menu.querySelector("summary").focus();
});

document.addEventListener("input", (event) => {
  const { confirm } = event.target.dataset;
  if (confirm === undefined) return;
  event.target.form.querySelector("[type=submit]").disabled = event.target.value.trim() !== confirm;
});

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

// A fragment that arrives as <dialog data-open> opens itself and goes away when closed.
document.addEventListener("htmx:afterSettle", () => {
  const dialog = document.querySelector("dialog[data-open]:not([open])");
  dialog?.addEventListener("close", () => dialog.remove());
  openDialog(dialog);
});
