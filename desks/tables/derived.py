"""What tables hold of documents, as the registry of derived data needs it.

Rows are deleted with their document. A document that was read again may say something else: cells whose quote
is no longer in its place are read once more, and so are blanks.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from itertools import chain

from django.db.models import F, Q

from batches.upkeep import forget_replies
from datasources.derived import Change, DerivedData, Subject
from datasources.masking import mask_rows
from datasources.models import Datasource
from desks.tables.filling.texts import texts_of
from desks.tables.models import BLANK, OPEN, Cell, CellState, PaidReply, Row
from text.personal.personal_data import mask


class Tables(DerivedData):
    loss, loss_at_zero = "tables", False

    def apply(self, change: Change) -> None:
        """Look at the quotes of documents that are published. A row that has a newer version of a purged one
        may still keep what a model said of that.
        """
        _look_again(change.published)
        if change.purged:
            forget_replies(PaidReply, table__datasource=change.datasource_id)

    def sweep(self, subject: Subject) -> None:
        if not subject.whole:
            forget_replies(PaidReply, table__datasource=subject.datasource_id)

    def mask(self, datasource_id: int) -> None:
        mask_rows(Cell.objects.filter(row__table__datasource=datasource_id), "value", "quote", "reason")
        forget_replies(PaidReply, table__datasource=datasource_id)

    def count_loss(self, datasource: Datasource) -> int:
        return datasource.review_tables.count()

    def count(self, subject: Subject) -> Mapping[str, int]:
        rows = Row.objects.filter(table__datasource=subject.datasource_id)
        if not subject.whole:
            rows = rows.filter(document__in=subject.documents)
        return {"table_rows": rows.count()}


def _look_again(documents: Collection[int]) -> None:
    cells = Cell.objects.filter(row__document__in=documents).annotate(document=F("row__document"))
    read = cells.filter(Q(start__isnull=False) & ~Q(quote="") | Q(state=CellState.NOT_STATED))
    of_document: dict[int, list[Cell]] = defaultdict(list)
    for cell in read:
        of_document[cell.document].append(cell)
    without_pages = [(document, "") for document in of_document]
    texts = chain(texts_of(list(of_document)), without_pages)
    moved = [
        cell.pk for document, text in texts for cell in of_document.pop(document, ()) if _is_moved(cell, text)
    ]
    moved += cells.filter(state__in=OPEN).values_list("pk", flat=True)  # what is being read is the old text
    Cell.objects.filter(pk__in=moved).update(**BLANK)


def _is_moved(cell: Cell, text: str) -> bool:
    """Whether its quote stands elsewhere now; of a blank, whether the text has another length."""
    if cell.state == CellState.NOT_STATED:
        return cell.read_to != len(text)
    there = text[cell.start : cell.end]
    return cell.quote not in (there, mask(there))  # personal data may be masked in it
