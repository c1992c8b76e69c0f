"""What the structure of a page is made of: tables with their rows and cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """`start` is its offset in the document's text; `level` counts from 1, the outermost."""

    start: int
    level: int
    name: str


class RowKind(StrEnum):
    HEAD = "head"  # names columns
    GROUP = "group"  # names the rows below it
    DATA = "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """start, end: in the text. column: from 0, which holds the rows' names. last: the last column it stands
    over, where it spans several.
    """

    start: int
    end: int
    column: int
    last: int


def places(cells: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Of each cell where it starts and ends in the document's text, and its (first) column; `cells` as a row
    of a table is stored: start, end, first and last column of each, one after the other.
    """
    return zip(cells[::4], cells[1::4], cells[2::4], strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """start, end: in the text, with all lines of a wrapped row. group: names the rows that it is among."""

    start: int
    end: int
    kind: RowKind
    cells: tuple[Cell, ...]
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The part of a table that stands on one page. heads: the name of each column, the first is that of the
    rows' names; all may be empty. caption: what is said above it. number: the same for parts of one table.
    """

    rows: tuple[TableRow, ...]
    heads: tuple[str, ...]
    caption: str = ""
    unit: str = ""
    number: int = 0

    @property
    def start(self) -> int:
        return self.rows[0].start

    @property
    def end(self) -> int:
        return max(row.end for row in self.rows)
