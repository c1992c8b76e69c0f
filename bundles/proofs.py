"""What a bundle says is proved is looked up in its documents again: what another server says of a quote, its
claim or a cell is not taken on trust.
"""

from collections.abc import Callable
from typing import Any

from chat.citations.again import NOT_THERE, check_turn_again, place_of
from chat.citations.match import locate
from chat.citations.place import Place
from chat.citations.place_in_file import place_in_file
from chat.models import Note, OnPage, Support, Turn
from chat.models.citations import where
from chat.wording import ON_PAGE
from compliance.models import Evidence, Finding
from datasources.models import Document
from ingestion.chunks.chunking import PAGE_JOINER
from memos.models import Memo
from reader import page_images
from tables.filling.proof import check_value
from tables.models import Cell
from text.personal.personal_data import mask

NOT_JUDGED = "Another server has judged these words; here nobody has."
ELSEWHERE = "Judged on another server."
MASKED_IN = "Words of it are masked, so the value cannot be checked again."
MOST_PAGES = 10  # that a quote is looked for on
NO_SOURCE = "not found in the imported documents"


def check_proofs(datasource: int, go_on: Callable[[], object]) -> None:
    """Within the transaction that has stored the rows. `go_on` is called for each."""
    for turn in Turn.objects.filter(conversation__datasource=datasource).order_by("pk").iterator(200):
        check_turn_again(turn)
        go_on()
    cells = Cell.objects.filter(row__table__datasource=datasource).select_related("row__document")
    for cell in cells.order_by("row__document").iterator(200):
        _check_cell(cell)
        go_on()
    evidence = Evidence.objects.filter(document__datasource=datasource).select_related("document")
    for row in evidence.order_by("document").iterator(200):
        _check_evidence(row)
        go_on()
    for finding in Finding.objects.filter(assessment__datasource=datasource).exclude(model="").iterator(200):
        finding.reason = f"{ELSEWHERE} {finding.reason.removeprefix(ELSEWHERE).strip()}".strip()[:1000]
        finding.save(update_fields=["reason"])
        go_on()
    documents = Document.objects.filter(datasource=datasource).in_bulk()
    for kept in (Note, Memo):
        for each in kept.objects.filter(datasource=datasource).iterator(200):
            each.sources = [_source_again(source, documents) for source in each.sources]
            each.save(update_fields=["sources"])
            go_on()


def _check_cell(cell: Cell) -> None:
    if not (cell.quote or cell.on_page or cell.boxes or cell.support != Support.NONE):
        return  # nothing that would have to be proved
    place = _placed(cell, cell.row.document)
    cell.support, cell.reason = Support.NONE, ""
    if place is None:
        cell.boxes, cell.pages, cell.on_page, cell.reason = {}, [], OnPage.ABSENT, NOT_THERE
    elif cell.value and place.quote != cell.quote:
        cell.support, cell.reason = Support.NEEDS_EYE, MASKED_IN
    elif cell.value:
        check = check_value(cell.value, place.quote, place.context, place.at)
        cell.support, cell.reason = Support(check.support), check.reason
    cell.save(update_fields=["boxes", "pages", "support", "reason", "on_page"])


def _check_evidence(row: Evidence) -> None:
    row.title = row.document.title
    if _placed(row, row.document) is None:
        row.boxes, row.pages, row.support, row.reason = {}, [], Support.NONE, NOT_THERE
        row.on_page = OnPage.ABSENT
    elif row.support not in ("", Support.NONE):
        row.support, row.reason = Support.NEEDS_EYE, NOT_JUDGED
    row.save(update_fields=["title", "boxes", "pages", "support", "reason", "on_page"])


def _placed(row: Cell | Evidence, document: Document | None) -> Place | None:
    """Where the row says that its quote stands, and its boxes are those of this place; None where other words
    stand there.
    """
    place = place_of(document, row.start, row.end, row.quote)
    if place is not None and document is not None:
        boxes = page_images.place(document, place.start, place.end)
        row.pages, row.boxes = list(boxes), {str(page): rects for page, rects in boxes.items()}
    return place


def _source_again(source: dict[str, Any], documents: dict[int, Document]) -> dict[str, Any]:
    """A note's or memo's: its quote is looked for on the pages that it names. What was found out about a
    claim is left out: here nobody has read that.
    """
    lost = {**source, "document": None, "title": "", "pages": [], "where": "", "said": NO_SOURCE}
    document = documents.get(source["document"] or 0)
    if document is None:
        return lost
    pages = list(document.pages.filter(number__in=source["pages"][:MOST_PAGES]).order_by("number"))
    text = PAGE_JOINER.join(page.text for page in pages)
    found = {**source, "title": document.title, "said": ON_PAGE}
    if located := locate(source["quote"], text, slips=False):
        start = pages[0].start + located.start
        end = start + len(located.quote)
        over = [page for page in pages if page.start < end and start < page.start + len(page.text)]
        place = place_in_file(document, over[0].number, start, end) if over else ""
        numbers = [page.number for page in over]
        return {**found, "quote": located.quote, "pages": numbers, "where": where(numbers, place)}
    if locate(source["quote"], mask(text), slips=False):
        numbers = [page.number for page in pages]
        return {**found, "pages": numbers, "where": where(numbers, "")}
    return lost
