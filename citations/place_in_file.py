"""Where a quote is in its file, in people's terms: slide, sheet and row, headings, a form's field."""

from collections.abc import Sequence

from citations.where import FILLED_IN, NOT_COMPARED, NOT_VISIBLE, OTHER_LETTERS
from datasources.masking import shown
from datasources.models import Document
from formats.base.doubts import DoubtKind
from formats.base.layout import Layout
from formats.base.places import with_rows, without_rows
from formats.registry import format_of, has_format
from ingestion.chunks.section_paths import SectionPaths
from ingestion.models import Doubt, Page
from ingestion.structure.headings import JOINER

LONGEST = 300  # characters
SAID = {
    DoubtKind.UNSEEN: NOT_VISIBLE,
    DoubtKind.LETTERS: OTHER_LETTERS,
    DoubtKind.SKIPPED: NOT_COMPARED,
}  # the worst first


def place_in_file(document: Document, page: int, start: int, end: int) -> str:
    """“Slide 7”, “Sheet “Fees”, row 12”, “Fees › Late payment”. start, end: offsets in the document's text,
    of a quote that begins on the page. In a file with pages of its own, “filled in” for the value of a form's
    field, or how the page and its text disagree about the quote. Else empty.
    """
    if not has_format(document.mime):
        return ""
    form = format_of(document.mime)
    if not form.is_typeset:
        filled = FILLED_IN if _is_filled_in(document, page, start, end) else ""
        return _doubt(document, start, end) or filled
    if form.names_pages:
        row = document.pages.filter(number=page).first()
        return _on_page(row, start, end)[:LONGEST] if row else ""
    headings = SectionPaths.of(document).at(start).split(JOINER)
    return JOINER.join(headings[headings[0] == document.title :])[:LONGEST]


def shown_place(document: Document, pages: Sequence[int], start: int | None, end: int | None) -> str:
    """The place of a quote on these pages as people of the datasource may see it. Empty without a quote."""
    if not pages or start is None or end is None:
        return ""
    return shown(place_in_file(document, pages[0], start, end), document.datasource_id)


def _doubt(document: Document, start: int, end: int) -> str:
    """Of any of the quote's words."""
    kinds = set(
        Doubt.objects.filter(page__document=document).of_words(start, end).values_list("kind", flat=True)
    )
    return next((said for kind, said in SAID.items() if kind in kinds), "")


def _is_filled_in(document: Document, number: int, start: int, end: int) -> bool:
    """Whether any of the quote was entered into a form."""
    page = (
        document.pages.filter(number=number, layout__filled_in__0__isnull=False)
        .only("start", "layout")
        .first()
    )
    if page is None:
        return False
    filled = Layout.from_json(page.layout).filled_in
    return any(each.start < end - page.start and each.end > start - page.start for each in filled)


def _on_page(page: Page, start: int, end: int) -> str:
    """Its name, with the rows of the sheet that have a part of the quote."""
    first, last = start - page.start, end - page.start
    lines = Layout.from_json(page.layout).block_lines or ()
    rows = [line.row for line in lines if line.row and line.start < last and line.end > first]
    return with_rows(without_rows(page.address), min(rows), max(rows)) if rows else page.address
