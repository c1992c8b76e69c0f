// A session that ends while a page is open: requests carry the browser's token of now, and one that was answered with the
// sign-in page waits in a dialog and is sent again after signing in.
const dialog = document.getElementById("signin");
const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
let refused;

function renew() {
  for (const field of token() ? document.getElementsByName("csrfmiddlewaretoken") : []) field.value = token();
}

function keep(config) {
  if (!dialog) return;
  if (!dialog.open || config.verb !== "get") refused = config; // a question before what a page looks up by itself
  if (!dialog.open) dialog.showModal();
}

async function repeat() {
  const { url, ok } = await fetch(location.href);
  if (!ok || new URL(url).pathname === document.body.dataset.login || !dialog.open) return;
  dialog.close();
  renew();
  const { verb, path, elt, target, parameters } = refused;
  htmx.ajax(verb, path, { source: elt, target, values: parameters });
}

const back = () => {
  renew();
  if (dialog?.open && !document.hidden) repeat();
};
addEventListener("focus", back);
document.addEventListener("visibilitychange", back);
document.addEventListener("click", (event) => event.target.closest("[data-repeat]") && repeat());

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (!token()) return;
  detail.headers["X-CSRFToken"] = token();
  delete detail.parameters.csrfmiddlewaretoken;
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { login } = document.body.dataset;
  if (!detail.xhr.responseURL || new URL(detail.xhr.responseURL).pathname !== login || location.pathname === login) return;
  detail.shouldSwap = false;
  keep(detail.requestConfig);
});
document.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  if (status !== 401 && (status !== 403 || token())) return;
  event.stopImmediatePropagation(); // no toast
  keep(event.detail.requestConfig);
});
