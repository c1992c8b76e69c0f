"""A quote as people read it: cells of a table's rows are separated by bars."""

from collections.abc import Iterator

from chat.models import Citation
from ingestion.models import TableRow
from text.tables.table_lines import cell


def as_read(citation: Citation) -> str:
    """The quote; text outside table rows is unchanged."""
    quote, start, end = citation.quote or citation.written, citation.start, citation.end
    if citation.document_id is None or start is None or end is None or citation.masked:
        return quote
    rows = TableRow.objects.filter(document=citation.document_id, start__lt=end, end__gt=start)
    parts, done = [], start
    for row in rows.order_by("start"):
        parts += [
            quote[done - start : max(0, row.start - start)],
            " | ".join(cell for _, cell in cells_of(quote, start, row)),
        ]
        done = max(done, min(row.end, end))
    return "".join([*parts, quote[done - start :]])


def cells_of(quote: str, start: int, row: TableRow) -> Iterator[tuple[int, str]]:
    """The number of each column with its words in a quote that begins at `start` of the document. Columns
    without words between two others are empty.
    """
    said: dict[int, list[str]] = {}
    for first, last, column in row.places():
        if words := quote[max(0, first - start) : max(0, last - start)].strip():
            said.setdefault(column, []).append(words)
    return (
        (n, cell(" ".join(said.get(n, [])))) for n in range(min(said, default=0), max(said, default=-1) + 1)
    )
