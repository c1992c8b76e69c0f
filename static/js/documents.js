// The list of documents follows what happens: every event of the stream, and every act on this page, asks for it again.
const WAIT = 600; // milliseconds in which events are gathered
const stream = document.querySelector("[data-seen]");
let timer;

function refresh() {
  timer = undefined;
  htmx.trigger("#refresh", "refresh");
}

// The page was made at the event `seen`: the snapshot of a first connection tells nothing new.
document.addEventListener("htmx:sseMessage", ({ detail }) => {
  const newest = Number(detail.data.trim().split(" ").at(-1));
  if (newest <= Number(stream.dataset.seen)) return;
  stream.dataset.seen = newest;
  document.dispatchEvent(new CustomEvent("documents-changed", { detail: { wait: WAIT } }));
});
document.addEventListener("documents-changed", ({ detail }) => {
  timer ??= setTimeout(refresh, detail?.wait ?? 0);
});

// A morph would undo what the reader did to a row since it was made: ticks, an open menu.
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
  !((name === "checked" && node.matches("[data-row] input")) || (name === "open" && node.matches("[data-row] details")));
