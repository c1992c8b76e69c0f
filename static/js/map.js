// The map of documents: zoom and pan by changing the SVG's viewBox, which is kept when the map is drawn anew.
const WHOLE = { x: 0, y: 0, w: 1000, h: 800 };
const STEP = 1.3;
const KEPT = `map ${location.pathname}`;
let view = JSON.parse(sessionStorage.getItem(KEPT)) ?? { ...WHOLE };
let held = null;

const map = () => document.querySelector("[data-map]");

function show() {
  map()?.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  sessionStorage.setItem(KEPT, JSON.stringify(view));
}

function zoom(factor, at = { x: view.x + view.w / 2, y: view.y + view.h / 2 }) {
  const w = Math.min(Math.max(view.w / factor, 80), WHOLE.w * 2);
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
  if (button.dataset.mapZoom === "fit") (view = { ...WHOLE }), show();
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
// A drag that began on a document is not a click on it.
document.addEventListener(
  "click",
  (event) => {
    if (!held?.moved || !event.target.closest("[data-map] a")) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
document.addEventListener("dragstart", (event) => event.target.closest?.("[data-map]") && event.preventDefault());

// Esc closes the panel.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented) document.querySelector("#panel[open] [data-panel-close]")?.click();
});

document.addEventListener("htmx:afterSettle", show);
show();
