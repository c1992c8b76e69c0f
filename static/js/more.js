// The menu behind the tabs, which the browser opens and shuts: arrows, Home and End move in it, Down opens it. And the bar of
// a phone makes room for a keyboard.
const menu = document.getElementById("more");
const items = () => [...menu.querySelectorAll("[role=menuitem]")].filter((item) => item.checkVisibility());
const steps = { ArrowDown: 1, ArrowUp: -1 };

function target(key) {
  const all = items(), at = all.indexOf(document.activeElement);
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  return steps[key] && all[(at + steps[key] + all.length) % all.length];
}

menu?.addEventListener("keydown", (event) => {
  const next = target(event.key);
  if (event.key === "Tab") menu.hidePopover(); // and the browser goes on from the button
  else if (event.key === " ") document.activeElement.click();
  else if (!next) return;
  if (event.key !== "Tab") event.preventDefault();
  next?.focus();
});

menu?.addEventListener("toggle", ({ newState }) => newState === "open" && items()[0]?.focus());

document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" || !event.target.matches('[popovertarget="more"]')) return;
  event.preventDefault();
  if (!menu.matches(":popover-open")) event.target.click();
});

// A keyboard covers the lower part of the page: while it is up, the bar would stand between it and what is written.
const LEFT = 0.75; // of the height, or less, is left beside a keyboard
const seen = { width: 0, height: 0 };

function look() {
  const height = visualViewport.height * visualViewport.scale;
  if (innerWidth !== seen.width) Object.assign(seen, { width: innerWidth, height: 0 });
  seen.height = Math.max(seen.height, height);
  const writes = document.activeElement?.matches("input, textarea, [contenteditable]");
  document.documentElement.toggleAttribute("data-keyboard", Boolean(writes) && height < seen.height * LEFT);
}

look();
visualViewport?.addEventListener("resize", look);
