// The search page: arrows or J and K move through the passages found. Esc closes the page beside them, then goes back to the
// box, and empties it there.
// Where there is room a click shows the page of a passage beside the list; Enter opens it in the reader.
const box = document.getElementById("q");
const near = document.getElementById("near");
const wide = matchMedia("(min-width: 1240px)");
let opened; // which passage's page is shown
const placeOf = ({ href }) => href.replace(/&search=[^&]*/, ""); // whatever is typed in the box
const hits = () => [...document.querySelectorAll("[data-hit]")].filter((hit) => hit.checkVisibility());

function move(step) {
  const all = hits();
  const at = all.indexOf(document.activeElement);
  if (at + step < 0) return box.focus();
  const hit = all[Math.min(at + step, all.length - 1)];
  hit?.focus();
  hit?.closest("article").scrollIntoView({ block: "nearest" });
  if (hit && near.childElementCount && wide.matches) show(hit);
}

function show(link) {
  if (link.matches("[data-hit]")) {
    opened = placeOf(link);
    markOpened();
  }
  const address = new URL(link.href);
  address.searchParams.set("near", "1");
  htmx.ajax("GET", address.pathname + address.search, { target: near, swap: "innerHTML" });
}

/** Gives the result whose page is shown, if it is still listed. */
function markOpened() {
  for (const other of document.querySelectorAll(".sr.on")) other.classList.remove("on");
  const hit = hits().find((link) => placeOf(link) === opened)?.closest("article");
  hit?.classList.add("on");
  return hit;
}

function close() {
  const at = document.activeElement;
  const goes = at === document.body || near.contains(at);
  near.replaceChildren();
  const hit = document.querySelector(".sr.on");
  hit?.classList.remove("on");
  if (goes) (hit?.querySelector("[data-hit]") ?? box).focus();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-near-close]")) return close();
  const link = event.target.closest("[data-hit], [data-near]");
  const isPlain = event.detail > 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!link || !wide.matches || !(isPlain || link.matches("[data-near]"))) return;
  event.preventDefault();
  show(link);
});

document.addEventListener("dismiss", (event) => {
  const at = document.activeElement;
  if (near.childElementCount && wide.matches) close();
  else if (at.closest("[data-hit], .sr-w")) box.select();
  else if (at === box && box.value) {
    box.value = "";
    box.dispatchEvent(new Event("input", { bubbles: true }));
  } else return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog:modal")) return;
  if (event.target !== box && !event.target.closest("[data-hit], .sr-w")) return;
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

// What is typed stays; what was found for it is at the top again. The page beside it begins with its marks.
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id === "found") {
    document.getElementById("main").scrollTo(0, 0);
    if (near.childElementCount && !markOpened()) close(); // of a result that is not listed any more
  }
  if (detail.target !== near) return;
  const view = near.querySelector(".np-p");
  const mark = view?.querySelector(".now, rect.on");
  if (mark) view.scrollTop += mark.getBoundingClientRect().top - view.getBoundingClientRect().top - view.clientHeight / 3;
});
