// The card that shows a citation's words on its page while the pointer or the keyboard focus rests on the chip.
// No card is fetched before: the audit log says of each that it was seen.
const OPEN_AFTER = 180, WARM_FOR = 400, WAIT_FOR_CARD = 30, GRACE = 220, OPENS_IN = 1500, EDGE = 12, GAP = 10;
const PRINT = 732, SIDES = 2; // pixels: of a card beside a quote, and of the card's own lines
const LEAST = 150; // pixels of height in which a card is of use
const cards = new Map(); // address -> promise of HTML
let card, chip, opening, closing, closedAt = 0;
let clicked, clickedAt = 0; // its page is being opened
let stays = false; // opened by the keyboard: it moves along when its chip is scrolled

function fetched(url) {
  if (!cards.has(url)) {
    const request = fetch(url, { headers: { "HX-Request": "true" } }).then((r) => (r.ok ? r.text() : Promise.reject(r)));
    request.catch(() => cards.delete(url));
    cards.set(url, request);
  }
  return cards.get(url);
}

function element() {
  if (card) return card;
  card = Object.assign(document.createElement("div"), { id: "hovercard", className: "pop hc", popover: "manual" });
  card.setAttribute("role", "tooltip");
  card.addEventListener("pointerenter", () => clearTimeout(closing));
  card.addEventListener("pointerleave", leave);
  document.body.append(card);
  return card;
}

// A chip whose page is open beside the answer, or is about to be, needs no card over the answer.
const shows = (target) => target.matches(".on") || (target === clicked && performance.now() - clickedAt < OPENS_IN);

// The claim stands before the chip, or before the chips between them.
function claim() {
  let before = chip?.previousElementSibling;
  while (before?.matches(".chip")) before = before.previousElementSibling;
  return before?.closest("[data-claim]") ?? chip?.closest("[data-claim]");
}

// The lines that the card must not hide, and the lower edge of the question that sticks above them.
function kept(whole) {
  const at = chip.getBoundingClientRect();
  const words = (whole && claim()?.getBoundingClientRect()) || at;
  const thread = chip.closest("[data-follow]")?.getBoundingClientRect().top ?? 0;
  const question = chip.closest("[data-turn]")?.querySelector(".me")?.getBoundingClientRect().bottom ?? 0;
  const top = Math.min(at.top, words.top), bottom = Math.max(at.bottom, words.bottom);
  const below = innerHeight - EDGE - bottom - GAP, above = top - GAP - Math.max(question, thread, 0);
  return { at, top, bottom, below, above };
}

// As wide as the column that the answer stands in, or as its crop where that is wider, so that no line is cut; a
// quote that stands in no column gets a card as wide as print needs.
function across() {
  const column = chip.closest("[data-column]")?.getBoundingClientRect();
  const crops = [...card.querySelectorAll(".hc-c > img")].map((crop) => Number(crop.getAttribute("width")) + SIDES);
  const own = column ? Math.min(column.width - 2 * EDGE, PRINT) : PRINT; // a thread with two documents side by side is wider than its answer
  const width = Math.min(Math.max(own, ...crops), innerWidth - 16);
  const left = column ? column.left + EDGE : chip.getBoundingClientRect().left;
  return { left: Math.max(Math.min(left, innerWidth - 8 - width), 8), width };
}

function place() {
  const { left, width } = across();
  card.style.width = `${width}px`;
  card.style.maxHeight = "none";
  let room = kept(true);
  if (Math.max(room.below, room.above) < LEAST) room = kept(false); // a claim as high as the window
  const over = card.offsetHeight > room.below && room.above > room.below;
  card.style.maxHeight = `${over ? room.above : room.below}px`;
  card.classList.toggle("above", over);
  card.style.left = `${left}px`;
  card.style.top = `${over ? room.top - GAP - card.offsetHeight : room.bottom + GAP}px`;
  card.style.setProperty("--bridge", `${(over ? room.at.top - room.top : room.bottom - room.at.bottom) + GAP + 4}px`);
  const arrow = card.querySelector(".hc-arrow");
  arrow.style.left = `${room.at.left + room.at.width / 2 - left - 6}px`;
  arrow.hidden = (over ? room.at.top - room.top : room.bottom - room.at.bottom) > room.at.height;
}

const siblings = () => [...(chip.closest("[data-turn]") ?? document).querySelectorAll(".chip[data-card]")];

