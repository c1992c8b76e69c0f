"""What was found for a cell, with its place on the page and whether the quote supports the value."""

from dataclasses import dataclass

from citations.choices import OnPage, Support
from citations.match import Method, locate
from citations.place import text_around
from citations.support import SupportCheck, check_support
from datasources.masking import masked
from datasources.models import Document
from desks.tables.models import LONGEST_VALUE, Cell, CellState
from english.reading import COUNTED_WITH, OPENING
from reader import page_images
from text.personal.personal_data import mask

LEADING_IN = OPENING | COUNTED_WITH | {"of", "by"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """quote: the document's own words from offset `start` on. value: what they say; "" claims nothing."""

    value: str
    quote: str
    start: int
    method: Method

    @property
    def end(self) -> int:
        return self.start + len(self.quote)


def put(cell: Cell, found: Found, document: Document) -> None:
    """Fill the cell; it is not saved."""
    boxes = page_images.place(document, found.start, found.end)
    cell.state = CellState.QUOTED
    cell.value, cell.quote, cell.start, cell.end = found.value, found.quote, found.start, found.end
    cell.pages, cell.boxes = list(boxes), {str(page): rects for page, rects in boxes.items()}
    cell.on_page, cell.support, cell.reason = OnPage(found.method), Support.NONE, ""
    if found.value:
        context, begin = text_around(document.pk, found.start, found.end)
        check = check_value(found.value, found.quote, context, found.start - begin)
        cell.support, cell.reason = Support(check.support), check.reason
    if masked([document.datasource_id]):
        cell.quote, cell.reason = mask(cell.quote), mask(cell.reason)
        cell.value = mask(cell.value)[:LONGEST_VALUE]  # the words in place of an address are longer


def check_value(value: str, quote: str, context: str, at: int = 0) -> SupportCheck:
    """Whether the quote carries the few words of a cell.

    Where it has these very words, they may also be read with the small words that lead in to them: “Denmark”
    of “by the laws of Denmark”.
    """
    check = check_support(value, quote, context, at)
    located = locate(value, quote)
    if check.support != Support.NEEDS_EYE or located is None or located.method == "corrected":
        return check
    claim, before = value, quote[: located.start].split()
    while before and before[-1].casefold() in LEADING_IN:
        claim = f"{before.pop()} {claim}"
    led_in = check_support(claim, quote, context, at)
    return led_in if led_in.support == Support.SUPPORTED else check
