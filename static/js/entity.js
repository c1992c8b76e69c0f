// The panel of an entity: opens beside the graph or as a sheet, keeps the address, closes; and the field that finds one.
// Hears "entityopen" {id}; sends "entitychange" {id}, null when the panel is closed.
const panel = document.getElementById("panel");
const find = document.getElementById("graph-find");
const found = document.getElementById("suggestions");
const narrow = matchMedia("(max-width: 760px)");

let opener;
const current = () => panel.querySelector("[data-entity-panel]")?.dataset.entityPanel ?? null;

function announce() {
  const id = current();
  for (const row of document.querySelectorAll(".gx-tbl tbody tr")) row.classList.toggle("sel", row.querySelector("[data-entity]").dataset.entity === id);
  document.dispatchEvent(new CustomEvent("entitychange", { detail: { id } }));
}

function address(id) {
  const url = new URL(location);
  for (const name of ["entity", "relation", "mentions"]) url.searchParams.delete(name);
  if (id) url.searchParams.set("entity", id);
  return url;
}

function show() {
  if (!narrow.matches) panel.setAttribute("open", "");
  else if (!panel.matches(":modal")) {
    panel.removeAttribute("open");
    panel.showModal();
    panel.querySelector("h2").focus(); // the sheet's name, not its first button
  }
}

async function open(id, push = true) {
  const inside = panel.contains(document.activeElement);
  if (!inside) opener = document.activeElement;
  await htmx.ajax("GET", `${panel.dataset.entities}${id}/`, { target: panel, swap: "innerHTML" });
  if (current() !== String(id)) return; // it is gone; the toast says so
  show();
  if (push) history.pushState(null, "", address(id));
  if (inside) panel.querySelector("h2").focus();
  document.getElementById("status").textContent = gettext("{name} opened", { name: panel.querySelector("h2").textContent });
  announce();
}

function close(push = true) {
  panel.close();
  if (!panel.childElementCount) return;
  panel.replaceChildren();
  if (push) history.pushState(null, "", address(null));
  announce();
  (opener?.isConnected ? opener : document.getElementById("canvas"))?.focus();
}

function toggleEvidence(event, link) {
  const quotes = document.getElementById(link.getAttribute("aria-controls"));
  const opened = quotes.childElementCount > 0;
  link.setAttribute("aria-expanded", !opened);
  if (!opened) return; // htmx fetches them
  event.preventDefault();
  event.stopPropagation();
  quotes.replaceChildren();
}

// Before htmx hears it, for a second click on a relation puts its quotes away.
document.addEventListener("click", (event) => {
  const evidence = event.target.closest("[data-evidence]");
  if (evidence && !event.ctrlKey && !event.metaKey && !event.shiftKey) toggleEvidence(event, evidence);
}, true);

if (panel) {
  if (current() && narrow.matches) show();
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const entity = event.target.closest("a[data-entity]");
    if (!entity && !event.target.closest("[data-panel-close]")) return;
    event.preventDefault();
    hide();
    if (entity) open(entity.dataset.entity);
    else close();
  }, true);
  document.addEventListener("entityopen", ({ detail }) => open(detail.id));
  document.addEventListener("dismiss", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (found && !found.hidden) hide();
    else close();
  });
  panel.addEventListener("close", () => close());
  panel.addEventListener("click", (event) => event.target === panel && panel.matches(":modal") && close());
  addEventListener("popstate", () => {
    const id = new URLSearchParams(location.search).get("entity");
    if (id && id !== current()) open(id, false);
    else if (!id) close(false);
  });
}

// --- finding ----------------------------------------------------------------------------------------------
const options = () => [...(found?.querySelectorAll("[role=option]") ?? [])];

function hide() {
  if (!found) return;
  found.hidden = true;
  find.setAttribute("aria-expanded", "false");
  find.removeAttribute("aria-activedescendant");
}

function choose(step) {
  const all = options();
  const at = all.findIndex((one) => one.getAttribute("aria-selected") === "true");
  const next = at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length;
  all.forEach((one, i) => one.setAttribute("aria-selected", i === next));
  find.setAttribute("aria-activedescendant", all[next].id);
  all[next].scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== found) return;
  found.hidden = !found.childElementCount;
  find.setAttribute("aria-expanded", !found.hidden);
});

find?.addEventListener("keydown", (event) => {
  const all = found.hidden ? [] : options();
  if (["ArrowDown", "ArrowUp"].includes(event.key) && all.length) choose(event.key === "ArrowDown" ? 1 : -1);
  else if (event.key === "Enter") {
    const asked = all.find((one) => one.getAttribute("aria-selected") === "true") ?? (document.querySelector(".gx").dataset.view === "graph" ? all[0] : null);
    if (!asked) return;
    asked.click();
    find.value = "";
  } else return;
  event.preventDefault();
});
document.addEventListener("click", (event) => !event.target.closest(".gx-q") && hide());
