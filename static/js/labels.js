// Where the names of a drawing stand: none covers another one, or a node; the most important come first.
globalThis.placedLabels = (() => {
const CELL = 64; // pixels of the grid in which what is near is looked up
const GAP = 4; // pixels between a node and its name

// What is taken of the drawing, as rectangles [left, top, right, bottom] by the cells that they touch.
class Taken {
  constructor() { this.cells = new Map(); }

  * keys([left, top, right, bottom]) {
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1) {
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) yield `${x},${y}`;
    }
  }

  add(one, owner) {
    for (const key of this.keys(one)) {
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push([one, owner]);
    }
  }

  isFree(one, owner) {
    for (const key of this.keys(one)) {
      for (const [other, whose] of this.cells.get(key) ?? []) {
        if (whose !== owner && one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]) return false;
      }
    }
    return true;
  }
}

// Takes nodes: {key, x, y, radius, width, height} in pixels, the most important first; width and height are those of the
// name, 0 for a node that gets none. kept: keys whose names are shown whatever they cover. view: {width, height}; blocked: rectangles in which nothing may stand.
// Gives {names, isFree}: a map of key to {box, x, y, align}, where the name's baseline begins, ends or has its middle;
// and whether a further rectangle covers nothing, which takes it.
function placed(nodes, view, kept = new Set(), blocked = []) {
  const taken = new Taken(), found = new Map();
  for (const box of blocked) taken.add(box);
  for (const { key, x, y, radius } of nodes) taken.add([x - radius, y - radius, x + radius, y + radius], key);
  const ordered = [...nodes.filter(({ key }) => kept.has(key)), ...nodes.filter(({ key }) => !kept.has(key))];
  for (const node of ordered) {
    if (!node.width) continue;
    const places = around(node);
    const inside = places.filter(({ box }) => box[0] > 2 && box[1] > 2 && box[2] < view.width - 2 && box[3] < view.height - 2);
    const free = inside.find(({ box }) => taken.isFree(box, node.key)) ?? (kept.has(node.key) ? inside[0] ?? places[0] : null);
    if (!free) continue;
    taken.add(free.box, node.key);
    found.set(node.key, free);
  }
  const isFree = (box) => {
    const free = taken.isFree(box);
    if (free) taken.add(box);
    return free;
  };
  return { names: found, isFree };
}

// The places beside a node: right, left, below, above, then between these.
function around({ x, y, radius, width, height }) {
  const far = radius + GAP, half = height / 2;
  const at = (left, top, align, anchor) => ({ box: [left, top, left + width, top + height], x: anchor, y: top + height * 0.77, align });
  return [
    at(x + far, y - half, "left", x + far),
    at(x - far - width, y - half, "right", x - far),
    at(x - width / 2, y + far, "center", x),
    at(x - width / 2, y - far - height, "center", x),
    at(x, y + far, "left", x),
    at(x - width, y + far, "right", x),
    at(x, y - far - height, "left", x),
    at(x - width, y - far - height, "right", x),
  ];
}

return placed;
})();
