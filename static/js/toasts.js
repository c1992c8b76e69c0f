// Short messages, and what a failed request says: its cause.
// A toast stays long enough to be read, longer while the mouse or the focus is on it or the page is hidden; its words stay
// readable for screen readers.
const LIFE = { good: 7000, bad: 14000, character: 60 }; // ms; errors take longer to read
const REMEMBERED = 10;
const box = document.getElementById("toasts");
const said = document.getElementById("said");

function show(text, kind) {
  for (const same of [...box.children]) if (same.querySelector("span").textContent === text) same.remove(); // a second click
  const toast = document.getElementById(kind === "bad" ? "toast-bad" : "toast-ok").content.firstElementChild.cloneNode(true);
  toast.querySelector("span").textContent = text;
  box.append(toast);
  live(toast);
  box.popover = "manual"; // the top layer, so that an open dialog does not cover it
  box.hidePopover();
  box.showPopover();
}

function live(toast) {
  remember(toast.querySelector("span").textContent);
  const { length } = toast.textContent;
  const life = Math.max(toast.classList.contains("bad") ? LIFE.bad : LIFE.good, length * LIFE.character);
  const wait = () => setTimeout(() => (document.hidden || toast.matches(":hover, :focus-within") ? wait() : close(toast)), life);
  wait();
}

function close(toast) {
  toast.remove();
  if (!box.children.length && box.popover) box.hidePopover(); // an empty one would still count as open
}

function remember(text) {
  said.append(Object.assign(document.createElement("li"), { textContent: text }));
  if (said.children.length > REMEMBERED) said.firstElementChild.remove();
}

function cause(xhr) {
  const type = xhr.getResponseHeader("Content-Type") ?? "";
  if (type.startsWith("text/plain") && xhr.responseText) return xhr.responseText.slice(0, 300);
  if (xhr.status === 403) return gettext("This is not allowed for you here. Nothing was changed.");
  if (xhr.status === 404) return gettext("This is no longer here. Reload the page to see what is.");
  if (xhr.status === 413) return gettext("This is larger than the server accepts. Nothing was changed.");
  if (xhr.status === 507) return gettext("The server's disk is full, so this was not stored. What was stored before is safe.");
  if (xhr.status === 429) return gettext("Too many requests. Wait a moment, then try again.");
  return gettext("The server could not do this ({status}). What you see is unchanged. Try again.", { status: xhr.status });
}

for (const toast of box.children) live(toast);
document.addEventListener("toast", ({ detail }) => show(detail.text ?? detail.value, detail.kind));
document.addEventListener("click", (event) => {
  const toast = event.target.closest("[data-dismiss]")?.closest(".toast");
  if (toast) close(toast);
});
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (!detail.xhr.getResponseHeader("HX-Trigger")?.includes("toast")) show(cause(detail.xhr), "bad");
});
document.addEventListener("htmx:sendError", ({ detail }) => {
  if (detail.elt.closest?.("[data-saves]")) return; // it says so itself, beside its field, until it is stored
  show(gettext("The server cannot be reached. Check the connection, then try again."), "bad");
});
