"""Tables whose cells are words of several lines: where they are on a page, and their text row by row, a tab
after each cell. Pure.

Tables of figures are left as they are: each of their rows is a line already.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

import numpy as np

from english.printed_values import DATE, FIGURE
from formats.pdf.page_text import text_columns
from formats.pdf.page_text.clean import Boxes
from formats.pdf.page_text.pieces import Piece, Pieces, pieces
from formats.pdf.page_text.ruling import Grid, Ruling, grids
from formats.pdf.page_text.table_heads import heads_of
from formats.pdf.page_text.table_text import Found, PrintedRow, with_tables

MOST_LETTERS = 20_000  # of a page; one with more is left as it is
MOST_LINES = 60  # of a cell
USUAL_LINES = 12  # of most cells, at most: columns of prose have more
FILLED = 0.6  # of the rows have two cells or more
FIGURES = 0.5  # of the cells right of the first; more make a table of figures
WRAPPED = 2  # rows with a cell of several lines, where no lines make a grid
OFTEN = 0.25  # of the rows, likewise
ALIGNED = 0.5  # of the pieces of a column begin below each other, end so, or have their middles so
SLACK = 2.0  # points
RUNNING_HEAD = 250  # letters at the top of a page that may be repeated on each
CUT = 0.1  # of the places between two cells are within a word: more make it a drawing
THICK = 0.45  # of the cells have words; in a drawing fewer have
ITEMS = 0.6  # of the first cells that are bullets or numbers: a list with its signs set apart

_ITEM = re.compile(
    r"(?:(?:\W{1,2}|o|\(?(?:[A-Za-z]|[ivxlcIVXLC]+|\d{1,3})[.):]|\[?\d{1,3}\]?\.?"
    r"|\[[^\]]{1,12}\]|(?:\d{1,3}\.)+\d*|\(\w{1,3}\))(?: |$))+"
)


_BULLETS = re.compile(r"(?:\W|o)(?: (?:\W|o))*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The page. width, height: in points. bold: whether a printed line is, by its number from 1. number: of
    the page, from 1.
    """

    width: float
    height: float
    bold: Sequence[bool]
    number: int


def in_cells(
    text: str, boxes: Boxes, sheet: Sheet, lines: Ruling
) -> tuple[str, Boxes, tuple[PrintedRow, ...]]:
    """The text and its boxes with the rows of such tables in their order, and where those are.

    boxes: (n, 5), fractions of the page, and the number from 1 of the printed line that a character begins.
    """
    parts = pieces(text, boxes, sheet.width, sheet.height)
    if parts is None or len(parts.places) > MOST_LETTERS or not (parts.beside or lines.down):
        return text, boxes, ()
    found = list(_tables(text, parts, lines))
    if not found:
        return text, boxes, ()
    named = [
        replace(
            table,
            heads=heads_of(table.rows, text, boxes, sheet.bold, lines, _is_below_text(table, parts, sheet)),
        )
        for table in found
    ]
    return with_tables(text, boxes, named)


def _is_below_text(table: Found, parts: Pieces, sheet: Sheet) -> bool:
    """Whether the table can't be the rest of one that began on the page before."""
    top = min(piece.y0 for cell in table.rows[0] for piece in cell)
    return sheet.number == 1 or int((parts.boxes[:, 3] < top).sum()) > RUNNING_HEAD


def _tables(text: str, parts: Pieces, lines: Ruling) -> Iterator[Found]:
    taken = np.zeros(len(parts.places), dtype=bool)
    for grid in grids(lines) if len(lines.down) else ():
        inner, rows = _ruled(parts, grid, taken)
        if _is_ruled_table(rows, text):
            taken |= inner
            yield Found(rows=rows)
    free = [piece for piece in parts if not taken[np.searchsorted(parts.places, piece.start)]]
    if parts.beside < WRAPPED:
        return
    for rows in text_columns.tables(free, parts.letter, lines):
        if _is_table(rows, text):
            yield Found(rows=rows)


# --- ruled tables ----------------------------------------------------------------------------------------
def _ruled(parts: Pieces, grid: Grid, taken: np.ndarray) -> tuple[np.ndarray, list[text_columns.Row]]:
    """Which letters are within the grid, and its rows and columns that have words."""
    x, y = (parts.boxes[:, 0] + parts.boxes[:, 2]) / 2, (parts.boxes[:, 1] + parts.boxes[:, 3]) / 2
    column, row = np.searchsorted(grid.xs, x) - 1, np.searchsorted(grid.ys, y) - 1
    inside = (column >= 0) & (column < len(grid.xs) - 1) & (row >= 0) & (row < len(grid.ys) - 1) & ~taken
    cells = np.full((len(x), 2), -1, dtype=np.intp)
    cells[inside] = grid.cell_of[row[inside], column[inside]]
    parted = np.flatnonzero((cells[1:] != cells[:-1]).any(axis=1)) + 1
    finer = replace(parts, firsts=np.union1d(parts.firsts, parted))
    rows: dict[int, dict[int, list[Piece]]] = {}
    for piece, (place, number) in zip(finer, cells[finer.firsts].tolist(), strict=True):
        if place >= 0:
            rows.setdefault(place, {}).setdefault(number, []).append(piece)
    columns = sorted({number for cells_of_row in rows.values() for number in cells_of_row})
    return inside, [[rows[place].get(number, []) for number in columns] for place in sorted(rows)]


