// Short messages, and what a failed request says: its cause, or the signed-out dialog when the session has ended.
const LIFE = 7000;
const box = document.getElementById("toasts");

function show(text, kind) {
  const toast = document.getElementById(kind === "bad" ? "toast-bad" : "toast-ok").content.firstElementChild.cloneNode(true);
  toast.querySelector("span").textContent = text;
  box.append(toast);
  live(toast);
  box.popover = "manual"; // the top layer, so that an open dialog does not cover it
  box.hidePopover();
  box.showPopover();
}

function live(toast) {
  if (toast.classList.contains("bad")) return;
  setTimeout(() => (toast.matches(":hover, :focus-within") ? live(toast) : toast.remove()), LIFE);
}

function cause(xhr) {
  const type = xhr.getResponseHeader("Content-Type") ?? "";
  if (type.startsWith("text/plain") && xhr.responseText) return xhr.responseText.slice(0, 300);
  if (xhr.status === 403) return "This is not allowed for you here. Nothing was changed.";
  if (xhr.status === 404) return "This is no longer here. Reload the page to see what is.";
  if (xhr.status === 413) return "This is larger than the server accepts. Nothing was changed.";
  if (xhr.status === 429) return "Too many requests. Wait a moment, then try again.";
  return `The server could not do this (${xhr.status}). What you see is unchanged. Try again.`;
}

let refused;
function signedOut(config) {
  refused = config;
  document.getElementById("signin")?.showModal();
}

async function repeat() {
  const response = await fetch(location.href);
  if (!response.ok || new URL(response.url).pathname === document.body.dataset.login) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const headers = page.body.getAttribute("hx-headers");
  document.body.setAttribute("hx-headers", headers);
  for (const field of document.getElementsByName("csrfmiddlewaretoken")) field.value = JSON.parse(headers)["X-CSRFToken"];
  document.getElementById("signin").close();
  const { verb, path, elt, target, parameters } = refused;
  delete parameters.csrfmiddlewaretoken;
  htmx.ajax(verb, path, { source: elt, target, values: parameters });
}

for (const toast of box.children) live(toast);
document.addEventListener("toast", ({ detail }) => show(detail.text ?? detail.value, detail.kind));
document.addEventListener("click", (event) => {
  event.target.closest("[data-dismiss]")?.closest(".toast").remove();
  if (event.target.closest("[data-repeat]")) repeat();
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { login } = document.body.dataset;
  if (!detail.xhr.responseURL || new URL(detail.xhr.responseURL).pathname !== login || location.pathname === login) return;
  detail.shouldSwap = false;
  signedOut(detail.requestConfig);
});
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (detail.xhr.status === 401) signedOut(detail.requestConfig);
  else if (!detail.xhr.getResponseHeader("HX-Trigger")?.includes("toast")) show(cause(detail.xhr), "bad");
});
document.addEventListener("htmx:sendError", () => show("The server cannot be reached. Nothing was lost. Check the connection, then try again.", "bad"));
