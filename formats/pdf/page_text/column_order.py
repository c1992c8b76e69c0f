"""Tables that a PDF draws column by column: their text is put in the order of their rows. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from english.printed_values import DATE, FIGURE
from formats.pdf.page_text.clean import Boxes

MOST_LINES = 2_000  # of a page; one with more is left as it is
MOST_COLUMNS = 40
MOST_TRIES = 200  # of a page, to find where a table begins
ALIGNED = 0.6  # of a column's lines that stand beside those of another column
BESIDE = 0.5  # of the lower of two heights: lines that overlap by more are of one row
APART = 0.3  # heights between the cells of a row; letters that are raised or lowered stand closer
FEWEST_ROWS = 2
FEWEST_DATED = 3  # rows of a name and a date; fewer may be the heads of columns
PROSE_WIDTH = 15.0  # heights of a line
FULL, MOSTLY = 0.85, 0.6  # of the widest line; of the lines: so much and so many are prose
LOWER_CASE = 0.5  # of the lines; prose goes on in small letters
FEWEST_HEADS = 3  # columns of words; two may be addresses beside each other
FILLED = 0.8  # of the rows of a table of words have a cell in each column

_MEASURED = re.compile(r"(\d) [^\W\d_]{1,8}$")  # a figure with its unit
_FIGURE = re.compile(rf"{FIGURE.pattern}|yes|no|none|true|false|[)%✓✔✗✘]+", re.I)
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """text[start:end], and where it is printed: both directions in heights of the page."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    bold: bool

    @property
    def height(self) -> float:
        return max(self.y1 - self.y0, 1e-6)

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2

    def is_beside(self, other: "_Line") -> bool:
        shared = min(self.y1, other.y1) - max(self.y0, other.y0)
        return shared > BESIDE * min(self.height, other.height)

    def is_apart(self, other: "_Line") -> bool:
        return max(self.x0, other.x0) - min(self.x1, other.x1) >= APART * max(self.height, other.height)


_Column = list[_Line]  # from the top down


def in_rows(text: str, boxes: Boxes, aspect: float, bold: Sequence[bool]) -> tuple[str, Boxes]:
    """The text, and one row of `boxes` for each of its characters.

    boxes: (n, 5), fractions of a page that is `aspect` times as wide as high, and the number from 1 of the
    printed line that the character begins, else 0. bold: whether that line is, by number. A row's cells are
    parted by tabs.
    """
    lines = list(_lines(text, boxes, aspect, bold))
    columns = _downwards(lines)
    if len(columns) < 2 or len(lines) > MOST_LINES:
        return text, boxes
    tables = list(_tables(columns))
    return _reordered(text, boxes, tables) if tables else (text, boxes)


def _lines(text: str, boxes: Boxes, aspect: float, bold: Sequence[bool]) -> Iterator[_Line]:
    """Those with ink."""
    inked = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    start = 0
    for said in text.split("\n"):
        end = start + len(said)
        ink = boxes[start:end][inked[start:end]]
        if len(ink):
            (x0, y0), (x1, y1) = ink[:, :2].min(axis=0).tolist(), ink[:, 2:4].max(axis=0).tolist()
            number = int(boxes[start:end, 4].max())
            yield _Line(
                start=start,
                end=end,
                x0=x0 * aspect,
                y0=y0,
                x1=x1 * aspect,
                y1=y1,
                text=said.strip(),
                bold=bool(number and bold[number - 1]),
            )
        start = end + 1


def _downwards(lines: Sequence[_Line]) -> list[_Column]:
    """The lines parted where one is printed above the line before it."""
    columns: list[_Column] = []
    for line in lines:
        if columns and line.middle >= columns[-1][-1].y0:
            columns[-1].append(line)
        else:
            columns.append([line])
    return columns


def _tables(columns: list[_Column]) -> Iterator[list[_Column]]:
    """Runs of columns that are one table, each without the lines above and below it."""
    waiting = columns[::-1]
    for _ in range(MOST_TRIES):
        if len(waiting) < 2:
            return
        first = waiting.pop()
        table, rest = _table(first, waiting)
        if not _is_table(table):
            continue
        del waiting[len(waiting) - len(table) + 1 :]
        if rest:
            waiting.append(rest)
        yield table


def _table(first: _Column, following: Sequence[_Column]) -> tuple[list[_Column], _Column]:
    """Of the first column what stands beside the next, and those columns that stand beside it; then what
    stands below the last of them. following: the next column last.
    """
    table = [_below(first, following[-1])]
    rest: _Column = []
    for column in following[: -MOST_COLUMNS - 1 : -1]:
        part = _beside(column, table)
        if rest or not part or _is_prose(part):
            break
        table.append(part)
        rest = column[len(part) :]
    if len(table) > 1:
        table[0] = _below(first, min(table[1:], key=lambda column: column[0].y0))
    return table, rest


def _below(first: _Column, column: _Column) -> _Column:
    """What stands beside the column or below its top."""
    return [line for line in first if line.middle > column[0].y0]


