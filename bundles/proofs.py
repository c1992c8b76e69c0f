"""Quotes in a bundle are looked for in its documents again: what another server says of a quote, its claim or
a cell is not taken on trust.
"""

from chat.citations.again import NOT_THERE, check_turn_again, says
from chat.citations.place import text_around
from chat.models import OnPage, Support, Turn
from compliance.models import Evidence
from tables.filling.proof import check_value
from tables.models import Cell

LOST = {"on_page": OnPage.ABSENT, "support": Support.NONE, "reason": NOT_THERE, "boxes": {}}


def check_proofs(datasource: int) -> None:
    """Within the transaction that has stored the rows."""
    for turn in Turn.objects.filter(conversation__datasource=datasource).order_by("pk").iterator(200):
        check_turn_again(turn)
    cells = Cell.objects.filter(row__table__datasource=datasource, start__isnull=False)
    for cell in cells.select_related("row").iterator(200):
        _check_cell(cell)
    evidence = Evidence.objects.filter(document__datasource=datasource).exclude(on_page=OnPage.ABSENT)
    for row in evidence.iterator(200):
        if not _stands(row.document_id, row.start, row.end, row.quote):
            Evidence.objects.filter(pk=row.pk).update(**LOST)


def _check_cell(cell: Cell) -> None:
    document = cell.row.document_id
    if document is None or not _stands(document, cell.start, cell.end, cell.quote):
        Cell.objects.filter(pk=cell.pk).update(**LOST)
    elif cell.value and cell.support == Support.SUPPORTED:
        assert cell.start is not None
        context, begin = text_around(document, cell.start, cell.end or cell.start)
        check = check_value(cell.value, cell.quote, context, cell.start - begin)
        Cell.objects.filter(pk=cell.pk).update(support=check.support, reason=check.reason)


def _stands(document: int, start: int | None, end: int | None, quote: str) -> bool:
    if start is None or end is None:
        return False
    context, begin = text_around(document, start, end)
    return says(context[start - begin : end - begin], quote)
