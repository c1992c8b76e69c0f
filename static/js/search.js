// The search page: arrows or J and K move through the passages found, Esc goes back to the box, and empties it there.
const box = document.getElementById("q");
const hits = () => [...document.querySelectorAll("[data-hit]")].filter((hit) => hit.checkVisibility());

function move(step) {
  const all = hits();
  const at = all.indexOf(document.activeElement);
  if (at + step < 0) return box.focus();
  const hit = all[Math.min(at + step, all.length - 1)];
  hit?.focus();
  hit?.closest("article").scrollIntoView({ block: "nearest" });
}

function escape(event) {
  if (event.target.closest("[data-hit], .sr-w")) box.select();
  else if (event.target === box && box.value) {
    box.value = "";
    box.dispatchEvent(new Event("input", { bubbles: true }));
  } else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog:modal")) return;
  if (event.target !== box && !event.target.closest("[data-hit], .sr-w")) return;
  if (event.key === "Escape") return escape(event);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  move(step);
});

document.addEventListener("shortcut", (event) => {
  const step = { j: 1, k: -1 }[event.detail.key];
  if (!step) return;
  event.preventDefault();
  move(step);
});

// What is typed stays; what was found for it is at the top again.
document.addEventListener("htmx:afterSwap", ({ detail }) => detail.target.id === "found" && document.getElementById("main").scrollTo(0, 0));
