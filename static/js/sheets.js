// On a phone, Back closes the sheet, menu or dialog on top before it leaves the page: while one is open, the history has an entry
// more, of the same address. The pane of a source and the panel of an entity have addresses, and so entries, of their own.
const narrow = matchMedia("(max-width: 760px)");
const OPEN = "dialog:modal:not([data-pane], #panel), [popover]:not([popover=manual]):popover-open, details[data-menu][open]";
const ownEntry = () => Boolean(history.state?.sheet);
const sheet = () => [...document.querySelectorAll(OPEN)].at(-1);
let going = false; // back from the entry of a sheet that was closed
let leaving = false; // for another page: going back would keep from that

function shut(element) {
  if (element.matches("dialog")) element.requestClose ? element.requestClose() : element.close(); // it may ask first
  else if (element.matches("details")) element.open = false;
  else element.hidePopover();
}

function settle() {
  if (sheet()) {
    leaving = false;
    if (narrow.matches && !ownEntry()) history.pushState({ ...history.state, sheet: true }, "");
  } else if (ownEntry() && !leaving && !going) {
    going = true;
    history.back();
  }
}

const soon = () => setTimeout(settle);
document.addEventListener("toggle", soon, true); // neither bubbles
document.addEventListener("close", soon, true);
addEventListener("beforeunload", () => { leaving = true; });
addEventListener("pageshow", () => {
  leaving = going = false;
  soon();
});

// Before htmx hears of it, which would load the page anew.
addEventListener("popstate", (event) => {
  const open = sheet();
  if (!going && !open && !ownEntry()) return;
  event.stopImmediatePropagation();
  going = false;
  if (open) shut(open);
  soon();
}, true);

// A page that is opened from a sheet takes the place of the sheet's entry.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link?.closest(OPEN) || !ownEntry() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.target || link.download || link.origin !== location.origin || link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  leaving = true;
  shut(link.closest(OPEN));
  location.replace(link.href);
});
