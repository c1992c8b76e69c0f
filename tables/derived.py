"""What tables hold of documents, as the registry of derived data needs it.

Rows go with their document. A document that was read again may say other things: what no longer stands where
it was quoted is read once more, and so is a blank.
"""

from collections.abc import Collection, Mapping

from django.db.models import F

from datasources.derived import Change, DerivedData, Subject
from datasources.models import Datasource
from ingestion.models import Page
from tables.filling.texts import text_between
from tables.models import BLANK, OPEN, Cell, CellState, Row


class Tables(DerivedData):
    loss, loss_at_zero = "tables", False

    def apply(self, change: Change) -> None:
        """Look at the quotes of documents that are published."""
        _look_again(change.published)

    def count_loss(self, datasource: Datasource) -> int:
        return datasource.review_tables.count()

    def count(self, subject: Subject) -> Mapping[str, int]:
        rows = Row.objects.filter(table__datasource=subject.datasource_id)
        if not subject.whole:
            rows = rows.filter(document__in=subject.documents)
        return {"table_rows": rows.count()}


def _look_again(documents: Collection[int]) -> None:
    cells = Cell.objects.filter(row__document__in=documents).annotate(document=F("row__document"))
    moved = [
        cell.pk
        for cell in cells.exclude(quote="").filter(start__isnull=False)
        if text_between(cell.document, cell.start or 0, cell.end or 0) != cell.quote
    ]
    moved += cells.filter(state__in=OPEN).values_list("pk", flat=True)  # what is being read is the old text
    lengths = {
        page.document_id: page.start + len(page.text)
        for page in Page.objects.filter(document__in=documents).order_by("document", "number")
    }
    moved += [
        cell.pk
        for cell in cells.filter(state=CellState.NOT_STATED)
        if cell.read_to != lengths.get(cell.document, 0)
    ]
    Cell.objects.filter(pk__in=moved).update(**BLANK)
