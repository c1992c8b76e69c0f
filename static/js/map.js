// The map of documents, of its two drawings the one that is shown: zoom and pan by changing the SVG's viewBox, which is
// kept when the map is drawn anew; choosing a document without a reload; arrow keys.
const narrow = matchMedia("(max-width: 760px)");
const STEP = 1.3;
let view, whole;
let held = null;

const map = () => document.querySelector(`[data-map="${narrow.matches ? "narrow" : "wide"}"]`);
const kept = () => `map ${map().dataset.map} ${location.pathname}`;

// The whole drawing is what the server says, before it is zoomed into.
function begin() {
  if (!map()) return;
  const [x, y, w, h] = (map().dataset.whole ??= map().getAttribute("viewBox")).split(" ").map(Number);
  whole = { x, y, w, h };
  view = JSON.parse(sessionStorage.getItem(kept())) ?? { ...whole };
  show();
}

function show() {
  map().setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  sessionStorage.setItem(kept(), JSON.stringify(view));
}

function zoom(factor, at = { x: view.x + view.w / 2, y: view.y + view.h / 2 }) {
  const w = Math.min(Math.max(view.w / factor, 80), whole.w * 2);
  const scale = w / view.w;
  view = { x: at.x - (at.x - view.x) * scale, y: at.y - (at.y - view.y) * scale, w, h: view.h * scale };
  show();
}

function pointIn(svg, event) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return { x: place.x, y: place.y };
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-map-zoom]");
  if (!button) return;
  if (button.dataset.mapZoom === "fit") (view = { ...whole }), show();
  else zoom(button.dataset.mapZoom === "in" ? STEP : 1 / STEP);
});

document.addEventListener(
  "wheel",
  (event) => {
    const svg = event.target.closest("[data-map]");
    if (!svg) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, pointIn(svg, event));
  },
  { passive: false },
);

document.addEventListener("pointerdown", (event) => {
  const svg = event.target.closest("[data-map]");
  if (svg && event.button === 0) held = { at: pointIn(svg, event), moved: false };
});
document.addEventListener("pointermove", (event) => {
  const svg = map();
  if (!held || !svg) return;
  const now = pointIn(svg, event);
  if (!held.moved && Math.hypot(now.x - held.at.x, now.y - held.at.y) < view.w / 200) return;
  held.moved = true;
  view = { ...view, x: view.x - (now.x - held.at.x), y: view.y - (now.y - held.at.y) };
  show();
});
document.addEventListener("pointerup", () => setTimeout(() => (held = null)));
// htmx boosts links of HTML alone, so a choice in the drawing is sent here. A drag that began on a document chooses nothing.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-map] a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!held?.moved) htmx.ajax("GET", link.getAttribute("href"), { source: link });
});
document.addEventListener("dragstart", (event) => event.target.closest?.("[data-map]") && event.preventDefault());

const AHEAD = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The nearest document that lies rather in that direction than to its side.
function beside(link, [dx, dy]) {
  const middle = (one) => (({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(one.getBoundingClientRect());
  const from = middle(link);
  let best = { distance: Infinity };
  for (const one of map().querySelectorAll(".map-d")) {
    const to = middle(one);
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    const distance = along + 2 * aside;
    if (one !== link && along > 0 && aside <= 2 * along && distance < best.distance) best = { one, distance };
  }
  return best.one;
}

document.addEventListener("keydown", (event) => {
  const link = event.target.closest?.(".map-d");
  const ahead = AHEAD[event.key];
  if (!link || !ahead) return;
  event.preventDefault();
  beside(link, ahead)?.focus();
});

document.addEventListener("dismiss", (event) => {
  const button = document.querySelector("#panel[open] [data-panel-close]");
  if (!button) return;
  event.preventDefault();
  button.click();
});

// A choice in the panel takes its own link away: the focus goes to the document that is shown, or back to the one that was.
let shown = null;
document.addEventListener("htmx:afterSettle", () => {
  begin();
  const now = map()?.querySelector(".map-d.sel");
  if (document.activeElement === document.body) (document.querySelector("#panel[open] h2") ?? document.getElementById(shown))?.focus({ preventScroll: true });
  shown = now?.id ?? shown;
});
narrow.addEventListener("change", begin);
begin();
