"""What a bundle says is proved is looked up in its documents again: what another server says of a quote, its
claim or a cell is not taken on trust.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from chat.citation_rows.again import NOT_THERE, check_turn_again
from chat.models import Note, Turn
from chat.wording import ON_PAGE
from citations.choices import OnPage, Support
from citations.match import locate
from citations.place import Place, place_of
from citations.place_in_file import place_in_file
from citations.where import where
from compliance.models import Evidence, Finding, Verdict
from datasources.models import Document
from ingestion.chunks.chunking import PAGE_JOINER
from ingestion.models import Page
from memos.models import Memo
from reader import page_images
from tables.filling.proof import check_value
from tables.models import Cell
from text.personal.personal_data import mask

NOT_JUDGED = "Another server has judged these words; here nobody has."
ELSEWHERE = "Judged on another server."
MASKED_IN = "Words of it are masked, so the value cannot be checked again."
MOST_PAGES, MOST_CHARACTERS = 10, 200_000  # that a quote is looked for on
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
    for finding in Finding.objects.filter(assessment__datasource=datasource).iterator(200):
        _check_finding(finding)
        go_on()
    pages = _Pages(Document.objects.filter(datasource=datasource).in_bulk())
    for kept in (Note, Memo):
        for each in kept.objects.filter(datasource=datasource).iterator(200):
            for source in each.sources:
                source |= _source_again(source, pages)
                go_on()
            each.save(update_fields=["sources"])


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


def _check_finding(finding: Finding) -> None:
    """Code alone judges nothing: without a model, a verdict is nobody's."""
    if finding.model:
        finding.reason = f"{ELSEWHERE} {finding.reason.removeprefix(ELSEWHERE).strip()}".strip()[:1000]
    else:
        finding.verdict, finding.reason = Verdict.TO_JUDGE, ""
        nobodys = {"verdict": Verdict.TO_JUDGE, "statement": "", "reason": ""}
        finding.parts = [part | nobodys for part in finding.parts]
    finding.save(update_fields=["verdict", "reason", "parts"])


def _placed(row: Cell | Evidence, document: Document | None) -> Place | None:
    """Where the row says that its quote stands, and its boxes are those of this place; None where other words
    stand there.
    """
    place = place_of(document, row.start, row.end, row.quote)
    if place is not None and document is not None:
        boxes = page_images.place(document, place.start, place.end)
        row.pages, row.boxes = list(boxes), {str(page): rects for page, rects in boxes.items()}
    return place


class _Pages:
    """The text of pages that sources name one after the other, plain and masked."""

    def __init__(self, documents: dict[int, Document]) -> None:
        self.documents = documents
        self._of = lru_cache(100)(self._read)

    def of(self, document: Document, numbers: Sequence[int]) -> tuple[list[Page], str, str]:
        """The first of them with those that follow it, joined, and the same masked. They have MOST_PAGES and
        MOST_CHARACTERS at most.
        """
        named = sorted(set(numbers))[:MOST_PAGES]
        return self._of(document.pk, tuple(n for at, n in enumerate(named) if n == named[0] + at))

    def _read(self, document: int, numbers: tuple[int, ...]) -> tuple[list[Page], str, str]:
        pages = list(Page.objects.filter(document=document, number__in=numbers).order_by("number"))
        text = PAGE_JOINER.join(page.text for page in pages)[:MOST_CHARACTERS]
        return pages, text, mask(text)


def _source_again(source: dict[str, Any], known: _Pages) -> dict[str, Any]:
    """A note's or memo's: its quote is looked for on the pages that it names. What was found out about a
    claim is left out: here nobody has read that.
    """
    lost = {**source, "document": None, "title": "", "pages": [], "where": "", "said": NO_SOURCE}
    document = known.documents.get(source["document"] or 0)
    if document is None:
        return lost
    pages, text, masked = known.of(document, source["pages"])
    found = {**source, "title": document.title, "said": ON_PAGE}
    if located := locate(source["quote"], text, slips=False):
        start = pages[0].start + located.start
        end = start + len(located.quote)
        over = [page for page in pages if page.start < end and start < page.start + len(page.text)]
        place = place_in_file(document, over[0].number, start, end) if over else ""
        numbers = [page.number for page in over]
        return {**found, "quote": located.quote, "pages": numbers, "where": where(numbers, place)}
    if masked != text and locate(source["quote"], masked, slips=False):
        numbers = [page.number for page in pages]
        return {**found, "pages": numbers, "where": where(numbers, "")}
    return lost
