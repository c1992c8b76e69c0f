// Reading pages: arrow keys follow the links to what comes before and after, choices send their form, marked words come into view.
const sides = { ArrowLeft: "left", ArrowRight: "right" };

document.addEventListener("keydown", (event) => {
  const side = sides[event.key];
  if (!side || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  if (event.target.closest("input, textarea, select, [contenteditable]") || document.querySelector("dialog:modal")) return;
  const link = document.querySelector(`[data-arrow="${side}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

document.addEventListener("change", (event) => event.target.closest("[data-submit-on-change]")?.form.requestSubmit());

document.querySelector("[data-current-page]")?.scrollIntoView({ block: "nearest" });

// On a phone the page is wider than the window: it begins where its margin ends, if the marked words are in sight then.
const EDGE = 12;
const narrow = document.querySelector("[data-page-view]");
const sheet = narrow?.querySelector("figure");
if (sheet && sheet.offsetWidth > narrow.clientWidth) {
  const words = narrow.querySelector(".pg-hl :is(.now, .on)")?.getBoundingClientRect();
  const at = words?.left - sheet.getBoundingClientRect().left, margin = sheet.offsetWidth * narrow.dataset.pageView - EDGE;
  const isSeen = !words || at + Math.min(words.width, narrow.clientWidth / 2) < margin + narrow.clientWidth;
  narrow.scrollLeft = isSeen ? margin : at - narrow.clientWidth / 3;
}

// Scrolls the page's own view alone; a place that the address names is the browser's to find.
const marked = document.querySelector(".pg-hl :is(.now, .on)");
const view = marked?.closest("[data-page-view]");
if (view && !location.hash.startsWith("#place")) {
  view.scrollTop += marked.getBoundingClientRect().top - view.getBoundingClientRect().top - view.clientHeight / 3;
}
