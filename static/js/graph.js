// The drawing of the graph: loads it, draws it with sigma, filters, zooms, and walks through it by keyboard.
// Opening an entity is entity.js's: this sends "entityopen" {id} and hears "entitychange" {id}.
const shell = document.querySelector(".gx");
const box = document.getElementById("canvas");
const form = document.getElementById("graph-filters");
const least = document.getElementById("graph-least");
const names = document.getElementById("graph-names");
const near = document.getElementById("graph-near");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const TONES = ["org", "agreement", "clause", "obligation", "person", "amount", "date", "place", "event", "product", "control", "role"];
const BACKBONE = 3; // edges of a node that are drawn while it is not selected: its strongest
const NAMED = 6; // edges of the selected entity that carry their verbs: its strongest
const FEW = 30; // nodes among which all verbs are written
const TRIED = 400; // names that are tried to be placed, the most important first
const REACH = 7; // pixels from an edge within which the pointer is on it

let graph, sigma, colours, total = 0, most = 0;
let shown = Number(box?.dataset.shown), selected = box?.dataset.entity ?? "0", cursor = "", named = new Set(), chosen;

// How many are drawn when more are asked for.
const next = () => Math.min(shown * Number(box.dataset.times), most);

// --- the form ---------------------------------------------------------------------------------------------
const types = () => [...form.querySelectorAll("[name=type]")];
const say = (text) => { document.getElementById("status").textContent = text; };

// As the address has them: nothing is named for those shown at first.
function chosenTypes() {
  const on = types().filter((one) => one.checked);
  if (types().every((one) => one.checked === one.hasAttribute("data-first"))) return [];
  if (on.length === types().length) return ["all"];
  return on.length ? on.map((one) => one.value) : ["none"];
}

function query(view = shell.dataset.view) {
  const wanted = new URLSearchParams();
  if (view === "list") wanted.set("view", "list");
  for (const key of chosenTypes()) wanted.append("type", key);
  if (least.value > 1) wanted.set("least", least.value);
  for (const name of ["document", "q", "sort"]) if (form.elements[name]?.value) wanted.set(name, form.elements[name].value);
  if (view === "graph") wanted.delete("q");
  if (shown > Number(box?.dataset.first)) wanted.set("shown", shown);
  const entity = new URLSearchParams(location.search).get("entity");
  if (entity) wanted.set("entity", entity);
  return `${location.pathname}${wanted.size ? `?${wanted}` : ""}`;
}

// Read once, for every node and edge is asked.
function readForm() {
  document.getElementById("graph-least-said").textContent = ngettext("{n} mention", "{n} mentions", Number(least.value));
  const off = types().filter((one) => !one.checked).map((one) => one.value);
  chosen = { least: Number(least.value), near: near.checked, names: names.checked, off: new Set(off) };
}

function filter() {
  readForm();
  if (!graph) return;
  history.replaceState(history.state, "", query());
  redraw();
}

let later;
form?.addEventListener("input", (event) => {
  if (event.target.matches("#graph-least, #graph-names, #graph-near")) filter();
  else if (graph && event.target.name === "type") {
    filter(); // at once what is there; the best linked of the other types come with the answer
    clearTimeout(later);
    later = setTimeout(() => load().catch(failed), 150);
  }
});
form?.addEventListener("change", (event) => {
  if (event.target.name === "document" || shell.dataset.view === "list") location.assign(query());
});
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (shell.dataset.view === "list") location.assign(query());
});

function showAll() {
  for (const one of types()) one.checked = true;
  least.value = 1;
  near.checked = false;
  filter();
  load().catch(failed);
}

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest(selector);
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (at("[data-graph-all]") && graph) {
    event.preventDefault();
    showAll();
  } else if (at("[data-graph-view]")) {
    event.preventDefault();
    location.assign(query(at("[data-graph-view]").dataset.graphView));
  } else if (at("[data-graph-more]") && graph) {
    event.preventDefault();
    shown = next();
    load().catch(failed);
  } else if (at("[data-graph-zoom]")) zoom(at("[data-graph-zoom]").dataset.graphZoom);
  else if (at("[data-graph-focus]") && graph) focus();
});

