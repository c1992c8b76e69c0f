// Choosing papers on maps: htmx boosts links of HTML alone, so a click in a drawing is sent here. Without this file the
// links load the page.
let clicked = null;
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-choose] a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  clicked = link.id;
  htmx.ajax("GET", link.getAttribute("href"), { source: link, push: "true" });
});

// The mark that was clicked is a new element now: the focus stays on it.
document.addEventListener("htmx:afterSettle", () => {
  if (clicked && document.activeElement === document.body) document.getElementById(clicked)?.focus({ preventScroll: true });
  clicked = null;
});
