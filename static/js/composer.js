// The question box: grows, keeps what is typed, asks on Enter, stops on Escape, takes a suggested question, counts the
// chosen documents, says when the network is gone.
const form = (element) => element.closest("form[data-composer]");
const field = () => document.querySelector("form[data-composer] textarea");
const page = () => `draft:${document.body.dataset.user}:${location.pathname}`;

// What is typed is kept in the tab until it has been asked: a reload, a sign-in or a lost connection loses nothing.
const draft = {
  text: "",
  page: page(),
  keep(text) {
    sessionStorage.removeItem(this.page);
    this.text = text;
    this.page = page();
    if (text) sessionStorage.setItem(this.page, text);
  },
};

function write(text) {
  const textarea = field();
  textarea.value = text;
  grow(textarea);
  textarea.dispatchEvent(new Event("input", { bubbles: true }));
}

function grow(textarea) {
  if (CSS.supports("field-sizing", "content")) return;
  textarea.style.height = "auto";
  textarea.style.height = `${textarea.scrollHeight}px`;
}

document.addEventListener("input", ({ target }) => {
  if (!target.matches("form[data-composer] textarea")) return;
  grow(target);
  draft.keep(target.value);
});

// A question is on its way from Enter on, which is before its request is sent: that may wait for scripts. Until its answer
// has settled there is no button that works: it is stopped as soon as there is one.
const asks = (element) => element?.matches("form[data-composer], form[data-asks]");
let onItsWay = false, stopsNext = false;

document.addEventListener("dismiss", (event) => {
  if (event.defaultPrevented) return;
  const button = document.querySelector("[data-stop]");
  stopsNext = onItsWay;
  if (!button && !stopsNext) return;
  event.preventDefault();
  if (!stopsNext) button.click();
});
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (!asks(detail.requestConfig?.elt)) return;
  onItsWay = false;
  if (stopsNext) document.querySelector("[data-stop]")?.click();
  stopsNext = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches?.("form[data-composer] textarea")) return;
  event.preventDefault();
  if (event.target.value.trim() && navigator.onLine) form(event.target).requestSubmit();
});

document.addEventListener("click", (event) => {
  const suggestion = event.target.closest("[data-ask]");
  const textarea = field();
  if (!suggestion || !textarea) return;
  event.preventDefault(); // without scripts it is a submit button of the form
  write(suggestion.dataset.ask || suggestion.textContent.trim());
  form(textarea).requestSubmit();
});

// What an answer needs is fetched with the first letter of the first question, and is there before it is sent.
let ready = !document.querySelector("template[data-with-answers]"), fetching;
function fetchScripts() {
  fetching ??= Promise.all(
    [...document.querySelector("template[data-with-answers]").content.querySelectorAll("script")].map((script) => {
      const copy = document.importNode(script, true);
      const loaded = new Promise((resolve) => { copy.onload = copy.onerror = resolve; });
      document.head.append(copy);
      return loaded;
    }),
  ).then(() => { ready = true; });
  return fetching;
}
document.addEventListener("input", ({ target }) => {
  if (!ready && target.matches("form[data-composer] textarea")) fetchScripts();
});

document.addEventListener("htmx:confirm", (event) => {
  if (!asks(event.target)) return;
  stopsNext &&= onItsWay; // it may be asked twice before the first is there
  onItsWay = true;
  if (ready) return;
  event.preventDefault();
  fetchScripts().then(() => event.detail.issueRequest(true));
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { elt: asking, path, parameters } = detail.requestConfig; // the answer may have replaced the form
  if (!asks(asking)) return;
  onItsWay &&= detail.successful;
  if (!detail.successful || !detail.xhr.responseURL.endsWith(path)) return; // it was sent on to the sign-in
  if (asking.matches("form[data-composer]")) {
    write(draft.text.trim() === parameters.question.trim() ? "" : draft.text); // what was typed meanwhile stays
    field().focus();
  }
  document.dispatchEvent(new CustomEvent("asked"));
});

// The choice of documents. Ticking one means "only those ticked", "all" unticks them; with none chosen nothing is asked.
const scope = (value) => document.querySelector(`#scope [name=scope][value=${value}]`);
const ticked = () => document.querySelectorAll("#scope-list :checked");
const noneChosen = () => Boolean(scope("these")?.checked && !ticked().length);

function showScope() {
  const label = document.querySelector("[data-scope-count]");
  if (!label) return;
  const total = numeral(Number(label.dataset.scopeCount));
  label.textContent = scope("all").checked ? ({ 1: "1", 2: gettext("Both") }[total] ?? gettext("All {total}", { total })) : gettext("{n} of {total}", { n: numeral(ticked().length), total });
  for (const sentence of document.querySelectorAll("[data-scope-none]")) sentence.hidden = !noneChosen();
  for (const button of document.querySelectorAll("form[data-composer] [data-ask-button]")) button.disabled = noneChosen();
}

document.addEventListener("change", ({ target }) => {
  if (!target.closest("#scope")) return;
  if (target.closest("#scope-list")) scope("these").checked = true;
  if (scope("all").checked) for (const box of ticked()) box.checked = false;
  showScope();
});
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-scope-all]")) scope("all").click();
  else if (target.closest("[data-scope-done]")) document.getElementById("scope").open = false;
  else return;
  field().focus();
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-composer]") || !noneChosen()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("htmx:afterSettle", showScope);

function offline() {
  for (const notice of document.querySelectorAll("[data-offline]")) notice.hidden = navigator.onLine;
}
addEventListener("online", offline);
addEventListener("offline", offline);
offline();

showScope();
const kept = sessionStorage.getItem(draft.page);
if (kept && field() && !field().value) write(kept);