// --- colours ----------------------------------------------------------------------------------------------
function readColours() {
  const probe = document.body.appendChild(document.createElement("i"));
  const read = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  };
  const mix = (a, b, part) => `rgb(${a.map((value, i) => Math.round(value * part + b[i] * (1 - part))).join(",")})`;
  const paper = read("canvas");
  colours = { nodes: {}, dim: {}, font: getComputedStyle(document.body).fontFamily };
  for (const tone of TONES) {
    colours.nodes[tone] = mix(read(`e-${tone}`), paper, 1);
    colours.dim[tone] = mix(read(`e-${tone}`), paper, 0.45);
  }
  for (const name of ["canvas", "surface", "ink", "ink-2", "ink-3", "line-2", "mark-line", "accent"]) colours[name] = mix(read(name), paper, 1);
  colours.edge = mix(read("line-ctl"), paper, 0.62);
  colours.faint = mix(read("line-ctl"), paper, 0.3);
  probe.remove();
}

// --- what is shown ----------------------------------------------------------------------------------------
const isNear = (node) => node === selected || graph.areNeighbors(node, selected);
const hasSelected = () => graph.hasNode(selected);

function visible(node) {
  const it = graph.getNodeAttributes(node);
  if (node !== selected && (it.mentions < chosen.least || it.types.every((key) => chosen.off.has(key)))) return false;
  return !(chosen.near && hasSelected()) || isNear(node);
}

function drawNode(node, data) {
  if (!visible(node)) return { ...data, hidden: true };
  const marked = node === selected || node === cursor;
  const dim = hasSelected() && !isNear(node);
  return {
    ...data, dim, color: (dim ? colours.dim : colours.nodes)[data.tone], zIndex: marked ? 2 : dim ? 0 : 1,
    highlighted: marked, ring: node === selected ? "mark-line" : "accent",
    forceLabel: true, // where there is room for it is placed by `placeLabels`
  };
}

function drawEdge(edge, data) {
  const [one, two] = graph.extremities(edge);
  if (!visible(one) || !visible(two)) return { ...data, hidden: true };
  if (one === selected || two === selected) {
    const label = chosen.names && named.has(edge) ? data.verb : "";
    return { ...data, color: colours["mark-line"], size: 1.6, zIndex: 1, from: one === selected, label, forceLabel: true };
  }
  const label = chosen.names && !hasSelected() && graph.order <= FEW ? data.verb : "";
  const color = edge === over ? colours.accent : hasSelected() ? colours.faint : data.verb ? colours["ink-3"] : colours.edge;
  return { ...data, hidden: !data.backbone, color, size: (edge === over ? 1.7 : 1) * (graph.order <= FEW ? 2 : 1.3), label, forceLabel: true };
}

function text(context, words, x, y, size, weight, colour, align = "left") {
  context.font = `${weight} ${size}px ${colours.font}`;
  context.textAlign = align;
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = colours.canvas;
  context.strokeText(words, x, y);
  context.fillStyle = colour;
  context.fillText(words, x, y);
}

const short = (label) => (label.length > 42 ? `${label.slice(0, 40)}…` : label);

const boldOf = (node) => (hasSelected() && !isNear(node) ? 450 : 550);
const widths = new Map();
function widthOf(words, weight) {
  const key = `${labelSize()} ${weight} ${words}`;
  if (!widths.has(key)) {
    measuring.font = `${weight} ${labelSize()}px ${colours.font}`;
    widths.set(key, measuring.measureText(words).width);
  }
  return widths.get(key);
}
const measuring = document.createElement("canvas").getContext("2d");
const labelSize = () => (graph.order <= FEW && box.clientWidth >= 500 ? 13 : 11.5);

// Where this frame's names stand, worked out when the first is drawn: then the camera is where it will be. The selected entity's and its neighbours' come first, then the best linked.
let labels, edgeLabels = new Map();
// What lies over the drawing, as rectangles on it.
function buttons() {
  const on = box.getBoundingClientRect();
  return [...document.querySelectorAll(".gx-t, .gx-z, .gx-s")].map((each) => each.getBoundingClientRect()).map((at) => [at.left - on.left, at.top - on.top, at.right - on.left, at.bottom - on.top]);
}

