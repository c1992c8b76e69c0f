// The source pane: opens beside the answer or as a sheet, marks its chip, closes, resizes, zooms, walks through chips.
const MIN = 360, MAX = 720, SWIPE = 80, SIDE = 64, EDGE = 4, CROP_EDGE = 12; // SIDE: names of rows begin left of an indented one
const PADDING = 28, SNUG = 8, SHRINK = 0.9; // beside a page that nearly fits, and how much smaller it may be to fit
const root = document.documentElement;
const narrow = matchMedia("(max-width: 760px)");
const wide = matchMedia("(min-width: 1181px)");
const pane = document.querySelector("dialog[data-pane]");

const current = () => pane?.querySelector("[data-chip]");

function mark() {
  markChip();
  pane.querySelectorAll("[data-words]").forEach(pan);
  for (const page of pane.querySelectorAll("[data-least]")) page.style.setProperty("--least", `${fitting(page)}px`);
  const words = pane.querySelector(".now");
  const view = words?.closest("[data-zoomable]");
  if (!view) return;
  const at = words.getBoundingClientRect(), seen = view.getBoundingClientRect();
  view.scrollTop += at.top - seen.top - view.clientHeight / 3;
  // The print keeps its size, so a narrow pane shows a part of the page: the one with the words, all of a row's.
  const rects = [...view.querySelectorAll(".now")].map((each) => each.getBoundingClientRect());
  const left = Math.min(...rects.map((rect) => rect.left)) - seen.left;
  const right = Math.max(...rects.map((rect) => rect.right)) - seen.left;
  const side = Math.min(SIDE, Math.max(EDGE, (view.clientWidth - (right - left)) / 2)); // less beside words that just fit
  if (right + EDGE > view.clientWidth) view.scrollLeft += Math.min(left - side, right + side - view.clientWidth);
}

// A crop keeps the size of its print: a narrow pane shows the part of it where its words begin, from whichever side.
function pan(crop) {
  const [from, to] = crop.dataset.words.split(" ").map((part) => part * crop.scrollWidth), wide = crop.clientWidth;
  const first = Math.min(from, to) - CROP_EDGE, last = Math.max(from, to) + CROP_EDGE;
  crop.scrollLeft = from < to ? Math.min(first, last - wide) : Math.max(first, last - wide);
}

// A page that is wider than the pane by little is drawn a little smaller: lines cut by a few letters are worse.
function fitting(page) {
  const view = page.closest("[data-zoomable]"), least = Number(page.dataset.least);
  view?.classList.remove("snug");
  if (!view || narrow.matches || least <= view.clientWidth - PADDING) return least;
  const room = view.clientWidth - SNUG;
  if (least * SHRINK > room) return least;
  view.classList.add("snug");
  return Math.min(least, room);
}

function markChip() {
  const id = current()?.dataset.chip;
  for (const chip of document.querySelectorAll(".chip")) {
    const on = pane.open && chip.id === id;
    chip.classList.toggle("on", on);
    chip.toggleAttribute("aria-current", on);
  }
}

function open() {
  // Beside the answer the attribute alone is set: show() would take the focus away from the chip.
  if (!narrow.matches) pane.setAttribute("open", "");
  else if (!pane.matches(":modal")) {
    pane.removeAttribute("open");
    pane.showModal();
    pane.tabIndex = -1;
    pane.focus(); // the sheet itself, not its first link
  }
  mark();
  pane.querySelector("[data-pane-grip]")?.setAttribute("aria-valuenow", Math.round(pane.offsetWidth));
}

function close() {
  const chip = document.querySelector(".chip.on");
  pane.dataset.closing = ""; // the chip gets the focus back, which is no wish for its card
  pane.close();
  mark();
  chip?.focus();
  delete pane.dataset.closing;
  const url = new URL(location);
  url.searchParams.delete("cite"); // ?turn= stays: it names the branch
  history.replaceState(history.state, "", url);
}

function resize(width) {
  const px = Math.round(Math.min(Math.max(width, MIN), MAX));
  root.style.setProperty("--w-pane", `${px}px`);
  pane.querySelector("[data-pane-grip]")?.setAttribute("aria-valuenow", px);
  localStorage.setItem("pane", px);
}

function zoom(button) {
  const view = button.closest("[data-zoomable]") ?? document.querySelector("[data-zoomable]");
  const now = Number(getComputedStyle(view).getPropertyValue("--zoom")) || 1;
  view.style.setProperty("--zoom", Math.min(Math.max(now * (button.dataset.zoom === "in" ? 1.25 : 0.8), 0.64), 3));
}

function walk(button) {
  const chips = [...button.closest("[data-turn]").querySelectorAll(button.dataset.walk)];
  const at = chips.findIndex((chip) => chip.classList.contains("on"));
  chips[(at + 1) % chips.length]?.click();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-zoom], [data-walk]");
  if (button) (button.dataset.zoom ? zoom : walk)(button);
});

if (pane) {
  const saved = Number(localStorage.getItem("pane"));
  if (saved) resize(saved);
  if (current()) {
    open();
    document.querySelector(".chip.on")?.scrollIntoView({ block: "center" });
  }

  narrow.addEventListener("change", () => {
    if (!pane.open || !current()) return;
    pane.close(); // from a sheet to beside the answer, or back
    open();
  });

  // Before htmx hears it: a second click on the chip that is open closes the pane.
  document.addEventListener("click", (event) => {
    const closing = event.target.closest("[data-pane-close]") || (pane.open && event.target.closest(".chip.on"));
    if (!closing || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }, true);
  document.addEventListener("htmx:afterSwap", (event) => pane.contains(event.detail.target) && open());
  document.addEventListener("htmx:oobAfterSwap", markChip); // a chip that was checked meanwhile is a new element
  // A source that was closed stays so.
  document.addEventListener("asked", () => narrow.matches || current() || pane.setAttribute("open", ""));
  // The closest passage is seen on its page at once, where that takes nothing of the answer's place.
  document.addEventListener("answered", ({ detail: { turn } }) => {
    const chip = turn.querySelector("[data-passages]") && !turn.querySelector(".dfr") && turn.querySelector(".chip[hx-get]");
    if (!chip || !wide.matches || !pane.open || current()) return;
    htmx.ajax("GET", chip.getAttribute("hx-get"), { target: chip.getAttribute("hx-target"), swap: "innerHTML" });
  });
  document.addEventListener("shortcut", (event) => {
    if (event.detail.key !== "s") return;
    event.preventDefault();
    if (pane.open) close();
    else open();
  });
  pane.addEventListener("cancel", (event) => {
    event.preventDefault(); // Escape closes the sheet like its cross
    close();
  });
  // Beside the answer, too, and before an answer is stopped.
  document.addEventListener("dismiss", (event) => {
    if (event.defaultPrevented || !pane.open || !current()) return;
    event.preventDefault();
    close();
  }, true);

  const grip = pane.querySelector("[data-pane-grip]");
  grip?.addEventListener("pointerdown", (event) => grip.setPointerCapture(event.pointerId));
  grip?.addEventListener("pointermove", (event) => grip.hasPointerCapture(event.pointerId) && resize(innerWidth - event.clientX));
  grip?.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: 24, ArrowRight: -24 }[event.key];
    if (step) resize(pane.offsetWidth + step);
  });

  let start;
  pane.addEventListener("touchstart", (event) => { start = event.target.closest(".sp-h") && event.touches[0].clientY; }, { passive: true });
  pane.addEventListener("touchend", (event) => start && event.changedTouches[0].clientY - start > SWIPE && close());
}
