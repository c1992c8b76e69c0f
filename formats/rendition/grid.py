"""Rows of cells as a table that can be set: no cell spans what is not there, every row is as wide. Pure."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from formats.base.annotations import Annotation
from formats.base.errors import too_large
from formats.rendition.blocks import Cell, Row, Table

MOST_COLUMNS = 20_000
MOST_SPANNED = 300  # columns; in a wider table each cell is as wide as any other
MOST_ROWS, MOST_CELLS = 250_000, 4_000_000  # of a file
LONG_CELL = 1_500  # characters; a row with a longer one is no row but text side by side
MANY_LINES = 30

Heads = tuple[tuple[int, int], ...]


def check_size(rows: int, cells: int) -> None:
    """Raise ExtractionError where a file has more of them than are read."""
    if rows > MOST_ROWS or cells > MOST_CELLS:
        raise too_large(
            "This file has more than {rows} rows or {cells} cells.", rows=MOST_ROWS, cells=MOST_CELLS
        )


def table_of(
    rows: Sequence[Row],
    *,
    heads: Heads = (),
    numbers: Sequence[int] = (),
    annotations: Mapping[int, Sequence[Annotation]] | None = None,
) -> Table:
    """A column in which no cell with words begins is left out."""
    heads = tuple((start, end) for start, end in heads if start < end < len(rows))
    placed = None
    if any(isinstance(cell, Cell) for row in rows for cell in row):
        placed = _placed(rows, heads)
    made = _without_spans([list(map(str, row)) for row in rows]) if placed is None else _with_spans(placed)
    return Table(rows=made, heads=heads, numbers=tuple(numbers), annotations=annotations or {})


def has_long_cell(row: Row) -> bool:
    return any(len(text) > LONG_CELL or text.count("\n") > MANY_LINES for text in map(str, row))


def _without_spans(rows: Sequence[Sequence[str]]) -> list[Row]:
    filled: set[int] = set()
    for row in rows:
        filled.update(column for column, cell in enumerate(row[:MOST_COLUMNS]) if cell)
    kept = sorted(filled)
    return [tuple(row[column] if column < len(row) else "" for column in kept) for row in rows]


def _with_spans(placed: Sequence[Sequence[tuple[int, Cell]]]) -> list[Row]:
    starts = sorted({column for row in placed for column, cell in row if cell.text})

    def narrowed(row: Sequence[tuple[int, Cell]]) -> Iterator[str | Cell]:
        for column, cell in row:
            if span := bisect_left(starts, column + cell.columns) - bisect_left(starts, column):
                yield (
                    cell.text
                    if span == cell.rows == 1
                    else Cell(text=cell.text, columns=span, rows=cell.rows)
                )

    cells = [tuple(narrowed(row)) for row in placed]
    return [(*row, *[""] * free) for row, free in zip(cells, _free(cells, len(starts)), strict=True)]


def _placed(rows: Sequence[Row], heads: Heads) -> list[list[tuple[int, Cell]]] | None:
    """Each cell with the column in which it begins; what is spanned by one above is skipped. No cell goes on
    beyond the heads that it is of. None for a table that is wider than MOST_SPANNED.
    """
    ends = {row: end for start, end in heads for row in range(start, end)}
    taken: dict[int, int] = {}  # column: rows that it is still covered for
    placed = []
    for number, row in enumerate(rows):
        left = ends.get(number, len(rows)) - number
        column, cells = 0, []
        for each in row:
            cell = Cell(text=each) if isinstance(each, str) else each
            while taken.get(column, 0):
                column += 1
            if column >= MOST_SPANNED:
                return None
            span = 1
            while span < min(cell.columns, MOST_SPANNED - column) and not taken.get(column + span, 0):
                span += 1
            height = max(1, min(cell.rows, left))
            cells.append((column, Cell(text=cell.text, columns=span, rows=height)))
            if height > 1:
                taken |= dict.fromkeys(range(column, column + span), height)
            column += span
        taken = {column: rows_left - 1 for column, rows_left in taken.items() if rows_left > 1}
        placed.append(cells)
    return placed


def _free(rows: Sequence[Row], width: int) -> list[int]:
    """How many columns at the end of each row no cell fills, be it of the row or of one above."""
    taken: dict[int, int] = {}
    free = []
    for row in rows:
        column = 0
        covered = set(taken)
        for each in row:
            columns, height = (1, 1) if isinstance(each, str) else (each.columns, each.rows)
            while column in covered:
                column += 1
            if height > 1:
                taken |= dict.fromkeys(range(column, column + columns), height)
            column += columns
        free.append(sum(place not in covered for place in range(column, width)))
        taken = {place: left - 1 for place, left in taken.items() if left > 1}
    return free