const NOWHERE = { names: new Map(), isFree: () => false };
function placeLabels() {
  if (!sigma) return NOWHERE; // the first frame is drawn while sigma is being made
  if (labels) return labels;
  edgeLabels = new Map();
  const view = sigma.getDimensions(), size = labelSize(), nodes = [];
  const ranked = hasSelected() ? [selected, ...graph.nodes().filter((node) => node !== selected && isNear(node)), ...graph.nodes().filter((node) => !isNear(node))] : graph.nodes();
  let tried = 0;
  for (const node of ranked) {
    const place = visible(node) && sigma.getNodeDisplayData(node);
    if (!place) continue;
    const { x, y } = sigma.framedGraphToViewport(place);
    if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
    const width = (tried += 1) > TRIED ? 0 : node === selected ? widthOf(short(place.label), 650) * 1.1 : widthOf(short(place.label), boldOf(node));
    nodes.push({ key: node, x, y, radius: sigma.scaleSize(place.size) + (node === selected ? 6 : 1), width, height: size + 4 });
  }
  const foremost = nodes.find(({ width }) => width)?.key; // it has its name in any case
  labels = globalThis.placedLabels(nodes, view, new Set([selected, cursor, foremost]), buttons());
  box.dataset.named = labels.names.size;
  return labels;
}

function drawLabel(context, data) {
  const at = !data.highlighted && placeLabels().names.get(data.key); // drawChosen does those
  if (at) text(context, short(data.label), at.x, at.y, labelSize(), data.dim ? 450 : 550, data.dim ? colours["ink-3"] : colours.ink, at.align);
}

function drawChosen(context, data) {
  context.beginPath();
  context.arc(data.x, data.y, data.size + 5, 0, Math.PI * 2);
  context.lineWidth = 3;
  context.strokeStyle = data.highlighted ? colours[data.ring] : colours["line-2"];
  context.stroke();
  const at = placeLabels().names.get(data.key);
  if (at) text(context, short(data.label), at.x, at.y, labelSize() + 1, 650, colours.ink, at.align);
}

function drawEdgeLabel(context, edge, one, two) {
  if (!edge.label) return;
  // Nearer to the neighbour: around the selected entity there is no room.
  const part = edge.from === undefined ? 0.5 : edge.from ? 0.64 : 0.36;
  const x = one.x + (two.x - one.x) * part, y = one.y + (two.y - one.y) * part;
  context.font = `500 10px ${colours.font}`;
  const width = context.measureText(edge.label).width + 10;
  // They are drawn again while the pointer moves, without a new frame.
  if (!edgeLabels.has(edge.key)) edgeLabels.set(edge.key, placeLabels().isFree([x - width / 2, y - 8, x + width / 2, y + 8]));
  if (!edgeLabels.get(edge.key)) return;
  context.beginPath();
  context.roundRect(x - width / 2, y - 8, width, 16, 4);
  context.fillStyle = colours.surface;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = colours["line-2"];
  context.stroke();
  context.fillStyle = colours["ink-2"];
  context.textAlign = "center";
  context.fillText(edge.label, x, y + 3.5);
}

// --- loading and drawing ----------------------------------------------------------------------------------
// “Site (master-services-agreement)” is “Site” where no other one is drawn.
const base = (name) => name.replace(/ \([^()]+\)$/, "");
function shortNames(nodes) {
  const count = new Map();
  for (const [, name] of nodes) count.set(base(name), (count.get(base(name)) ?? 0) + 1);
  return (name) => (count.get(base(name)) > 1 ? name : base(name));
}

// On a phone the drawing is as tall as its place: seen from the side it would leave most of that empty.
function tallness(nodes) {
  if (box.clientWidth >= 500 || nodes.length < 2) return 1;
  const span = (values) => Math.max(...values) - Math.min(...values) || 1;
  const own = span(nodes.map((node) => node[5])) / span(nodes.map((node) => node[4]));
  return Math.min(Math.max(box.clientHeight / box.clientWidth / own, 1), 2.2);
}

