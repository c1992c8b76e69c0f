// Tables of rows: J and K move, X selects, R retries; the head's checkbox selects all; a bar shows how many are selected.
const rows = () => [...document.querySelectorAll("[data-rows] [data-row]")];
const boxes = () => [...document.querySelectorAll("[data-rows] [data-row] input[type=checkbox]")];
const here = () => document.activeElement.closest("[data-row]");

function move(step) {
  const all = rows();
  const at = all.indexOf(here());
  const row = all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)];
  if (!row) return;
  row.tabIndex = -1;
  row.focus();
}

function count() {
  const chosen = boxes().filter((box) => box.checked).length;
  const all = document.querySelector("[data-check-all]");
  if (all) {
    all.checked = chosen > 0 && chosen === boxes().length;
    all.indeterminate = chosen > 0 && !all.checked;
  }
  for (const bar of document.querySelectorAll("[data-selection]")) bar.hidden = !chosen;
  for (const number of document.querySelectorAll("[data-selected-count]")) number.textContent = chosen;
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  x: () => here()?.querySelector("input[type=checkbox]")?.click(),
  r: () => here()?.querySelector("[data-retry]")?.click(),
};

document.addEventListener("shortcut", (event) => {
  const act = keys[event.detail.key];
  if (!act) return;
  event.preventDefault();
  act();
});
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-check-all]")) for (const box of boxes()) box.checked = event.target.checked;
  if (event.target.closest("[data-rows], [data-check-all]")) count();
});

// A row that goes away while focused hands the focus to its neighbour, or to the heading.
let neighbour;
document.addEventListener("htmx:beforeSwap", () => {
  const all = rows();
  const at = all.indexOf(here());
  neighbour = at < 0 ? undefined : (all[at + 1] ?? all[at - 1] ?? document.querySelector("h1"));
});
document.addEventListener("htmx:afterSettle", () => {
  count();
  if (neighbour && document.activeElement === document.body) {
    neighbour.tabIndex = -1;
    neighbour.focus();
  }
  neighbour = undefined;
});
