// The question box: grows, asks on Enter, stops on Escape, takes a suggested question, says when the network is gone.
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
  textarea.value = suggestion.dataset.ask || suggestion.textContent.trim();
  grow(textarea);
  form(textarea).requestSubmit();
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful || !detail.elt.matches("form[data-composer]")) return;
  detail.elt.reset();
  const textarea = field();
  if (textarea) {
    grow(textarea);
    textarea.focus();
  }
  document.dispatchEvent(new CustomEvent("asked"));
});

function offline() {
  for (const notice of document.querySelectorAll("[data-offline]")) notice.hidden = navigator.onLine;
}
addEventListener("online", offline);
addEventListener("offline", offline);
offline();
