// Crops of pages that are wider than their place begin at the words they are about: data-pan, in parts of the width.
const narrow = matchMedia("(max-width: 760px)");

function pan(within) {
  for (const crop of within.querySelectorAll("[data-pan]")) {
    const wider = crop.scrollWidth > crop.clientWidth + 1;
    crop.toggleAttribute("tabindex", wider);
    if (!wider) continue;
    crop.tabIndex = 0; // for the arrow keys
    crop.scrollLeft = Number(crop.dataset.pan) * crop.scrollWidth - crop.clientWidth / 2;
  }
}

pan(document);
narrow.addEventListener("change", () => pan(document));
document.addEventListener("htmx:oobAfterSwap", (event) => pan(event.detail.target));
