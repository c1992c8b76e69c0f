"""What a bundle says is proved is looked up in its documents again: what another server says of a quote, its
claim or a cell is not taken on trust.
"""

from collections.abc import Callable

from chat.citations.again import NOT_THERE, check_turn_again, says
from chat.citations.place import text_around
from chat.models import OnPage, Support, Turn
from compliance.models import Evidence
from datasources.models import Document
from reader import page_images
from tables.filling.proof import check_value
from tables.models import Cell

NOT_JUDGED = "Another server has judged these words; here nobody has."


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


def _check_cell(cell: Cell) -> None:
    if not (cell.quote or cell.on_page or cell.boxes or cell.support != Support.NONE):
        return  # nothing that would have to be proved
    document = cell.row.document
    if document is None or not _placed(cell, document):
        cell.boxes, cell.pages, cell.support, cell.reason = {}, [], Support.NONE, NOT_THERE
        cell.on_page = OnPage.ABSENT
    elif cell.value and cell.start is not None and cell.end is not None:
        context, begin = text_around(document.pk, cell.start, cell.end)
        check = check_value(cell.value, cell.quote, context, cell.start - begin)
        cell.support, cell.reason = Support(check.support), check.reason
    cell.save(update_fields=["boxes", "pages", "support", "reason", "on_page"])


def _check_evidence(row: Evidence) -> None:
    if not _placed(row, row.document):
        row.boxes, row.pages, row.support, row.reason = {}, [], Support.NONE, NOT_THERE
        row.on_page = OnPage.ABSENT
    elif row.support == Support.SUPPORTED:
        row.support, row.reason = Support.NEEDS_EYE, NOT_JUDGED
    row.save(update_fields=["boxes", "pages", "support", "reason", "on_page"])


def _placed(row: Cell | Evidence, document: Document) -> bool:
    """Whether its words stand where it says; then its boxes are those of this place."""
    if row.start is None or row.end is None:
        return False
    context, begin = text_around(document.pk, row.start, row.end)
    if not says(context[row.start - begin : row.end - begin], row.quote):
        return False
    boxes = page_images.place(document, row.start, row.end)
    row.pages, row.boxes = list(boxes), {str(page): rects for page, rects in boxes.items()}
    return True
