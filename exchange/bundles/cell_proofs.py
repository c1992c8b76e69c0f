"""The cells of imported tables: each quote is looked up, each value is compared with it."""

from collections.abc import Callable

from chat.citation_rows.again import NOT_THERE
from citations.choices import OnPage, Support
from desks.tables.filling.proof import check_value
from desks.tables.models import Cell
from exchange.bundles.proved_place import placed

MASKED_IN = "Words of it are masked, so the value cannot be checked again."


def check_cells(datasource: int, go_on: Callable[[], object]) -> None:
    """`go_on` is called for each."""
    cells = Cell.objects.filter(row__table__datasource=datasource).select_related("row__document")
    for cell in cells.order_by("row__document").iterator(200):
        _check_cell(cell)
        go_on()


def _check_cell(cell: Cell) -> None:
    if not (cell.quote or cell.on_page or cell.boxes or cell.support != Support.NONE):
        return  # nothing that would have to be proved
    place = placed(cell, cell.row.document)
    cell.support, cell.reason = Support.NONE, ""
    if place is None:
        cell.boxes, cell.pages, cell.on_page, cell.reason = {}, [], OnPage.ABSENT, NOT_THERE
    elif cell.value and place.quote != cell.quote:
        cell.support, cell.reason = Support.NEEDS_EYE, MASKED_IN
    elif cell.value:
        check = check_value(cell.value, place.quote, place.context, place.at)
        cell.support, cell.reason = Support(check.support), check.reason
    cell.save(update_fields=["boxes", "pages", "support", "reason", "on_page"])