function fill(html) {
  card.innerHTML = `<span class="hc-arrow"></span>${html}`;
  const keys = card.querySelector("[data-card-keys]");
  if (keys) keys.hidden = document.body.dataset.shortcuts !== "on" || siblings().length < 2;
  for (const crop of card.querySelectorAll(".hc-c > img")) if (!crop.complete) awaitCrop(crop);
  if (!card.matches(":popover-open")) card.showPopover();
  place();
}

// Until it is drawn, its place is there and says that something comes.
function awaitCrop(crop) {
  crop.classList.add("skel");
  for (const event of ["load", "error"]) crop.addEventListener(event, () => crop.classList.remove("skel"), { once: true });
}

function outline(text) {
  fill('<div class="hc-h"><b class="small"></b></div><div class="hc-c"><span class="skel"></span></div>');
  card.querySelector("b").textContent = text;
}

async function open(target, byKeyboard = false) {
  close();
  chip = target;
  stays = byKeyboard;
  element();
  chip.setAttribute("aria-describedby", "hovercard");
  claim()?.classList.add("hl-claim");
  const late = setTimeout(() => chip === target && outline(target.getAttribute("aria-label") ?? ""), WAIT_FOR_CARD);
  try {
    const html = await fetched(target.dataset.card);
    if (chip === target) fill(html);
  } catch {
    if (chip === target) close(); // the click still opens the pane, which says what went wrong
  } finally {
    clearTimeout(late);
  }
}

function close() {
  clearTimeout(opening);
  clearTimeout(closing);
  if (!chip) return;
  claim()?.classList.remove("hl-claim");
  chip.removeAttribute("aria-describedby");
  chip = undefined;
  if (card.matches(":popover-open")) card.hidePopover();
  closedAt = performance.now();
}

function leave() {
  clearTimeout(opening);
  closing = setTimeout(close, GRACE);
}

document.addEventListener("pointerover", (event) => {
  const target = event.pointerType !== "touch" && event.target.closest("[data-card]");
  if (!target || shows(target)) return;
  clearTimeout(closing);
  if (target === chip) return;
  clearTimeout(opening);
  opening = setTimeout(open, chip || performance.now() - closedAt < WARM_FOR ? 0 : OPEN_AFTER, target);
});
document.addEventListener("pointerout", (event) => {
  const target = event.target.closest("[data-card]");
  if (target && target === chip ? !target.contains(event.relatedTarget) : target && !chip) leave();
});
document.addEventListener("focusin", (event) => {
  const target = event.target.closest("[data-card]");
  if (target?.matches(":focus-visible") && !document.querySelector("[data-closing]")) open(target, true);
});
document.addEventListener("focusout", (event) => event.target === chip && leave());
// To the citation before or after. An empty question box may have the focus: a bracket begins no question.
function step(by) {
  const next = siblings()[siblings().indexOf(chip) + by];
  if (!next) return;
  const focused = document.activeElement === chip;
  next.scrollIntoView({ block: "nearest" });
  if (focused) next.focus({ preventScroll: true });
  if (chip !== next) open(next, true);
}

document.addEventListener("keydown", (event) => {
  if (!chip || event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return;
  const by = { "[": -1, "]": 1 }[event.key];
  if (event.key === "Escape") close();
  else if (by && document.body.dataset.shortcuts === "on" && !event.target.value) step(by);
  else return;
  event.preventDefault();
}, true);
document.addEventListener("pointerdown", (event) => {
  if (chip && !event.target.closest("#hovercard, [data-card]")) close();
});
document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-card]");
  if (!target) return;
  [clicked, clickedAt] = [target, performance.now()];
  close();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-card-step]");
  if (!button) return;
  const pages = [...card.querySelectorAll("[data-card-page]")];
  const at = (pages.findIndex((page) => !page.hidden) + Number(button.dataset.cardStep) + pages.length) % pages.length;
  pages.forEach((page, index) => (page.hidden = index !== at));
  card.querySelector("[data-card-at]").textContent = gettext("{n} of {total} pages", { n: numeral(at + 1), total: numeral(pages.length) });
  place();
});
document.addEventListener("scroll", (event) => {
  if (!chip || !event.target.contains?.(chip)) return;
  if (stays) card.matches(":popover-open") && place();
  else close();
}, true);
// A page that cannot be drawn: the words themselves.
document.addEventListener("error", ({ target }) => {
  if (target.matches?.(".hc-c > img")) target.replaceWith(Object.assign(document.createElement("p"), { className: "quote", textContent: target.alt }));
}, true);
// A judge may have changed what a card says of a claim while the answer was being written.
document.addEventListener("htmx:sseClose", () => cards.clear());
