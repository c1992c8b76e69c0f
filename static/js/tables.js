// A table: a click on a cell's number opens its source beside it, Esc closes it. Without this file the links do the same.
const EDGE = 12; // pixels between the edge of a view and the words in it
const proof = document.getElementById("proof");

function mark(id) {
  for (const cell of document.querySelectorAll(".lt-tbl td.on")) cell.classList.remove("on");
  for (const chip of document.querySelectorAll(".lt-tbl .chip.on")) chip.classList.remove("on");
  const cell = id && document.getElementById(`cell-${id}`);
  cell?.classList.add("on");
  cell?.querySelector(".chip")?.classList.add("on");
}

function open(link) {
  const address = new URL(link.href);
  mark(address.searchParams.get("cell"));
  history.replaceState(history.state, "", address);
  htmx.ajax("GET", address.pathname + address.search, { target: proof, swap: "innerHTML" });
}

function close() {
  const chip = document.querySelector(".lt-tbl .chip.on");
  mark(null);
  proof.replaceChildren();
  const address = new URL(location);
  address.searchParams.delete("cell");
  history.replaceState(history.state, "", address);
  chip?.focus();
}

// The cell that is open comes beside its source, and the words of the source come into sight.
function show() {
  document.querySelector(".lt-tbl td.on")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const words = proof.querySelector(".now");
  const view = words?.closest(".lt-pp");
  if (!view) return;
  const at = words.getBoundingClientRect(), seen = view.getBoundingClientRect();
  view.scrollTop += at.top - seen.top - view.clientHeight / 3;
  if (at.right > seen.right) view.scrollLeft += at.left - seen.left - EDGE; // they begin where the view does
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("[data-cell], [data-cell-close]");
  if (!link) return;
  event.preventDefault();
  (link.matches("[data-cell]") ? open(link) : close());
});

// A cell has five lines; where it says more, a button shows the rest.
const opened = new Set(); // a table that is being filled is drawn anew
function measure() {
  for (const button of document.querySelectorAll(".lt-more")) {
    const said = document.getElementById(button.getAttribute("aria-controls"));
    unfold(button, said, opened.has(said.id));
    button.hidden = !said.classList.contains("whole") && said.scrollHeight <= said.clientHeight + 2;
  }
}

function unfold(button, said, whole) {
  said.classList.toggle("whole", whole);
  button.setAttribute("aria-expanded", whole);
  button.firstChild.data = whole ? pgettext("a cell", "less") : pgettext("a cell", "more");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".lt-more");
  if (!button) return;
  const said = document.getElementById(button.getAttribute("aria-controls")), whole = !opened.has(said.id);
  opened[whole ? "add" : "delete"](said.id);
  unfold(button, said, whole);
});
new ResizeObserver(measure).observe(document.getElementById("main"));

document.addEventListener("dismiss", (event) => {
  if (!proof.childElementCount) return;
  event.preventDefault();
  close();
});

// A table that is being filled follows by itself, but not while a menu with half-typed words is open.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id === "grid" && event.target.querySelector("details[open]")) event.preventDefault();
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target === proof) show();
  else if (detail.target.id === "grid") {
    mark(new URL(location).searchParams.get("cell"));
    measure();
  }
});

show();
