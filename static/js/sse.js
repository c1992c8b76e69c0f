// Streams: one connection per address, a notice while it is lost, and a thread that follows its end if the reader is there.
// Every connection begins with a snapshot, so a reconnect needs no event ids.
const LOST_AFTER = 1000;

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
  if (shown) document.getElementById("status").textContent = "Reconnecting";
}
document.addEventListener("htmx:sseError", () => {
  clearTimeout(timer);
  timer = setTimeout(lost, LOST_AFTER, true);
});
document.addEventListener("htmx:sseOpen", () => lost(false));
document.addEventListener("htmx:sseClose", () => lost(false));

// On a narrow screen the steps of an answer that is there already would push it down.
if (matchMedia("(max-width: 760px)").matches) {
  for (const steps of document.querySelectorAll("[data-fold-narrow]")) steps.open = false;
}

for (const thread of document.querySelectorAll("[data-follow]")) {
  let following = true;
  const toEnd = () => {
    if (following && getSelection().isCollapsed) thread.scrollTop = thread.scrollHeight;
  };
  thread.addEventListener("scroll", () => {
    following = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 48;
  });
  document.addEventListener("asked", () => {
    following = true;
    toEnd();
  });
  new MutationObserver(toEnd).observe(thread, { childList: true, subtree: true, characterData: true });
  if (!new URLSearchParams(location.search).has("cite")) toEnd();
}