function build(data) {
  const tall = tallness(data.nodes);
  const shortName = shortNames(data.nodes);
  const scale = (box.clientWidth < 500 ? 0.62 : 1) * Math.min(1, Math.max(0.5, Math.sqrt(400 / data.nodes.length)));
  const built = new globalThis.graphology.Graph({ type: "directed", multi: false });
  for (const [id, name, kinds, mentions, x, y] of data.nodes) {
    const size = scale * (4.6 + Math.min(9, Math.sqrt(mentions - 1) * 1.7));
    const keys = kinds.map((kind) => data.types[kind][0]);
    built.addNode(String(id), { label: shortName(name), name, mentions, x, y: -y * tall, size, tone: data.types[kinds[0]][2], types: keys });
  }
  const drawn = new Map();
  for (const [rank, [one, two, verb, , relation]] of data.edges.entries()) { // the strongest first
    const ends = [String(data.nodes[one][0]), String(data.nodes[two][0])];
    const backbone = ends.some((end) => (drawn.get(end) ?? 0) < BACKBONE);
    if (backbone) for (const end of ends) drawn.set(end, (drawn.get(end) ?? 0) + 1);
    built.mergeEdge(...ends, { verb, rank, backbone, relation });
  }
  return built;
}

function start() {
  const small = box.clientWidth < 500;
  sigma = new globalThis.Sigma(graph, box, {
    nodeReducer: drawNode, edgeReducer: drawEdge, zIndex: true, hideEdgesOnMove: graph.size > 1500, renderEdgeLabels: true,
    defaultDrawNodeLabel: drawLabel, defaultDrawNodeHover: drawChosen, defaultDrawEdgeLabel: drawEdgeLabel,
    labelDensity: 0, stagePadding: small ? 40 : 72,
    minEdgeThickness: 1, enableCameraRotation: false, minCameraRatio: 0.04, maxCameraRatio: 3,
  });
  sigma.on("beforeRender", () => (labels = null));
  sigma.scheduleRender(); // the first frame was drawn without names
  sigma.on("clickNode", ({ node }) => open(node));
  sigma.on("enterNode", () => (box.dataset.over = "true"));
  sigma.on("leaveNode", () => (box.dataset.over = "false"));
  new ResizeObserver(() => box.clientWidth && sigma.resize() && sigma.refresh()).observe(box);
}

function redraw() {
  if (!graph) return;
  nameStrongest();
  sigma.refresh();
  tell();
}

function nameStrongest() {
  const ofSelected = hasSelected() ? graph.filterEdges(selected, (edge, data) => data.verb) : [];
  named = new Set(ofSelected.sort((one, two) => graph.getEdgeAttribute(one, "rank") - graph.getEdgeAttribute(two, "rank")).slice(0, NAMED));
}

function tell() {
  const count = graph.filterNodes(visible).length;
  box.dataset.visible = count;
  box.dataset.selected = hasSelected() ? selected : "";
  box.dataset.edges = graph.filterEdges((edge, data) => !drawEdge(edge, data).hidden).length;
  const line = document.getElementById("graph-count");
  const told = gettext("<b>{n}</b> of {total} entities, best linked first", { n: numeral(count), total: numeral(total) });
  const [before, bold, after] = told.split(/<\/?b>/);
  line.replaceChildren(before, Object.assign(document.createElement("b"), { textContent: bold }), after);
  document.getElementById("graph-none").hidden = count > 0;
}

let loading;
const failed = (error) => {
  if (error.name !== "AbortError") document.dispatchEvent(new CustomEvent("toast", { detail: { text: gettext("The graph could not be loaded. Nothing is lost; try again") } }));
};

