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
if (!location.hash) document.querySelector(".pg-hl :is(.now, .on)")?.scrollIntoView({ block: "center" });
