// Defined words: underlined in the quote beside their definitions, which appear where the pointer rests.
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function mark(list) {
  const meanings = new Map(
    [...list.querySelectorAll("dt")].map((term) => [term.textContent, term.parentElement.querySelector(".q").textContent]),
  );
  const forms = [...meanings.keys()].sort((one, other) => other.length - one.length).map(escaped).join("|");
  const words = new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms})(?![\\p{L}\\p{N}])`, "gu");
  for (const quote of document.querySelectorAll("#pane blockquote.q")) {
    const texts = document.createTreeWalker(quote, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (texts.nextNode()) nodes.push(texts.currentNode);
    for (const node of nodes) {
      for (const found of [...node.data.matchAll(words)].reverse()) {
        const term = document.createElement("abbr");
        const word = node.splitText(found.index);
        word.splitText(found[0].length);
        term.title = meanings.get(found[0]);
        word.replaceWith(term);
        term.append(word);
      }
    }
  }
}

htmx.onLoad((part) => {
  if (part.matches("[data-terms]")) mark(part);
});