async function load() {
  const wanted = new URLSearchParams({ shown });
  for (const key of chosenTypes()) wanted.append("type", key);
  if (form.elements.document.value) wanted.set("document", form.elements.document.value);
  if (selected !== "0") wanted.set("entity", selected);
  loading?.abort();
  loading = new AbortController();
  const answer = await fetch(`${box.dataset.graph}?${wanted}`, { signal: loading.signal });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const data = await answer.json();
  graph = build(data);
  total = data.total;
  readForm();
  nameStrongest();
  if (sigma) sigma.setGraph(graph);
  else start();
  most = data.most;
  const more = document.querySelector("[data-graph-more]");
  more.hidden = shown >= data.matching || shown >= most;
  more.textContent = gettext("Show {n} more", { n: numeral(Math.min(next(), data.matching) - shown) });
  hush();
  history.replaceState(history.state, "", query());
  tell();
  box.dataset.ready = "true";
}

const fetchScript = (src) => new Promise((onload, onerror) => {
  document.head.append(Object.assign(document.createElement("script"), { src, onload, onerror }));
});

function asList(why) {
  shell.dataset.view = "list";
  document.dispatchEvent(new CustomEvent("toast", { detail: { text: why } }));
}

// --- what an edge rests on ----------------------------------------------------------------------------------
const said = document.getElementById("graph-said");
let over = "", waiting;

// How far a point is from the line between two others.
function distance(point, one, two) {
  const across = two.x - one.x, down = two.y - one.y, length = across ** 2 + down ** 2;
  const part = length ? Math.min(Math.max(((point.x - one.x) * across + (point.y - one.y) * down) / length, 0), 1) : 0;
  return Math.hypot(point.x - one.x - part * across, point.y - one.y - part * down);
}

function edgeAt(point) {
  const at = (node) => sigma.framedGraphToViewport(sigma.getNodeDisplayData(node));
  let best = "", least = REACH;
  graph.forEachEdge((edge, data, one, two) => {
    if (sigma.getEdgeDisplayData(edge)?.hidden ?? true) return;
    const far = distance(point, at(one), at(two));
    if (far < least) [best, least] = [edge, far];
  });
  return best;
}

function hush() {
  clearTimeout(waiting);
  over = "";
  said.hidden = true;
}

async function tellEdge(edge, { x, y }) {
  const [one, two] = graph.extremities(edge), { verb, relation } = graph.getEdgeAttributes(edge);
  const answer = relation && await fetch(box.dataset.relations.replace(/0\/$/, `${relation}/`), { headers: { "HX-Request": "true" } });
  if (over !== edge || !answer?.ok) return;
  const quotes = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".men");
  if (over !== edge || !quotes) return;
  const name = (node) => graph.getNodeAttribute(node, "name");
  const title = Object.assign(document.createElement("b"), { className: "small" });
  title.textContent = verb ? `${name(one)} ${verb} ${name(two)}` : gettext("{one} and {two}", { one: name(one), two: name(two) });
  said.replaceChildren(title, quotes);
  said.hidden = false;
  const { width, height } = sigma.getDimensions();
  said.style.left = `${Math.max(Math.min(x + 12, width - said.offsetWidth - 8), 8)}px`;
  said.style.top = `${y + 16 + said.offsetHeight > height ? Math.max(y - 16 - said.offsetHeight, 8) : y + 16}px`;
}