def _beside(column: _Column, table: Sequence[_Column]) -> _Column:
    """The first lines of the column, as far as they stand beside the table; none if too few are aligned."""
    top = min((other[0].y0 for other in table if other), default=1.0)
    bottom = max((other[-1].y1 for other in table if other), default=0.0)
    part: _Column = []
    left, right = column[0].x0, column[0].x1
    aligned = heads = 0
    for line in column:
        near = [other for other_column in table for other in _at_height(other_column, line)]
        below = line.middle > bottom
        outside = line.x0 < left - line.height or line.x1 > right + line.height
        if not all(map(line.is_apart, near)) or (below and outside):
            break
        part.append(line)
        left, right = min(left, line.x0), max(right, line.x1)
        aligned += bool(near)
        heads += line.middle < top
    return part if aligned and aligned >= ALIGNED * (len(part) - heads) else []


def _at_height(column: _Column, line: _Line) -> Iterator[_Line]:
    place = bisect_left(column, line.y0, key=lambda other: other.y1)
    while place < len(column) and column[place].y0 < line.y1:
        if column[place].is_beside(line):
            yield column[place]
        place += 1


# --- what is a table -------------------------------------------------------------------------------------
def _is_table(table: Sequence[_Column]) -> bool:
    """Whether these are columns with figures or dates, or with words under bold heads, none with prose."""
    if len(table) < 2 or any(not column or _is_prose(column) for column in table):
        return False
    full = [row for row in _rows(table) if len(row) > 1]
    values = sum(any(_is_figure(line.text) for line in row[1:]) for row in full)
    if values >= (FEWEST_ROWS if len(table) == 2 else 1) and any(
        map(_has_values, _right_of_the_first(table))
    ):
        return True
    dated = sum(not _is_date(row[0].text) and any(_is_date(line.text) for line in row[1:]) for row in full)
    return dated >= FEWEST_DATED or _has_heads(table)


def _right_of_the_first(table: Sequence[_Column]) -> list[_Column]:
    return sorted(table, key=lambda column: median(line.x0 for line in column))[1:]


def _has_values(column: _Column) -> bool:
    said = [line.text for line in column if not _is_date(line.text)]
    return bool(said) and sum(map(_is_figure, said)) >= len(said) / 2


def _is_date(said: str) -> bool:
    return bool(DATE.fullmatch(said))


def _is_figure(said: str) -> bool:
    measured = _MEASURED.sub(r"\1", said)
    figures = _DIGIT.search(said) and not any(map(str.isalpha, measured))
    return not _is_date(said) and bool(figures or all(map(_FIGURE.fullmatch, measured.split())))


def _is_prose(column: _Column) -> bool:
    if len(column) <= FEWEST_ROWS:
        return False
    widths = [line.x1 - line.x0 for line in column]
    full = sum(
        w >= FULL * max(widths) and "\t" not in line.text for w, line in zip(widths, column, strict=True)
    )
    wide = median(widths) >= PROSE_WIDTH * median(line.height for line in column)
    small = sum(line.text[:1].islower() for line in column)
    return (wide and full >= MOSTLY * len(column)) or small > LOWER_CASE * len(column)


def _has_heads(table: Sequence[_Column]) -> bool:
    """Whether the first row of several columns is bold, no other is, and the rows are filled."""
    if len(table) < FEWEST_HEADS:
        return False
    rows = _rows(table)
    bold = [all(line.bold for line in row) for row in rows]
    filled = sum(len(row) == len(table) for row in rows)
    return len(rows) > FEWEST_ROWS and bold[0] and not any(bold[1:]) and filled >= FILLED * len(rows)


# --- the order of rows -----------------------------------------------------------------------------------
def _rows(table: Sequence[_Column]) -> list[list[_Line]]:
    """From the top down, each from the left to the right."""
    rows: list[list[_Line]] = []
    for line in sorted((line for column in table for line in column), key=lambda line: line.middle):
        if rows and line.is_beside(rows[-1][-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]


def _reordered(text: str, boxes: Boxes, tables: Sequence[Sequence[_Column]]) -> tuple[str, Boxes]:
    boxes = boxes.copy()
    parts: list[str] = []
    places: list[NDArray[np.intp]] = []  # of each character of the parts before, -1: it is a new one
    done = 0

    def keep(start: int, end: int) -> None:
        parts.append(text[start:end])
        places.append(np.arange(start, end))

    for table in tables:
        keep(done, table[0][0].start)
        for row_number, row in enumerate(_rows(table)):
            for number, line in enumerate(row):
                if number or row_number:
                    parts.append("\t" if number else "\n")
                    places.append(np.array([-1]))
                if number:
                    boxes[line.start : line.end, 4] = 0  # it begins no line any more
                keep(line.start, line.end)
        done = table[-1][-1].end
    keep(done, len(text))
    order = np.concatenate(places)
    moved = boxes[order]
    moved[order < 0] = 0
    return "".join(parts), moved
