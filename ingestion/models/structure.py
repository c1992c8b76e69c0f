"""Headings and tables of documents."""

from collections.abc import Iterator

from django.contrib.postgres.fields import ArrayField
from django.db import models

from datasources.models import Document
from ingestion.structure.values import RowKind, places


class Section(models.Model):
    """A heading, and the part of the document below it: from `start` to `end` of its text."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="sections")
    number = models.PositiveIntegerField(help_text="From 1, in reading order.")
    level = models.PositiveSmallIntegerField(help_text="From 1, the outermost.")
    name = models.CharField(max_length=120)
    path = models.CharField(max_length=300, blank=True, help_text="The headings over it, and itself.")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField(help_text="Where the next one begins that is not within it.")
    page = models.PositiveIntegerField(help_text="On which it begins, from 1.")

    class Meta:
        ordering = ["document", "number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="one_section_per_number")]

    def __str__(self) -> str:
        return self.name


class Table(models.Model):
    """The part of a table that stands on one page; start and end are offsets in the document's text."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="tables", db_index=False)
    page = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    heads = models.JSONField(default=list, help_text="The name of each column; the first holds rows' names.")
    heads_at = ArrayField(
        models.IntegerField(),
        default=list,
        help_text="Start and end of each line of heads, one after the other.",
    )
    caption = models.CharField(max_length=200, blank=True)
    unit = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["document", "start"]
        indexes = [models.Index(fields=["document", "start"], name="table_place")]

    def __str__(self) -> str:
        return f"{self.document} p. {self.page}: {self.caption or 'table'}"


class TableRow(models.Model):
    """A row: what is cited as one, with the heads of its table's columns."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="table_rows")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+", db_index=False)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    kind = models.CharField(max_length=5, choices=[(kind.value, kind.value.title()) for kind in RowKind])
    group = models.CharField(max_length=200, blank=True, help_text="The name of the rows that it is among.")
    cells = ArrayField(
        models.IntegerField(),
        help_text="Of each cell: start, end, first and last column; one after the other.",
    )

    class Meta:
        ordering = ["document", "start"]
        indexes = [models.Index(fields=["document", "start"], name="table_row_place")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.start:,}"

    def places(self) -> Iterator[tuple[int, int, int]]:
        """Of each cell where it starts and ends in the document's text, and its (first) column."""
        return places(self.cells)
