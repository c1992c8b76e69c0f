"""Rows of tables as Markdown under the names of their columns, for models that read them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from ingestion.structure.values import RowKind

LONGEST_CELL = 300  # characters


class Table(Protocol):
    """As much of a table as its Markdown shows: the model, or what a statement has read of it."""

    @property
    def start(self) -> int: ...
    @property
    def heads(self) -> Sequence[str]: ...
    @property
    def caption(self) -> str: ...
    @property
    def unit(self) -> str: ...


class TableRow(Protocol):
    """The same of a row."""

    @property
    def table_id(self) -> int: ...
    @property
    def table(self) -> Table: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def group(self) -> str: ...
    def places(self) -> Iterator[tuple[int, int, int]]: ...


def with_markdown_tables(text: str, start: int, rows: Iterable[TableRow]) -> str:
    """The text with its rows as Markdown in their place; all else stays as it is.

    start: of the text in its document. rows: those of the text, in its order, each with its table.
    """
    parts: list[str] = []
    done, table, group = 0, None, ""
    for row in rows:
        first, last = max(row.start - start, done), min(row.end - start, len(text))
        if first >= last:
            continue
        lines: list[str] = []
        if row.table_id != table:
            table, group = row.table_id, ""
            above = caption(row.table) if row.table.start < start else ""
            lines = [*([above] if above else []), *heads(row.table)]
        if row.kind == RowKind.GROUP:
            group = " ".join(text[first:last].split())
            lines.append(group_line(group, row.table))
        elif row.kind == RowKind.DATA:
            if row.group and not group.startswith(row.group):
                group = row.group
                lines.append(group_line(group, row.table))
            lines.append(row_line(text, start, row))
        parts += [text[done:first].rstrip(" \t"), "\n".join(lines)]
        done = last if lines else last + text.startswith("\n", last)
    return "".join([*parts, text[done:]])


def caption(table: Table) -> str:
    """What is said above it."""
    return " ".join(filter(None, (table.caption, table.unit)))


def heads(table: Table) -> list[str]:
    """The names of the columns, and Markdown's line below them."""
    return [line(table.heads, len(table.heads)), "|" + " --- |" * len(table.heads)]


def group_line(group: str, table: Table) -> str:
    return line([f"**{group}**"], len(table.heads))


def row_line(text: str, start: int, row: TableRow) -> str:
    return line(cell_texts(text, start, row), len(row.table.heads))


def line(cells: Sequence[str], columns: int) -> str:
    padded = [*cells, *[""] * (columns - len(cells))]
    return "| " + " | ".join(cell.replace("|", "/")[:LONGEST_CELL] for cell in padded) + " |"


def cell_texts(text: str, start: int, row: TableRow) -> list[str]:
    """What the text has of each column."""
    said: list[list[str]] = [[] for _ in row.table.heads]
    for first, last, column in row.places():
        words = " ".join(text[max(0, first - start) : max(0, last - start)].split())
        if words and column < len(said):
            said[column].append(words)
    return [" ".join(words) for words in said]
