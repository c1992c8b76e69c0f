"""The rows of a document's tables as its chunks have them, for the rules."""

from bisect import bisect_left
from collections.abc import Sequence

from graph.extraction.rules.rows import Row
from ingestion.models import Chunk, TableRow
from ingestion.structure.values import RowKind


def rows_of(document: int, chunks: Sequence[Chunk]) -> list[list[Row]]:
    """For each chunk the rows that it holds whole, in offsets of its text."""
    if not any("\t" in chunk.text for chunk in chunks):
        return [[] for _ in chunks]
    kept = TableRow.objects.filter(document=document, kind=RowKind.DATA).select_related("table")
    rows = list(kept.order_by("start"))
    starts = [row.start for row in rows]
    found = []
    for chunk in chunks:
        inside = rows[bisect_left(starts, chunk.start) : bisect_left(starts, chunk.end)]
        found.append([_within(row, chunk.start) for row in inside if row.end <= chunk.end])
    return found


def _within(row: TableRow, offset: int) -> Row:
    heads = row.table.heads
    return Row(
        start=row.start - offset,
        end=row.end - offset,
        columns=tuple(
            (start - offset, end - offset, heads[column] if column < len(heads) else "")
            for start, end, column in row.places()
        ),
    )
