"""The tables in passages: as Markdown for models, and the names of their columns."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ingestion.chunks.table_markdown import caption, group_line, heads, row_line
from ingestion.structure.values import RowKind, places
from retrieval.evidence import Evidence, TableLine
from retrieval.sql import query

HEADS_JOINER = " | "


class _Table(NamedTuple):
    start: int
    heads: list[str]
    caption: str
    unit: str


class _Row(NamedTuple):
    """A search reads hundreds: as models they would take longer to make than to read."""

    table_id: int
    table: _Table
    start: int
    end: int
    kind: str
    group: str
    cells: list[int]

    def places(self) -> Iterator[tuple[int, int, int]]:
        return places(self.cells)


def with_tables(passages: Sequence[Evidence]) -> list[Evidence]:
    """The passages; each that has rows of a table has them as Markdown, and one that begins within a table
    the heads of its columns.
    """
    rows = _rows_of([passage for passage in passages if "\t" in passage.text])
    return [_with_tables(passage, rows.get(passage.chunk_id, ())) for passage in passages]


def _rows_of(passages: Sequence[Evidence]) -> dict[int, list[_Row]]:
    """By chunk, in their order."""
    if not passages:
        return {}
    rows = query(
        "rows_of_tables",
        chunks=[passage.chunk_id for passage in passages],
        documents=[passage.document_id for passage in passages],
        starts=[passage.start for passage in passages],
        ends=[passage.end for passage in passages],
    )
    tables = _tables({table for _, table, *_ in rows})
    found: dict[int, list[_Row]] = {}
    for chunk, table, *told in rows:
        if table in tables:
            found.setdefault(chunk, []).append(_Row(table, tables[table], *told))
    return found


def _tables(numbers: set[int]) -> dict[int, _Table]:
    """Less those that were deleted meanwhile."""
    if not numbers:
        return {}
    rows = query("tables_of_rows", tables=list(numbers))
    return {number: _Table(start, json.loads(heads), *told) for number, start, heads, *told in rows}


def _with_tables(passage: Evidence, rows: Sequence[_Row]) -> Evidence:
    if not rows:
        return passage
    first = rows[0]
    within = first.table.start < passage.start and first.kind == RowKind.DATA
    heads = named_columns(first.table.heads) if within else ""
    return replace(passage, table_heads=heads, table=tuple(_lines(passage.text, passage.start, rows)))


def named_columns(heads: Sequence[str]) -> str:
    """“July 1, 2023 | June 25, 2022”; empty where no column has a name."""
    values = list(heads[1:])
    return HEADS_JOINER.join(values) if any(values) else ""


def markdown(passage: Evidence, text: str) -> str:
    """The passage's table rows that are in `text`, which may be a part of it."""
    shown = [line for line in passage.table if not line.row or line.row in text]
    return "\n".join(line.markdown for line in shown) if any(line.row for line in shown) else ""


def _lines(text: str, start: int, rows: Iterable[_Row]) -> Iterator[TableLine]:
    """The rows as far as they are in the text, which begins at `start` of its document."""
    table, group = None, ""
    for row in rows:
        if row.table_id != table:
            if table is not None:
                yield TableLine(markdown="")
            table, group = row.table_id, ""
            for line in filter(None, (caption(row.table), *heads(row.table))):
                yield TableLine(markdown=line)
        said = text[max(0, row.start - start) : max(0, row.end - start)].strip()
        if row.kind != RowKind.DATA or not said:
            continue
        if row.group and row.group != group:
            yield TableLine(markdown=group_line(row.group, row.table))
        group = row.group
        yield TableLine(markdown=row_line(text, start, row), row=said)
