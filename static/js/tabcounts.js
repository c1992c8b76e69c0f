// The tabs of a datasource follow what happens elsewhere: asked for again when the window is looked at once more, and
// when a documents page in another tab of this browser hears of a change (it has the stream).
const news = new BroadcastChannel("documents");
const refresh = () => document.getElementById("tabs") && htmx.trigger("#tabs", "refresh");

document.addEventListener("documents-changed", () => news.postMessage("changed"));
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
addEventListener("pageshow", ({ persisted }) => persisted && refresh());
news.addEventListener("message", refresh);
