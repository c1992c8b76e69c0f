// The card that shows a citation's words on its page while the pointer or the keyboard focus rests on the chip.
const OPEN_AFTER = 180, WARM_FOR = 400, WAIT_FOR_CARD = 120, GRACE = 220, EDGE = 12, GAP = 10, PREFETCH = 6;
const cards = new Map(); // address -> promise of HTML
let card, chip, opening, closing, closedAt = 0;

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

// The claim stands before the chip, or before the chips between them.
function claim() {
  let before = chip?.previousElementSibling;
  while (before?.matches(".chip")) before = before.previousElementSibling;
  return before?.closest("[data-claim]") ?? chip?.closest("[data-claim]");
}

function place() {
  const at = chip.getBoundingClientRect();
  const column = (chip.closest("[data-column]") ?? document.documentElement).getBoundingClientRect();
  const right = Math.min(column.right, innerWidth) - EDGE - card.offsetWidth;
  const left = Math.max(Math.min(at.left - 60, right), Math.max(column.left, 0) + EDGE);
  const above = at.bottom + GAP + card.offsetHeight > innerHeight - EDGE && at.top > card.offsetHeight + GAP;
  card.classList.toggle("above", above);
  card.style.left = `${left}px`;
  card.style.top = `${above ? at.top - GAP - card.offsetHeight : at.bottom + GAP}px`;
  const arrow = card.querySelector(".hc-arrow");
  if (arrow) arrow.style.left = `${at.left + at.width / 2 - left - 6}px`;
}

function fill(html) {
  card.innerHTML = `<span class="hc-arrow"></span>${html}`;
  if (!card.matches(":popover-open")) card.showPopover();
  place();
}

function outline(text) {
  fill('<div class="hc-h"><b class="small"></b></div><div class="hc-c"><span class="skel"></span></div>');
  card.querySelector("b").textContent = text;
}

async function open(target) {
  close();
  chip = target;
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

function prefetch() {
  if (navigator.connection?.saveData) return;
  const inView = (e) => { const r = e.getBoundingClientRect(); return r.top < innerHeight && r.bottom > 0; };
  for (const target of [...document.querySelectorAll("[data-card]")].filter(inView).slice(0, PREFETCH)) {
    fetched(target.dataset.card).then((html) => new DOMParser().parseFromString(html, "text/html").querySelectorAll("img").forEach((i) => { new Image().src = i.src; }), () => {});
  }
}
const whenIdle = () => (window.requestIdleCallback ?? setTimeout)(prefetch);

document.addEventListener("pointerover", (event) => {
  const target = event.pointerType !== "touch" && event.target.closest("[data-card]");
  if (!target) return;
  clearTimeout(closing);
  if (target === chip) return;
  clearTimeout(opening);
  opening = setTimeout(open, chip || performance.now() - closedAt < WARM_FOR ? 0 : OPEN_AFTER, target);
});
document.addEventListener("pointerout", (event) => {
  const target = event.target.closest("[data-card]");
  if (target && !target.contains(event.relatedTarget)) leave();
});
document.addEventListener("focusin", (event) => {
  const target = event.target.closest("[data-card]");
  if (target?.matches(":focus-visible")) open(target);
});
document.addEventListener("focusout", (event) => event.target === chip && leave());
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !chip) return;
  event.preventDefault();
  close();
});
document.addEventListener("click", (event) => event.target.closest("[data-card]") && close());
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-card-step]");
  if (!button) return;
  const pages = [...card.querySelectorAll("[data-card-page]")];
  const at = (pages.findIndex((page) => !page.hidden) + Number(button.dataset.cardStep) + pages.length) % pages.length;
  pages.forEach((page, index) => (page.hidden = index !== at));
  card.querySelector("[data-card-at]").textContent = `${at + 1} of ${pages.length} pages`;
});
document.addEventListener("scroll", (event) => {
  if (!chip || !event.target.contains?.(chip)) return;
  // Focus scrolls its chip into view: then the card moves along.
  if (chip === document.activeElement) card.matches(":popover-open") && place();
  else close();
}, true);
document.addEventListener("htmx:sseClose", whenIdle);
whenIdle();
