// A conversation that is open in several tabs or on several devices: what was asked elsewhere appears here, and a page of
// a deleted one is left.
const EVERY = 8000; // ms between two looks, while the page is seen
const COMPOSER = "form[data-composer][data-newer]";
const channel = new BroadcastChannel("conversations");
const last = () => [...document.querySelectorAll("#thread > [data-turn]")].at(-1)?.dataset.turn ?? 0;
const asking = () => document.querySelector("form.htmx-request[data-composer], form.htmx-request[data-asks]");
let looking = new AbortController();
let left = -EVERY; // when this page was last about to be left, which a download also says of itself

async function look() {
  const composer = document.querySelector(COMPOSER);
  if (!composer || document.hidden || asking() || performance.now() - left < EVERY) return;
  const after = last();
  looking = new AbortController();
  const response = await fetch(`${composer.dataset.newer}?after=${after}`, { headers: { "HX-Request": "true" }, redirect: "manual", signal: looking.signal })
    .catch(() => ({ status: 0 })); // the server cannot be reached: the next look may
  if (response.status === 404) location.replace(composer.dataset.gone);
  if (response.status !== 200) return;
  const html = await response.text();
  if (after === last() && !asking()) htmx.swap("#thread", html, { swapStyle: "beforeend" });
}

channel.addEventListener("message", ({ data }) => data === location.pathname && look());
document.addEventListener("asked", () => channel.postMessage(location.pathname));
document.addEventListener("visibilitychange", look);
addEventListener("focus", look);
addEventListener("pageshow", ({ persisted }) => persisted && look());
// The page may be on its way out because this very conversation is being deleted.
addEventListener("beforeunload", () => {
  left = performance.now();
  looking.abort();
});
setInterval(look, EVERY);
