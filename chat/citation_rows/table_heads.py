"""The column headings above a quote that is a row of a table: their words and their places."""

from dataclasses import dataclass, field

from chat.citation_rows.as_read import cells_of
from chat.models import Citation
from ingestion.models import TableRow
from ingestion.structure.values import RowKind
from reader import page_images
from retrieval.tables import HEADS_JOINER, named_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHeads:
    """`text`: "July 1, 2023 | June 25, 2022"; `boxes`: by page. Both empty when the quote is no row.

    group: what names the rows that it is among. cells: of a quote that is one row, each with its head.
    """

    text: str = ""
    group: str = ""
    cells: tuple[tuple[str, str], ...] = ()
    boxes: dict[int, list[list[float]]] = field(default_factory=dict)


def table_heads(citation: Citation) -> TableHeads:
    """Those of the first row that overlaps the quote."""
    if citation.document is None or citation.start is None or citation.end is None:
        return TableHeads()
    rows = TableRow.objects.filter(
        document=citation.document, kind=RowKind.DATA, start__lt=citation.end, end__gt=citation.start
    )
    row = rows.select_related("table").first()
    if row is None or not (named := named_columns(row.table.heads)):
        return TableHeads()
    spans = list(zip(row.table.heads_at[::2], row.table.heads_at[1::2], strict=True))
    boxes = page_images.places(citation.document, spans) if spans else {}
    text = HEADS_JOINER.join(filter(None, (row.table.heads[0], named)))
    group = row.group.rstrip(" :")
    heads = row.table.heads
    is_row = row.start <= citation.start and citation.end <= row.end and not citation.masked
    cells = cells_of(citation.quote, citation.start, row) if is_row else ()
    return TableHeads(
        text=text,
        boxes=boxes,
        group=group,
        cells=tuple((heads[n] if n < len(heads) else "", cell) for n, cell in cells if cell),
    )
