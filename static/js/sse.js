// Streams: one connection per address, a notice while it is lost, and a thread that follows its end if the reader is there.
// Every connection begins with a snapshot, so a reconnect needs no event ids.
const LOST_AFTER = 1000;
const SETTLED = 150; // milliseconds until the last message of a stream is in the page

// A re-processed sse-connect element would open a second stream and leave the first running.
const streams = new Map();
htmx.createEventSource = (url) => {
  streams.get(url)?.close();
  const stream = new EventSource(url);
  streams.set(url, stream);
  return stream;
};

let timer;
function lost(shown) {
  clearTimeout(timer);
  for (const notice of document.querySelectorAll("[data-sse-lost]")) notice.hidden = !shown;
  if (shown) document.getElementById("status").textContent = gettext("Reconnecting");
}
document.addEventListener("htmx:sseError", () => {
  clearTimeout(timer);
  timer = setTimeout(lost, LOST_AFTER, true);
});
document.addEventListener("htmx:sseOpen", () => lost(false));
document.addEventListener("htmx:sseClose", () => lost(false));

// The steps fold when the answer is there, unless the reader has folded or opened them.
document.addEventListener("click", (event) => {
  const trace = event.target.closest("summary")?.closest("[data-trace]");
  if (trace) trace.dataset.trace = "read";
});

function fold(turn) {
  const trace = turn.querySelector("[data-trace]");
  if (!trace?.open || trace.dataset.trace) return;
  const thread = turn.closest("[data-follow]"), answer = trace.nextElementSibling.parentElement.lastElementChild;
  const before = answer.getBoundingClientRect().bottom;
  trace.open = false;
  // What is being read stays where it is, as far as the thread can be scrolled.
  if (thread) thread.scrollTop += answer.getBoundingClientRect().bottom - before;
}

const toStart = (thread, turn) => {
  thread.scrollTop += turn.getBoundingClientRect().top - thread.getBoundingClientRect().top;
};

document.addEventListener("htmx:sseClose", ({ target, detail }) => {
  const turn = target.closest?.("[data-turn]");
  if (!turn || detail.type !== "message") return;
  const thread = turn.closest("[data-follow]");
  // Its headline, not its last passage: of passages the closest comes first, and what documents say differently comes with
  // the last message.
  const show = () => { if (thread && turn.querySelector(".nf, .dfr, [data-passages]")) toStart(thread, turn); };
  requestAnimationFrame(() => { fold(turn); show(); });
  setTimeout(() => {
    show();
    document.dispatchEvent(new CustomEvent("answered", { detail: { turn } }));
  }, SETTLED);
});

// Whoever comes back from a source, or reloads, reads on where they were.
const placeOf = () => `thread ${location.pathname}`;
const comesBack = () => performance.getEntriesByType("navigation")[0]?.type !== "navigate";

for (const thread of document.querySelectorAll("[data-follow]")) {
  let following = true;
  const toEnd = () => {
    if (following && getSelection().isCollapsed) thread.scrollTop = thread.scrollHeight;
  };
  const look = () => {
    following = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 48;
  };
  thread.addEventListener("scroll", look);
  document.addEventListener("asked", () => {
    following = true;
    toEnd();
  });
  new MutationObserver(toEnd).observe(thread, { childList: true, subtree: true, characterData: true });
  const last = thread.querySelector("[data-turn]:last-of-type");
  const before = comesBack() && sessionStorage.getItem(placeOf());
  addEventListener("pagehide", () => sessionStorage.setItem(placeOf(), thread.scrollTop));
  if (before) thread.scrollTop = Number(before);
  else if (last?.querySelector("[sse-connect]")) toEnd();
  else if (last && !new URLSearchParams(location.search).has("cite")) toStart(thread, last);
  look();
  new ResizeObserver(toEnd).observe(thread); // questions that lead on take of its height, and would cover the answer's foot
}
