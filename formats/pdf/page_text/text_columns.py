"""Tables told by their words alone: columns that are parted from top to bottom, and rows in them. Pure."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, pairwise

import numpy as np

from formats.pdf.page_text.pieces import Piece
from formats.pdf.page_text.ruling import Ruling

MOST_PIECES = 2_000  # of a page
MOST_COLUMNS = 20
MOST_TRIES = 60  # of a page, to find where a table begins
BETWEEN = 0.6  # heights of a letter between two columns, at least
FAR = 5.0  # heights of a letter between two lines of a table
BESIDE = 0.3  # of the lower of two heights: pieces that overlap by more stand beside each other
ACROSS = 0.6  # of a table's width: a line that is as long parts its rows
FEWEST_ROWS = 3
WIDER = 1.2  # times the usual step from line to line: it leads to another row
LONG = 10.0  # heights of a letter; FEWEST_LONG such pieces may be cells of several lines
FEWEST_LONG = 3
SEVERAL = 0.4  # of the rows of several lines
TOUCH = 0.6  # heights of a letter by which rows may overlap

Row = list[list[Piece]]  # of each column its pieces, from the top down


@dataclass(slots=True, kw_only=True)
class Region:
    """A part of the page whose pieces stand in columns. bands: from and to, of each, from the left."""

    bands: list[list[float]] = field(default_factory=list)
    members: list[Piece] = field(default_factory=list)

    def column(self, piece: Piece) -> int:
        return max(0, bisect_right(self.bands, piece.x0 + 0.01, key=lambda band: band[0]) - 1)


def tables(found: Sequence[Piece], letter: float, lines: Ruling) -> Iterator[list[Row]]:
    """Rows of what may be tables, in the order of the page. letter: how high most letters are, in points."""
    ordered = sorted(found, key=lambda piece: piece.middle) if len(found) <= MOST_PIECES else []
    place = tries = 0
    while place < len(ordered) and tries < MOST_TRIES:
        if not _has_neighbour(ordered, place):
            place += 1
            continue
        tries += 1
        region = _region(ordered, place, letter)
        if not _may_wrap(region, letter):
            place += max(1, len(region.members))
        elif rows := _full_rows(region, letter, lines):
            place += len(region.members)
            yield rows
        else:
            place += 1


def _may_wrap(region: Region, letter: float) -> bool:
    """Whether enough of what stands right of the first column is long enough to be a line of a cell."""
    if len(region.bands) < 2:
        return False
    left = region.bands[1][0]
    wide = (piece for piece in region.members if piece.x0 >= left and piece.x1 - piece.x0 > LONG * letter)
    return next(islice(wide, FEWEST_LONG - 1, None), None) is not None


def _full_rows(region: Region, letter: float, lines: Ruling) -> list[Row]:
    """Without those above and below that have one cell, and without columns that have none. Empty where too
    few are left.
    """
    rows = _rows(region, letter, lines)
    full = [place for place, row in enumerate(rows) if sum(bool(cell) for cell in row) > 1]
    if len(full) < FEWEST_ROWS - 1:
        return []
    kept = rows[full[0] : full[-1] + 1]
    filled = [column for column in range(len(region.bands)) if any(row[column] for row in kept)]
    return [[row[column] for column in filled] for row in kept]


# --- columns ---------------------------------------------------------------------------------------------
def _has_neighbour(ordered: Sequence[Piece], place: int) -> bool:
    one = ordered[place]
    return any(_are_beside(one, other) for other in ordered[place + 1 : place + MOST_COLUMNS])


def _are_beside(one: Piece, other: Piece) -> bool:
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return shared > BESIDE * min(one.height, other.height) and (other.x0 > one.x1 or one.x0 > other.x1)


def _region(ordered: Sequence[Piece], first: int, letter: float) -> Region:
    """As far down as no piece stands in two columns. What stands beside such a piece belongs to it."""
    region = Region()
    bottom = ordered[first].y1
    for place in range(first, len(ordered)):
        piece = ordered[place]
        if piece.y0 - bottom > FAR * letter:
            break
        if not _widen(region.bands, piece, BETWEEN * letter) or len(region.bands) > MOST_COLUMNS:
            while region.members and piece.middle - region.members[-1].middle < letter / 2:
                region.members.pop()
            region.bands = []
            for member in region.members:
                _widen(region.bands, member, BETWEEN * letter)
            break
        region.members.append(piece)
        bottom = max(bottom, piece.y1)
    return region


def _widen(bands: list[list[float]], piece: Piece, between: float) -> bool:
    """Add the piece to the one band that it stands in, or as another; False if it stands in two."""
    x0, x1 = piece.x0 - between, piece.x1 + between
    near = [band for band in bands if band[0] < x1 and x0 < band[1]]
    if len(near) > 1:
        return False
    if near:
        near[0][:] = [min(near[0][0], piece.x0), max(near[0][1], piece.x1)]
    else:
        bands.insert(bisect_right(bands, piece.x0, key=lambda band: band[0]), [piece.x0, piece.x1])
    return True


# --- rows ------------------------------------------------------------------------------------------------
def _rows(region: Region, letter: float, lines: Ruling) -> list[Row]:
    """A page that draws cell after cell says itself what a cell is: it goes up again from the last line of
    one to the first of the next. Else lines across the table say it, or wider steps between its lines; not
    where what they part has a name on most of its lines, and so is several rows.
    """
    in_order = sorted(region.members, key=lambda piece: piece.start)
    drawn = _as_drawn(region, in_order)
    ruled = _between(region, _separators(region, lines))
    goes_up = any(after.y1 < before.middle and after.x0 > before.x0 for before, after in pairwise(in_order))
    if goes_up and _follow(drawn, letter):
        return [_row(region, part) for part in drawn]
    rows = [_row(region, part) for part in ruled]
    high = [row for row in rows if max(map(len, row)) > 1]
    named = sum(len(row[0]) >= max(map(len, row)) for row in high)
    if len(rows) >= FEWEST_ROWS and named <= SEVERAL * len(high):
        return rows
    if goes_up:
        return []
    rows = [_row(region, part) for part in _by_steps(region)]
    high = [row for row in rows if max(map(len, row)) > 1]
    named = sum(len(row[0]) > 1 for row in high)
    if len(rows) >= FEWEST_ROWS and named <= SEVERAL * len(high):
        return rows
    return [_row(region, part) for part in drawn]


def _row(region: Region, part: Sequence[Piece]) -> Row:
    row: Row = [[] for _ in region.bands]
    for piece in sorted(part, key=lambda piece: piece.start):
        row[region.column(piece)].append(piece)
    return row


def _as_drawn(region: Region, in_order: Sequence[Piece]) -> list[list[Piece]]:
    """Another row begins left of the last cell, and below all cells of the row."""
    rows: list[list[Piece]] = []
    last, bottom = -1, 0.0
    for piece in in_order:
        column = region.column(piece)
        is_next = column < last or (column == last and piece.y1 <= rows[-1][-1].y0)
        if not rows or is_next or (column != last and piece.y0 >= bottom):
            rows.append([])
            bottom = 0.0
        rows[-1].append(piece)
        last, bottom = column, max(bottom, piece.y1)
    return rows


def _follow(rows: Sequence[Sequence[Piece]], letter: float) -> bool:
    """Whether each row stands below the one before it."""
    return all(
        min(piece.y0 for piece in after) >= max(piece.y1 for piece in before) - TOUCH * letter
        for before, after in pairwise(rows)
    )


def _separators(region: Region, lines: Ruling) -> list[float]:
    left, right = region.bands[0][0], region.bands[-1][1]
    top, bottom = (
        min(piece.y0 for piece in region.members),
        max(piece.y1 for piece in region.members),
    )
    return [
        y
        for y, x0, x1 in lines.across
        if top < y < bottom and min(x1, right) - max(x0, left) >= ACROSS * (right - left)
    ]


def _between(region: Region, separators: Sequence[float]) -> list[list[Piece]]:
    ordered = sorted(region.members, key=lambda piece: piece.middle)
    return [
        list(part) for _, part in groupby(ordered, key=lambda piece: bisect_right(separators, piece.middle))
    ]


def _by_steps(region: Region) -> list[list[Piece]]:
    """Rows of a page that draws line after line, whatever cell it is of: where the step to the next line is
    wider than usual. None where all steps are alike.
    """
    lines: list[list[Piece]] = []
    for piece in sorted(region.members, key=lambda piece: piece.middle):
        if lines and piece.middle < lines[-1][0].y1:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    steps = [after[0].middle - before[0].middle for before, after in pairwise(lines)]
    if not steps:
        return []
    usual = float(np.percentile(steps, 25))
    rows = [lines[0]]
    for step, line in zip(steps, lines[1:], strict=True):
        if step > WIDER * usual + 0.5:
            rows.append(line)
        else:
            rows[-1] = [*rows[-1], *line]
    return rows if len(rows) < len(lines) else []
