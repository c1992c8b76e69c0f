"""The tables of a datasource in a list: what each has in numbers, counted by the database for all at once."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from datasources.models import Datasource
from desks.tables.models import Cell, Column, ReviewTable, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTable:
    """quoted: its cells with a quote."""

    table: ReviewTable
    rows: int
    columns: int
    quoted: int

    @property
    def cells(self) -> int:
        return self.rows * self.columns


def listed_tables(datasource: Datasource) -> list[ListedTable]:
    """With what their pages show: without what was removed, or whose document was deleted."""
    here = {"table__datasource": datasource}
    shown_rows, shown_columns = Row.objects.shown().filter(**here), Column.objects.shown().filter(**here)
    rows, columns = _by_table(shown_rows, "table"), _by_table(shown_columns, "table")
    quoted = _by_table(
        Cell.objects.filter(row__in=shown_rows, column__in=shown_columns).exclude(quote=""), "row__table"
    )
    return [
        ListedTable(
            table=table,
            rows=rows.get(table.pk, 0),
            columns=columns.get(table.pk, 0),
            quoted=quoted.get(table.pk, 0),
        )
        for table in datasource.review_tables.all()
    ]


def _by_table(rows: QuerySet[Row] | QuerySet[Column] | QuerySet[Cell], table: str) -> dict[int, int]:
    return dict(rows.order_by().values_list(table).annotate(count=Count("pk")))
