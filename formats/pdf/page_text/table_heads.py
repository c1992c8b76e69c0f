"""Which rows of a table name its columns, told by their print and their words. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

from english.printed_values import FIGURE, YEAR
from formats.pdf.page_text.clean import Boxes
from formats.pdf.page_text.pieces import Piece
from formats.pdf.page_text.ruling import Ruling

LONGEST = 60  # characters of a name
MOST_HEADS = 3  # rows
NAMED = 0.5  # of the columns
NUMBERED = 0.7  # of the rows have a figure in the first cell
LONGER = 2.0  # times its head, most cells of a column

_PROSE_END = re.compile(r".{8}[.?!;。？！；]$")  # “No.” is a name
_DIGIT = re.compile(r"\d")

Row = Sequence[Sequence[Piece]]


def heads_of(
    rows: Sequence[Row], text: str, boxes: Boxes, bold: Sequence[bool], lines: Ruling, begins: bool
) -> list[bool]:
    """For each row. begins: whether the table can't go on from another page, so that its first row may name
    the columns without being printed otherwise than the rest.
    """
    said = [[_said(cell, text) for cell in row] for row in rows]
    first = next((place for place, cells in enumerate(said) if sum(map(bool, cells)) > 1), 0)
    looks = [_look(row, boxes, bold, lines) for row in rows]
    usual = Counter(looks[first + 1 :]).most_common(1)
    heads = [False] * len(rows)
    for place in range(first, min(first + MOST_HEADS, len(rows) - 1)):
        if not _may_name(said[place]) or not usual or looks[place] in looks[first + MOST_HEADS :]:
            break
        if looks[place] == usual[0][0] or looks.count(looks[place]) > max(1, len(rows) // 3):
            break
        heads[place] = True
    if not any(heads) and first + 1 < len(rows) and _may_name(said[first]):
        heads[first] = _numbers_below(said[first:]) or (begins and _longer_below(said[first:]))
    named = [cells for cells, is_head in zip(said, heads, strict=True) if is_head]
    return [is_head or cells in named for cells, is_head in zip(said, heads, strict=True)]


def _look(row: Row, boxes: Boxes, bold: Sequence[bool], lines: Ruling) -> tuple[bool, int]:
    """Whether all its words are bold, and the colour behind them."""
    pieces = [piece for cell in row for piece in cell]
    numbers = {int(n) for piece in pieces for n in boxes[piece.start : piece.end, 4] if n}
    first = pieces[0]
    shade = lines.shade_at((first.x0 + first.x1) / 2, first.middle) if len(lines.shades) else -1
    return bool(numbers) and all(bold[number - 1] for number in numbers), shade


def _may_name(cells: Sequence[str]) -> bool:
    names = [cell for cell in cells if cell]
    return len(names) > max(1, NAMED * len(cells) - 1) and all(
        len(name) <= LONGEST
        and not _PROSE_END.search(name)
        and not (FIGURE.fullmatch(name) and not YEAR.fullmatch(name))
        for name in names
    )


def _numbers_below(said: Sequence[Sequence[str]]) -> bool:
    """Whether the first cells have figures, but for the first one."""
    below = [cells[0] for cells in said[1:] if cells[0]]
    numbered = sum(bool(_DIGIT.search(each)) for each in below)
    return bool(said[0][0]) and not _DIGIT.search(said[0][0]) and numbered >= max(2, NUMBERED * len(below))


def _longer_below(said: Sequence[Sequence[str]]) -> bool:
    columns = [[cells[column] for cells in said] for column in range(len(said[0]))]
    return all(cells[0] for cells in columns) and any(
        median(len(cell) for cell in cells[1:]) >= LONGER * len(cells[0]) for cells in columns[1:]
    )


def _said(cell: Sequence[Piece], text: str) -> str:
    return " ".join(" ".join(text[piece.start : piece.end].split()) for piece in cell)
