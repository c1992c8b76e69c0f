"""The text of a page with its tables row by row: a row is a line, its cells end with tabs. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from formats.pdf.page_text.clean import Boxes
from formats.pdf.page_text.pieces import Piece
from text.normal_forms.spaceless import line_end

_AS_SPACES = str.maketrans("\t\n", "  ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """rows: of each column the pieces of its cell, in reading order. heads: whether it names columns."""

    rows: Sequence[Sequence[Sequence[Piece]]]
    heads: Sequence[bool] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """start, end: in the page's text. table: its number on the page, from 1."""

    start: int
    end: int
    table: int
    is_head: bool


@dataclass(slots=True, kw_only=True)
class _Written:
    """places: of each character in the text before, -1: it is a new one."""

    text: str
    parts: list[str] = field(default_factory=list)
    places: list[NDArray[np.intp]] = field(default_factory=list)
    length: int = 0

    def keep(self, start: int, end: int) -> None:
        self.parts.append(self.text[start:end])
        self.places.append(np.arange(start, end))
        self.length += end - start

    def add(self, letter: str) -> None:
        self.parts.append(letter)
        self.places.append(np.full(len(letter), -1))
        self.length += len(letter)

    def end_line(self) -> None:
        last = next((part for part in reversed(self.parts) if part), "\n")
        if not last.endswith("\n"):
            self.add("\n")


def with_tables(
    text: str, boxes: Boxes, tables: Sequence[Found]
) -> tuple[str, Boxes, tuple[PrintedRow, ...]]:
    """Each table stands where its first character stood. boxes: (n, 5), see prose_tables.in_cells."""
    owner = np.zeros(len(text), dtype=np.intp)  # of each character, the number of its table, 0: none
    for number, table in enumerate(tables, start=1):
        for piece in _pieces(table):
            owner[piece.start : piece.end] = number
    written, rows = _Written(text=text), list[PrintedRow]()
    done = set[int]()
    for start, end in _runs(owner):
        number = int(owner[start])
        if not number:
            if text[start:end].strip():
                _keep_lines(written, start, end, follows=bool(start and owner[start - 1]))
            elif not (start and owner[start - 1]):
                written.keep(start, end)
        elif number not in done:
            done.add(number)
            written.end_line()
            rows += _rows(written, tables[number - 1], number)
    order = np.concatenate(written.places)
    moved = boxes[order]
    moved[order < 0] = 0
    for row in rows:  # one printed line, however many it was
        moved[row.start + 1 : row.end, 4] = 0
    return "".join(written.parts), moved, tuple(rows)


def _pieces(table: Found) -> Iterator[Piece]:
    return (piece for row in table.rows for cell in row for piece in cell)


def _runs(owner: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    ends = [*(np.flatnonzero(np.diff(owner)) + 1).tolist(), len(owner)]
    start = 0
    for end in ends:
        yield start, end
        start = end


def _keep_lines(written: _Written, start: int, end: int, *, follows: bool) -> None:
    """What stands between tables, on lines of its own. follows: a table ends before it."""
    said = written.text[start:end]
    if follows:
        start += len(said) - len(said.lstrip())
        written.end_line()
    written.keep(start, end)


def _rows(written: _Written, table: Found, number: int) -> Iterator[PrintedRow]:
    """Writes them."""
    for row, is_head in zip(table.rows, table.heads, strict=True):
        written.end_line()
        start = written.length
        last = max(column for column, cell in enumerate(row) if cell)
        for column, cell in enumerate(row[: last + 1]):
            if column:
                written.add("\t")
            _write_cell(written, cell)
        yield PrintedRow(start=start, end=written.length, table=number, is_head=is_head)
    written.end_line()


def _write_cell(written: _Written, cell: Sequence[Piece]) -> None:
    for place, piece in enumerate(cell):
        if place:
            written.add(line_end(written.text[cell[place - 1].end - 1], written.text[piece.start]))
        written.keep(piece.start, piece.end)
        written.parts[-1] = written.parts[-1].translate(_AS_SPACES)
