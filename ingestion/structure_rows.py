"""Headings and tables of documents as rows: made from their pages, dropped and made again."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import islice

from django.db import connection

from datasources.models import Document
from formats.base.layout import Layout
from ingestion.chunks.chunking import PAGE_JOINER, page_at
from ingestion.models import Page, Section, Table, TableRow
from ingestion.structure import values
from ingestion.structure.block_tables import block_tables
from ingestion.structure.headings import Outline, paths
from ingestion.structure.printed_tables import printed_tables
from ingestion.structure.values import RowKind

PAGES_AT_ONCE = 25
MOST_SECTIONS = 10_000
MARGIN = 250  # characters of heads and feet between two parts of one table
LONGEST = 200  # characters of a caption, a unit, a group
ROW_COLUMNS = (
    ("table_id", "int8"),
    ("document_id", "int8"),
    ("start", "int4"),
    ("end", "int4"),
    ("kind", "varchar"),
    ("group", "varchar"),
    ("cells", "int4[]"),
)

Writing = Callable[[], AbstractContextManager[object]]


def rebuild(document: Document, writing: Writing = nullcontext) -> None:
    """Where each page begins, the document's headings and its tables, in place of what was there.

    writing: the transaction for each batch of pages; it may raise where the document is another run's.
    """
    with writing():
        document.sections.all().delete()
        TableRow.objects.filter(document=document).delete()
        document.tables.all().delete()
    outline, starts, length = Outline(), list[int](), 0
    before: _Placed | None = None
    pages = document.pages.order_by("number").iterator(chunk_size=PAGES_AT_ONCE)
    while batch := list(islice(pages, PAGES_AT_ONCE)):
        placed: list[_Placed] = []
        for page in batch:
            page.start = length
            starts.append(length)
            length += len(page.text) + len(PAGE_JOINER)
            layout = Layout.from_json(page.layout)
            tables = tables_of(page, layout)
            for table in tables:
                before = _under_heads(_Placed(page=page, table=table), before)
                placed.append(before)
            outline.add(page.text, page.start, layout, tables, page.address)
        with writing():
            Page.objects.bulk_update(batch, ["start"])
            _store(document, placed)
    with writing():
        Section.objects.bulk_create(_sections(document, outline, starts, length), batch_size=1000)


def tables_of(page: Page, layout: Layout) -> list[values.Table]:
    """Offsets are in the page's text."""
    if layout.block_lines is not None:
        return block_tables(page.text, layout.block_lines)
    found = block_tables(page.text, layout.rows, guesses_heads=False)
    text = page.text
    for table in found:  # none of its words is looked at again
        text = text[: table.start] + " " * (table.end - table.start) + text[table.end :]
    found += printed_tables(text, bytes(page.boxes), page.width, page.height)
    return sorted(found, key=lambda table: table.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A part of a table on its page. above: the part whose heads it is under, None: its own."""

    page: Page
    table: values.Table
    above: "_Placed | None" = None

    @property
    def heads(self) -> tuple[str, ...]:
        return self.above.heads if self.above else self.table.heads

    @property
    def heads_at(self) -> list[int]:
        if self.above:
            return self.above.heads_at
        start, rows = self.page.start, self.table.rows
        return [start + at for row in rows if row.kind == RowKind.HEAD for at in (row.start, row.end)]


def _under_heads(part: _Placed, before: _Placed | None) -> _Placed:
    """Without heads of its own, a part at the top of a page goes on with the table at the end of the last."""
    table = part.table
    if any(table.heads) or before is None or len(before.heads) != len(table.heads):
        return part
    follows = part.page.number == before.page.number + 1
    at_top = len(part.page.text[: table.start].strip()) <= MARGIN
    at_end = len(before.page.text[before.table.end :].strip()) <= MARGIN
    same = table.number and table.number == before.table.number
    return replace(part, above=before.above or before) if follows and (same or (at_top and at_end)) else part


def _store(document: Document, placed: Sequence[_Placed]) -> None:
    made = Table.objects.bulk_create(
        Table(
            document=document,
            page=part.page.number,
            start=part.page.start + part.table.start,
            end=part.page.start + part.table.end,
            heads=list(part.heads),
            heads_at=part.heads_at,
            caption=part.table.caption[:LONGEST],
            unit=part.table.unit[:LONGEST],
        )
        for part in placed
    )
    names = ", ".join(f'"{name}"' for name, _ in ROW_COLUMNS)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY ingestion_tablerow ({names}) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types([kind for _, kind in ROW_COLUMNS])
        for table, part in zip(made, placed, strict=True):
            start = part.page.start
            for row in part.table.rows:
                cells = [
                    value
                    for cell in row.cells
                    for value in (start + cell.start, start + cell.end, cell.column, cell.last)
                ]
                place = start + row.start, start + row.end
                copy.write_row((table.pk, document.pk, *place, row.kind.value, row.group[:LONGEST], cells))


def _sections(document: Document, outline: Outline, starts: Sequence[int], length: int) -> Iterator[Section]:
    headings = list(islice(paths(outline.headings()), MOST_SECTIONS))
    ends = [length] * len(headings)
    open_ones: list[int] = []
    for place, (heading, _) in enumerate(headings):
        while open_ones and headings[open_ones[-1]][0].level >= heading.level:
            ends[open_ones.pop()] = heading.start
        open_ones.append(place)
    for number, ((heading, path), end) in enumerate(zip(headings, ends, strict=True), start=1):
        yield Section(
            document=document,
            number=number,
            level=heading.level,
            name=heading.name,
            path=path,
            start=heading.start,
            end=end,
            page=page_at(starts, heading.start),
        )
