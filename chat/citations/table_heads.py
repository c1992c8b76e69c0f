"""The heads of the columns above a quote that is the row of a table: their words, and where they stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chat.models import Citation
from reader import page_images
from text.quotable import Part, parts
from text.table_lines import cells, is_table_line


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHeads:
    """`text`: "July 1, 2023 | June 25, 2022"; `boxes`: by page. Both empty when the quote is no row."""

    text: str = ""
    boxes: dict[int, list[list[float]]] = field(default_factory=dict)


def table_heads(citation: Citation) -> TableHeads:
    """Sought above the quote on the page on which it begins."""
    if citation.document is None or citation.start is None or not is_table_line(citation.quote):
        return TableHeads()
    pages = citation.document.pages.filter(number__in=citation.pages, start__lte=citation.start)
    if (page := pages.order_by("number").last()) is None:
        return TableHeads()
    shown = page.text[: citation.start - page.start + len(citation.quote)]
    above = parts(shown)
    if not above or above[-1].kind != "row" or not above[-1].heads:
        return TableHeads()
    boxes: dict[int, list[list[float]]] = {}
    for start, end in _lines(shown, above):
        placed = page_images.place(citation.document, page.start + start, page.start + end)
        for number, rects in placed.items():
            boxes.setdefault(number, []).extend(rects)
    return TableHeads(text=above[-1].heads, boxes=boxes)


def _lines(text: str, above: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Where the lines stand that together are the heads of the last row, from the lowest up."""
    left = above[-1].heads
    for part in reversed(above):
        if part.kind == "heading" and part.heads == left:
            yield part.start, part.end
            left = left.removesuffix(" | ".join(cells(text[part.start : part.end]))).removesuffix(" | ")
            if not left:
                return