def _is_ruled_table(rows: Sequence[text_columns.Row], text: str) -> bool:
    full = [row for row in rows if _count(row) > 1]
    if len(full) < 2 or _goes_back(rows) or not _is_of_words(rows, text) or _cuts_words(rows, text):
        return False
    return any(_wraps(row) for row in rows) or any(_is_glued(row, text) for row in full)


def _goes_back(rows: Sequence[text_columns.Row]) -> bool:
    """Whether a grid of one row below its heads has several that no lines part: each of its cells is drawn in
    parts then, with other cells between them.
    """
    if len(rows) > 2:
        return False
    for row in rows:
        drawn = sorted((piece.start, column) for column, cell in enumerate(row) for piece in cell)
        if sum(after[1] < before[1] for before, after in pairwise(drawn)) > 1:
            return True
    return False


def _cuts_words(rows: Sequence[text_columns.Row], text: str) -> bool:
    """Whether lines of a drawing go through words: they part no cells."""
    gaps = [gap for row in rows for gap in _gaps(row, text)]
    return gaps.count("") > CUT * len(gaps)


def _is_glued(row: text_columns.Row, text: str) -> bool:
    """Whether the text has two cells as words of one sentence."""
    return any(gap == " " for gap in _gaps(row, text))


def _gaps(row: text_columns.Row, text: str) -> list[str]:
    """What the text has between two pieces of different cells."""
    spans = sorted((piece.start, piece.end, column) for column, cell in enumerate(row) for piece in cell)
    return [text[one[1] : other[0]] for one, other in pairwise(spans) if one[2] != other[2]]


# --- what is a table -------------------------------------------------------------------------------------
def _is_table(rows: Sequence[text_columns.Row], text: str) -> bool:
    full = sum(_count(row) > 1 for row in rows)
    wrapped = sum(_wraps(row) for row in rows)
    if full < FILLED * len(rows) or wrapped < max(WRAPPED, OFTEN * len(rows)) or not _is_of_words(rows, text):
        return False
    return _are_aligned(rows) and not _is_list(rows, text)


def _is_of_words(rows: Sequence[text_columns.Row], text: str) -> bool:
    """Whether most cells are words, few are empty, and none is a column of a page."""
    said = [_said(cell, text) for row in rows for cell in row[1:] if cell]
    lines = [_lines(cell) for row in rows for cell in row if cell]
    figures = sum(bool(DATE.fullmatch(each)) or all(map(FIGURE.fullmatch, each.split())) for each in said)
    return (
        bool(said)
        and sum(map(_count, rows)) >= THICK * len(rows) * len(rows[0])
        and figures < FIGURES * len(said)
        and max(lines) <= MOST_LINES
        and median(lines) <= USUAL_LINES
    )


def _are_aligned(rows: Sequence[text_columns.Row]) -> bool:
    for column in range(len(rows[0])):
        inner = [piece for row in rows for piece in row[column]]
        ways = ([p.x0 for p in inner], [p.x1 for p in inner], [(p.x0 + p.x1) / 2 for p in inner])
        if max(_share(places) for places in ways) < ALIGNED:
            return False
    return True


def _share(places: Sequence[float]) -> float:
    """Of the places that are near the most frequent one."""
    return max(sum(abs(place - other) <= SLACK for other in places) for place in places[:20]) / len(places)


def _is_list(rows: Sequence[text_columns.Row], text: str) -> bool:
    for column in range(len(rows[0]) - 1):
        said = [_said(row[column], text) for row in rows if row[column]]
        if said and all(map(_BULLETS.fullmatch, said)):
            return True
    if len(rows[0]) > 2:
        return False
    first = [_said(row[0], text) for row in rows if row[0]]
    return sum(bool(_ITEM.fullmatch(each)) for each in first) > ITEMS * len(first)


def _count(row: text_columns.Row) -> int:
    return sum(bool(cell) for cell in row)


def _wraps(row: text_columns.Row) -> bool:
    """Whether a cell right of the first has several lines."""
    return any(_lines(cell) > 1 for cell in row[1:])


def _lines(cell: Sequence[Piece]) -> int:
    count, bottom = 0, float("-inf")
    for piece in cell:
        if piece.middle > bottom:
            count, bottom = count + 1, piece.y1
    return count


def _said(cell: Sequence[Piece], text: str) -> str:
    return " ".join(" ".join(text[piece.start : piece.end].split()) for piece in cell)
