"""Rows of cells as a table that can be set: no cell spans what is not there, every row is as wide. Pure."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from formats.rendition.blocks import Cell, Table

MOST_COLUMNS = 20_000
LONG_CELL = 1_500  # characters; a row with a longer one is no row but text side by side
MANY_LINES = 30


def table_of(rows: Sequence[Sequence[Cell]], *, headers: int = 0, numbers: Sequence[int] = ()) -> Table:
    """A column in which no cell with words begins is left out."""
    placed = _placed(rows, headers)
    starts = sorted({column for row in placed for column, cell in row if cell.text})

    def narrowed_cells(row: Sequence[tuple[int, Cell]]) -> Iterator[Cell]:
        for column, cell in row:
            if span := bisect_left(starts, column + cell.columns) - bisect_left(starts, column):
                yield replace(cell, columns=span)

    narrowed = [list(narrowed_cells(row)) for row in placed]
    return Table(
        rows=tuple(
            (*row, *[Cell(text="")] * free)
            for row, free in zip(narrowed, _free(narrowed, len(starts)), strict=True)
        ),
        headers=min(headers, len(placed)),
        numbers=tuple(numbers),
    )


def has_long_cell(row: Sequence[Cell]) -> bool:
    return any(len(cell.text) > LONG_CELL or cell.text.count("\n") > MANY_LINES for cell in row)


def _placed(rows: Sequence[Sequence[Cell]], headers: int) -> list[list[tuple[int, Cell]]]:
    """Each cell with the column in which it begins; what is spanned by one above is skipped."""
    taken: dict[int, int] = {}  # column: rows that it is still covered for
    placed = []
    for number, row in enumerate(rows):
        left = (headers if number < headers else len(rows)) - number
        column, cells = 0, []
        for cell in row:
            while taken.get(column, 0):
                column += 1
            if column >= MOST_COLUMNS:
                break
            span = 1
            while span < min(cell.columns, MOST_COLUMNS - column) and not taken.get(column + span, 0):
                span += 1
            height = max(1, min(cell.rows, left))
            cells.append((column, replace(cell, columns=span, rows=height)))
            if height > 1:
                taken |= dict.fromkeys(range(column, column + span), height)
            column += span
        taken = {column: rows_left - 1 for column, rows_left in taken.items() if rows_left > 1}
        placed.append(cells)
    return placed


def _free(rows: Sequence[Sequence[Cell]], width: int) -> list[int]:
    """How many columns at the end of each row no cell fills, be it of the row or of one above."""
    taken: dict[int, int] = {}
    free = []
    for row in rows:
        column = 0
        covered = set(taken)
        for cell in row:
            while column in covered:
                column += 1
            taken |= dict.fromkeys(range(column, column + cell.columns), cell.rows)
            column += cell.columns
        free.append(sum(place not in covered for place in range(column, width)))
        taken = {place: left - 1 for place, left in taken.items() if left > 1}
    return free
