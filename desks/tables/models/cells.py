"""Rows of tables, and what each cell has: a value, the quote that proves it, or a blank."""

from typing import Any, Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from citations.choices import OnPage, Support
from datasources.models import Document, DocumentStatus
from desks.tables.models.tables import UNDO, Column, ReviewTable
from localization.stored import told
from providers.spending.paid_replies import PaidReplyRow

LONGEST_VALUE = 600  # characters


class RowQuerySet(models.QuerySet["Row"]):
    def shown(self) -> Self:
        """Without those removed, and without documents that are deleted, or not read to the end."""
        return self._there().filter(removed__isnull=True)

    def undoable(self) -> Self:
        """Removed not long ago."""
        return self._there().filter(removed__gt=timezone.now() - UNDO)

    def _there(self) -> Self:
        return self.filter(document__status__in=(DocumentStatus.READY, DocumentStatus.SUPERSEDED))


class Row(models.Model):
    """One document in a table. A removed one keeps its cells for a while, to be undone."""

    table = models.ForeignKey(ReviewTable, models.CASCADE, related_name="listed_rows")
    document = models.ForeignKey(Document, models.CASCADE, related_name="rows_of_tables")
    place = models.PositiveIntegerField(help_text="From 0, from the top.")
    removed = models.DateTimeField(null=True, blank=True, help_text="When it was taken out of the table.")

    objects = RowQuerySet.as_manager()

    class Meta:
        ordering = ["place", "pk"]
        constraints = [models.UniqueConstraint(fields=["table", "document"], name="one_row_a_document")]

    def __str__(self) -> str:
        return str(self.document)


class CellState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    READING = "reading", _("reading")
    QUOTED = "quoted", _("with a quote")
    NOT_STATED = "not_stated", _("not stated")
    NOT_FOUND = "not_found", _("nothing found")
    FAILED = "failed", _("failed")


OPEN = (CellState.WAITING, CellState.READING)
SETTLED = (CellState.QUOTED, CellState.NOT_STATED, CellState.NOT_FOUND)


class CellQuerySet(models.QuerySet["Cell"]):
    def shown(self, table: ReviewTable) -> Self:
        """Those of the table's rows and columns that are shown."""
        return self.filter(row__in=table.listed_rows.shown(), column__in=table.asked_columns.shown())


class Cell(models.Model):
    """What one document says about one question. `read_to`: how much of its text was read for it so far.

    "Not stated" is said only once all of the text was read by a model; searching alone finds nothing or
    something.
    """

    row = models.ForeignKey(Row, models.CASCADE, related_name="filled_cells")
    column = models.ForeignKey(Column, models.CASCADE, related_name="filled_cells")
    state = models.CharField(max_length=12, choices=CellState, default=CellState.WAITING)
    read_to = models.PositiveIntegerField(default=0, help_text="Offset in the document's text.")
    value = models.CharField(
        max_length=LONGEST_VALUE, blank=True, help_text="In the model's words; empty: the quote."
    )
    quote = models.TextField(blank=True, help_text="The document's own words.")
    start = models.PositiveIntegerField(null=True, help_text="Offset in the document's text.")
    end = models.PositiveIntegerField(null=True)
    pages = models.JSONField(default=list, help_text="Numbers of the pages that the quote overlaps.")
    boxes = models.JSONField(default=dict, help_text="{page: [[x0, y0, x1, y1] in 0..1000]}")
    on_page = models.CharField(max_length=10, choices=OnPage, blank=True, help_text="About the quote.")
    support = models.CharField(
        max_length=14, choices=Support, default=Support.NONE, help_text="About the value."
    )
    reason = models.TextField(blank=True, help_text="Why the quote does not support it, or what failed.")
    reason_words = models.JSONField(
        null=True,
        editable=False,
        help_text="What a failure is made of, as localization.stored has it; never words of a document.",
    )

    objects = CellQuerySet.as_manager()

    class Meta:
        ordering = ["row", "column"]
        constraints = [models.UniqueConstraint(fields=["row", "column"], name="one_cell_a_place")]

    def __str__(self) -> str:
        return f"{self.row}: {self.column}"

    @property
    def why(self) -> str:
        """The reason in the reader's language."""
        return told(self.reason, self.reason_words)

    @property
    def said(self) -> str:
        """What the cell shows."""
        return self.value or " ".join(self.quote.split())

    @property
    def is_settled(self) -> bool:
        return self.state in SETTLED


BLANK: dict[str, Any] = {
    "state": CellState.WAITING,
    "read_to": 0,
    "value": "",
    "quote": "",
    "start": None,
    "end": None,
    "pages": [],
    "boxes": {},
    "on_page": "",
    "support": Support.NONE,
    "reason": "",
    "reason_words": None,
}
"""The columns of a cell that is to be read again."""


class PaidReply(PaidReplyRow):
    """A model's reply about a part until its cells are written: a killed filling pays for it once."""

    table = models.ForeignKey(ReviewTable, models.CASCADE, related_name="+")
    row = models.ForeignKey(Row, models.CASCADE, related_name="+")

    class Meta(PaidReplyRow.Meta):
        constraints = [
            models.UniqueConstraint(fields=["table", "row", "key"], name="one_paid_reply_of_a_row")
        ]
