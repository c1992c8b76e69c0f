// Parts of an answer whose place is not on this page, such as a row that is on another page of a list, are left out before
// htmx looks for their places: it would call each an error.
function known(part, answer) {
  const [, selector = `#${CSS.escape(part.id)}`] = part.getAttribute("hx-swap-oob").match(/^[^:]+:(.+)$/) ?? [];
  return document.querySelector(selector) || [...answer.querySelectorAll(selector)].some((other) => other !== part);
}

function prune(answer) {
  const left = [...answer.querySelectorAll("[hx-swap-oob]")].filter((part) => !known(part, answer));
  for (const part of left) part.remove();
  return [...answer.querySelectorAll("template")].map(({ content }) => prune(content)).some(Boolean) || left.length > 0;
}

htmx.defineExtension("known-places", {
  transformResponse(text) {
    if (!text.includes("hx-swap-oob")) return text;
    const answer = document.createElement("template");
    answer.innerHTML = text;
    return prune(answer.content) ? answer.innerHTML : text;
  },
});
