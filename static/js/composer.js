// The question box: grows, asks on Enter, stops on Escape, takes a suggested question, counts the chosen documents,
// says when the network is gone.
const form = (element) => element.closest("form[data-composer]");
const field = () => document.querySelector("form[data-composer] textarea");

function grow(textarea) {
  if (CSS.supports("field-sizing", "content")) return;
  textarea.style.height = "auto";
  textarea.style.height = `${textarea.scrollHeight}px`;
}

document.addEventListener("input", (event) => event.target.matches("form[data-composer] textarea") && grow(event.target));

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog:modal")) {
    document.querySelector("[data-stop]")?.click();
  }
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches?.("form[data-composer] textarea")) return;
  event.preventDefault();
  if (event.target.value.trim() && navigator.onLine) form(event.target).requestSubmit();
});

document.addEventListener("click", (event) => {
  const suggestion = event.target.closest("[data-ask]");
  const textarea = field();
  if (!suggestion || !textarea) return;
  event.preventDefault(); // without scripts it is a submit button of the form
  textarea.value = suggestion.dataset.ask || suggestion.textContent.trim();
  grow(textarea);
  form(textarea).requestSubmit();
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const asking = detail.requestConfig.elt; // the answer may have replaced it
  if (!detail.successful || !asking.matches("form[data-composer], form[data-asks]")) return;
  const textarea = field();
  if (textarea && asking.matches("form[data-composer]")) {
    textarea.value = "";
    grow(textarea);
    textarea.focus();
  }
  document.dispatchEvent(new CustomEvent("asked"));
});

// Ticking a document means "only these"; "all" unticks them.
function countScope({ target }) {
  if (!target.closest("#scope")) return;
  if (target.closest("#scope-list")) document.querySelector("#scope [value=these]").checked = true;
  const all = document.querySelector("#scope [value=all]").checked;
  if (all) for (const box of document.querySelectorAll("#scope-list :checked")) box.checked = false;
  const label = document.querySelector("[data-scope-count]");
  const total = Number(label.dataset.scopeCount).toLocaleString("en");
  const chosen = document.querySelectorAll("#scope-list :checked").length;
  label.textContent = all ? `All ${total}` : `${chosen} of ${total}`;
}
document.addEventListener("change", countScope);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-scope-done]")) {
    event.target.closest("details").open = false;
    field().focus();
  }
});

function offline() {
  for (const notice of document.querySelectorAll("[data-offline]")) notice.hidden = navigator.onLine;
}
addEventListener("online", offline);
addEventListener("offline", offline);
offline();
