// Keyboard: Ctrl or Cmd K, ?, and every element's own data-key. Keys that no element takes go out as "shortcut" events.
const PREFIX_LIFE = 1200;
let prefix = "";
let timer;

const typing = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
const shownTo = (key) => [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].filter((e) => e.checkVisibility()).at(-1);

// Where G leads is also in a menu that is shut.
const placed = (key) => (key.startsWith("g ") ? document.querySelector(`a[data-key="${CSS.escape(key)}"]`) : null);

function press(key, held) {
  const element = shownTo(key) ?? placed(key);
  if (!element) return document.dispatchEvent(new CustomEvent("shortcut", { detail: { key }, cancelable: true }));
  if (element.matches("input, textarea")) element.focus();
  else if (!held || element.type !== "submit") element.click(); // a held key sends a form once
  return false;
}

function single(event) {
  const blocked = document.body.dataset.shortcuts !== "on" || document.querySelector("dialog:modal:not([data-pane])");
  if (blocked || typing(event.target)) return;
  const key = event.key.toLowerCase();
  clearTimeout(timer);
  if (key === "g" && !prefix) {
    prefix = "g ";
    timer = setTimeout(() => (prefix = ""), PREFIX_LIFE);
    return;
  }
  const full = prefix + key;
  prefix = "";
  if (key === "?") document.querySelector('[data-dialog="shortcuts"]')?.click();
  else if (!press(full, event.repeat)) event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || !event.key) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey) return;
    event.preventDefault();
    document.querySelector('[data-dialog="palette"]')?.click();
  } else if (event.altKey) {
    // event.key of Alt with a letter differs between systems; its code does not.
    const element = shownTo(`alt+${event.code.replace("Key", "").toLowerCase()}`);
    if (!element) return;
    event.preventDefault();
    element.click();
  } else if (event.key.length === 1) single(event);
});

// The palette: arrows move, Enter takes the first result of what has been typed by now, letters go on typing.
const palette = document.getElementById("palette");
let taking = false;

function take() {
  const box = palette.querySelector("input"), results = palette.querySelector("[data-results]");
  taking = results?.dataset.results !== box.value.split(/\s+/).filter(Boolean).join(" ");
  if (!taking) palette.querySelector(".pal-i")?.click();
}

palette?.addEventListener("keydown", (event) => {
  const stops = [...palette.querySelectorAll("input, .pal-i")];
  const at = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    event.preventDefault(); // a search field would empty itself and keep the dialog open
    palette.close();
  } else if (step) {
    event.preventDefault();
    stops[(at + step + stops.length) % stops.length].focus();
  } else if (event.key === "Enter" && at === 0) {
    event.preventDefault();
    take();
  } else if (at > 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) stops[0].focus();
});
palette?.addEventListener("htmx:afterSettle", () => taking && take());
palette?.addEventListener("close", () => (taking = false));
// What was asked for last stays to be looked at, and the next letter takes its place.
palette?.addEventListener("dialogopen", () => palette.querySelector("input").select());
