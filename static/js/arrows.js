// The left and right arrow keys follow a page's own links to what comes before and after.
const sides = { ArrowLeft: "left", ArrowRight: "right" };

document.addEventListener("keydown", (event) => {
  const side = sides[event.key];
  if (!side || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  if (event.target.closest("input, textarea, select, [contenteditable], [role=separator], [role=radiogroup]")) return;
  if (document.querySelector("dialog:modal")) return;
  const link = document.querySelector(`[data-arrow="${side}"][href]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

document.querySelector("[data-current-page]")?.scrollIntoView({ block: "nearest" });
document.addEventListener("change", (event) => event.target.closest("[data-submit-on-change]")?.form.requestSubmit());