box?.addEventListener("pointermove", (event) => {
  if (!graph || !sigma || event.buttons || event.pointerType === "touch" || graph.size > 1500) return;
  const bounds = box.getBoundingClientRect(), point = { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  const edge = box.dataset.over === "true" ? "" : edgeAt(point);
  if (edge === over) return;
  hush();
  over = edge;
  sigma.scheduleRefresh();
  if (edge) waiting = setTimeout(() => tellEdge(edge, point).catch(() => {}), 180);
});
box?.addEventListener("pointerleave", () => graph && hush());
box?.addEventListener("pointerdown", hush);

// --- moving -----------------------------------------------------------------------------------------------
const duration = () => (still.matches ? 0 : 260);
const go = (state) => sigma.getCamera().animate(state, { duration: duration() });

function zoom(way) {
  if (!sigma) return;
  const camera = sigma.getCamera();
  if (way === "fit") go({ x: 0.5, y: 0.5, ratio: 1 });
  else go({ ratio: camera.getBoundedRatio(camera.ratio * (way === "in" ? 1 / 1.5 : 1.5)) });
}

function reveal(node) {
  const place = sigma.getNodeDisplayData(node);
  if (!place) return; // closed, or another opened, since this was asked for
  const { x, y } = place;
  const seen = sigma.framedGraphToViewport(place);
  const { width, height } = sigma.getDimensions();
  if (seen.x < 40 || seen.y < 60 || seen.x > width - 40 || seen.y > height - 60) go({ x, y });
}

function focus() {
  if (!hasSelected()) return;
  near.checked = true;
  filter();
  const seen = graph.filterNodes(visible).map((node) => sigma.getNodeDisplayData(node));
  const [left, right] = [Math.min(...seen.map((at) => at.x)), Math.max(...seen.map((at) => at.x))];
  const [low, high] = [Math.min(...seen.map((at) => at.y)), Math.max(...seen.map((at) => at.y))];
  go({ x: (left + right) / 2, y: (low + high) / 2, ratio: Math.min(Math.max(right - left, high - low, 0.1) * 1.15, 1.2) });
}

function open(node) {
  cursor = "";
  document.dispatchEvent(new CustomEvent("entityopen", { detail: { id: node } }));
}

// The nearest entity on that side, one straight ahead before one aside.
function step(across, down) {
  const from = graph.hasNode(cursor) ? cursor : hasSelected() ? selected : "";
  const seen = graph.filterNodes(visible);
  if (!seen.length) return;
  if (!from) return walkTo(seen[0]);
  const place = (node) => sigma.framedGraphToViewport(sigma.getNodeDisplayData(node));
  const here = place(from);
  let best, least = Infinity;
  for (const node of seen) {
    const { x, y } = place(node);
    const ahead = (x - here.x) * across + (y - here.y) * down;
    const aside = Math.abs((x - here.x) * down) + Math.abs((y - here.y) * across);
    if (node !== from && ahead > 0 && ahead + 2 * aside < least) [best, least] = [node, ahead + 2 * aside];
  }
  if (best) walkTo(best);
}

function walkTo(node) {
  cursor = node;
  box.dataset.cursor = node;
  const { name, mentions } = graph.getNodeAttributes(node);
  say(gettext("{name}, {mentions}, {relations}", {
    name, mentions: ngettext("{n} mention", "{n} mentions", mentions), relations: ngettext("{n} relation", "{n} relations", graph.degree(node)),
  }));
  sigma.refresh();
  reveal(node);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
box?.addEventListener("keydown", (event) => {
  if (!sigma || event.ctrlKey || event.metaKey || event.altKey) return;
  if (ARROWS[event.key]) step(...ARROWS[event.key]);
  else if (event.key === "Enter" && graph.hasNode(cursor)) open(cursor);
  else return;
  event.preventDefault();
});

document.addEventListener("entitychange", async ({ detail }) => {
  if (!graph || selected === String(detail.id ?? 0)) return;
  selected = String(detail.id ?? 0);
  if (selected === "0") near.checked = false;
  else if (!hasSelected()) await load().catch(failed);
  filter();
  requestAnimationFrame(() => reveal(selected));
});

const repaint = () => {
  readColours();
  if (sigma) sigma.refresh();
};
document.addEventListener("themechange", repaint);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);

// Whoever fills in a dialog meanwhile is not disturbed.
const look = () => (document.querySelector("dialog:modal, [data-menu][open]") ? setTimeout(look, 4000) : location.reload());
if (document.querySelector("[data-graph-waiting]")) setTimeout(look, 4000);
if (box && shell.dataset.view === "graph") {
  if (!document.createElement("canvas").getContext("webgl2")) asList(gettext("This browser cannot draw the graph, so it is shown as a list"));
  else {
    // Only now: without WebGL sigma cannot even be loaded.
    Promise.all([...box.dataset.libraries.split(" ").map(fetchScript), document.fonts.ready])
      .then(readColours)
      .then(load)
      .catch(() => asList(gettext("The drawing could not be loaded, so the graph is shown as a list. Nothing is lost; reload to try again")));
  }
}
