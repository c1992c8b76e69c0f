"""Tables of documents by questions, and what each cell has: a value, the quote that proves it, or a blank."""

from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models

from chat.models import OnPage, Support
from datasources.models import Datasource, Document, DocumentStatus
from jobs.models import FencedRow

if TYPE_CHECKING:
    from accounts.models import User


class TableStatus(models.TextChoices):
    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Reading"
    DONE = "done", "Done"
    HELD = "held", "Stopped at its budget"
    STOPPED = "stopped", "Stopped"
    FAILED = "failed", "Failed"


class ReviewTableQuerySet(models.QuerySet["ReviewTable"]):
    def visible_to(self, user: "User") -> Self:
        return self.filter(datasource__in=Datasource.objects.visible_to(user))


class ReviewTable(FencedRow):
    """Documents of one datasource, and what is asked of each. Its job fills the open cells."""

    unfinished = (TableStatus.QUEUED, TableStatus.RUNNING)

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="review_tables")
    name = models.CharField(max_length=120)
    status = models.CharField(max_length=12, choices=TableStatus, default=TableStatus.DONE)
    quotes_only = models.BooleanField(default=False, help_text="Filled without a language model.")
    reader = models.CharField(max_length=200, blank=True, help_text="The model that has read last.")
    token_budget = models.PositiveBigIntegerField(null=True, blank=True)
    tokens = models.PositiveBigIntegerField(default=0, help_text="That reading has cost so far.")
    money = models.DecimalField(max_digits=14, decimal_places=8, null=True, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = ReviewTableQuerySet.as_manager()

    class Meta:
        ordering = ["-updated", "-pk"]

    def __str__(self) -> str:
        return self.name


class Column(models.Model):
    """One thing that is asked of every document."""

    table = models.ForeignKey(ReviewTable, models.CASCADE, related_name="asked_columns")
    place = models.PositiveIntegerField(help_text="From 0, from the left.")
    name = models.CharField(max_length=60)
    question = models.CharField(max_length=300, help_text="What is asked, in a sentence.")

    class Meta:
        ordering = ["place", "pk"]

    def __str__(self) -> str:
        return self.name


class RowQuerySet(models.QuerySet["Row"]):
    def shown(self) -> Self:
        """Without documents that are deleted, or not read to the end."""
        return self.filter(document__status__in=(DocumentStatus.READY, DocumentStatus.SUPERSEDED))


class Row(models.Model):
    """One document in a table."""

    table = models.ForeignKey(ReviewTable, models.CASCADE, related_name="listed_rows")
    document = models.ForeignKey(Document, models.CASCADE, related_name="rows_of_tables")
    place = models.PositiveIntegerField(help_text="From 0, from the top.")

    objects = RowQuerySet.as_manager()

    class Meta:
        ordering = ["place", "pk"]
        constraints = [models.UniqueConstraint(fields=["table", "document"], name="one_row_a_document")]

    def __str__(self) -> str:
        return str(self.document)


class CellState(models.TextChoices):
    WAITING = "waiting", "waiting"
    READING = "reading", "reading"
    QUOTED = "quoted", "with a quote"
    NOT_STATED = "not_stated", "not stated"
    NOT_FOUND = "not_found", "nothing found"
    FAILED = "failed", "failed"


SETTLED = (CellState.QUOTED, CellState.NOT_STATED, CellState.NOT_FOUND)


class Cell(models.Model):
    """What one document says on one thing asked. `read_to`: how much of its text was read for it so far.

    "Not stated" is said only once all of the text was read by a model; searching alone finds nothing or
    something.
    """

    row = models.ForeignKey(Row, models.CASCADE, related_name="filled_cells")
    column = models.ForeignKey(Column, models.CASCADE, related_name="filled_cells")
    state = models.CharField(max_length=12, choices=CellState, default=CellState.WAITING)
    read_to = models.PositiveIntegerField(default=0, help_text="Offset in the document's text.")
    value = models.CharField(max_length=600, blank=True, help_text="In the model's words; empty: the quote.")
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

    class Meta:
        ordering = ["row", "column"]
        constraints = [models.UniqueConstraint(fields=["row", "column"], name="one_cell_a_place")]

    def __str__(self) -> str:
        return f"{self.row}: {self.column}"

    @property
    def said(self) -> str:
        """What stands in the cell."""
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
}
"""The columns of a cell that is to be read again."""
