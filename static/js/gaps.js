// Gap analysis: choosing a framework or vendor shows it at once; the requirement's pane opens, marks its row, closes.
const frame = document.querySelector(".gp");
const pane = document.getElementById("pane");

for (const form of document.querySelectorAll("form[data-autosubmit]")) {
  form.addEventListener("change", () => form.requestSubmit());
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target !== pane) return;
  frame.classList.add("open");
  pane.scrollTop = 0;
  const asked = event.detail.requestConfig?.elt?.closest("tr");
  for (const row of document.querySelectorAll(".gp-t tr.sel")) row.classList.remove("sel");
  asked?.classList.add("sel");
});

// A check that ends loads the page anew, but not while somebody writes a verdict.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id === "under-way" && pane?.querySelector("details[open]")) event.preventDefault();
});

// Where there is room, the first requirement is open. The page has brought it along.
const first = document.querySelector(".gp-t [data-gap]");
if (first && !frame.classList.contains("open") && matchMedia("(min-width: 1240px)").matches) {
  frame.classList.add("open");
  first.closest("tr").classList.add("sel");
}

function close() {
  frame.classList.remove("open");
  const row = document.querySelector(".gp-t tr.sel");
  row?.classList.remove("sel");
  row?.querySelector("[data-gap]")?.focus();
  pane.replaceChildren();
  const url = new URL(location);
  url.searchParams.delete("open");
  history.replaceState(history.state, "", url);
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-gap-close]") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  close();
});

document.addEventListener("dismiss", (event) => {
  if (!pane?.childElementCount) return;
  event.preventDefault();
  const form = pane.querySelector("details[open]");
  const reason = form?.querySelector("textarea");
  if (reason?.value.trim()) reason.focus(); // what somebody has begun to write stays in sight
  else if (form) form.open = false;
  else close();
});
