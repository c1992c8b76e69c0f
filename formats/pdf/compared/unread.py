"""Print on a page of which its text has nothing: letters drawn as lines, or in pictures. Pure."""

from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from formats.base.doubts import Doubt, DoubtKind
from formats.pdf.compared.drawing import Drawing, squares

STROKES = 3  # upright edges in a cell with print, see Drawing.strokes
LONGEST_RULE = 10  # cells beside each other: what is shorter is a logo or a mark
LINE_POINTS = (4.0, 22.0)  # height of a line of print, from the lowest to the highest ink
LEAST_LENGTH = 8.0  # heights of a line
NEXT_LINE = 1.5  # heights of a line, at most, to the next one of the same region
LETTERS = (0.5, 8.0)  # upright strokes in each height of a line
DENSITY = (0.08, 0.6)  # of a line's area that is ink
TILE = 64  # pixels, across and down, that have one paper
EVEN_GAPS, EVEN = 8, 0.15  # so many gaps between strokes that differ by this part of them
REGULAR = 0.25  # of the rows of a drawing
INK = 72  # shades between ink and paper
WORD_GAP = 1.6  # heights of a line: a wider gap parts two pieces
MOST_PIECES = 40_000  # of a page that are cut further; as many as can be as high and wide as a letter

MOST_LINES, MOST_REGIONS = 4_000, 200  # of a page; what is more makes one region together

Grid = NDArray[np.bool_]
Place = tuple[int, int, int, int]  # left, top, right, bottom in pixels


def may_be_unread(boxes: NDArray[np.float64], drawing: Drawing) -> bool:
    """Whether a small drawing has what may be a line of print where no letter of the text is.

    boxes: (n, 4), x0, y0, x1, y1 of the letters with ink, in fractions of the page.
    """
    cells = drawing.strokes >= STROKES
    height, width = cells.shape
    bare = cells & ~_covered(boxes, height, width)
    run = bare[:, : max(width - LONGEST_RULE + 1, 0)].copy()
    for step in range(1, LONGEST_RULE):
        run &= bare[:, step : step + run.shape[1]]
    return bool(run.any())


def unread_print(boxes: NDArray[np.float64], drawing: Drawing, height: float) -> list[Doubt]:
    """Regions that look like lines of print on a page that is `height` points high, drawn in full size."""
    rows, columns = drawing.brightness.shape
    per_point = rows / max(height, 1.0)
    ink = _ink(drawing.brightness)
    ink &= ~_covered(boxes, rows, columns, grown=round(2 * per_point))
    letters = [piece for piece in _pieces(ink, per_point) if _are_letters(ink, piece, per_point)]
    regions = _joined([piece for piece in letters if _is_long(piece)])
    regions = _grown(regions, [piece for piece in letters if not _is_long(piece)])
    return [
        Doubt(kind=DoubtKind.UNREAD, box=(x0 / columns, y0 / rows, x1 / columns, y1 / rows))
        for x0, y0, x1, y1 in regions
    ]


def _covered(boxes: NDArray[np.float64], rows: int, columns: int, grown: int = 1) -> Grid:
    """(rows, columns): where a letter of the text is, or right beside one."""
    x0, y0, x1, y1 = squares(boxes, rows, columns, grown)
    wide = columns + 1
    more = np.concatenate([y0 * wide + x0, y1 * wide + x1])
    less = np.concatenate([y0 * wide + x1, y1 * wide + x0])
    corners = (rows + 1) * wide
    edges = np.bincount(more, minlength=corners) - np.bincount(less, minlength=corners)
    edges = edges.astype(np.int32).reshape(rows + 1, wide)
    return np.asarray(edges.cumsum(axis=0).cumsum(axis=1)[:-1, :-1] > 0)


def _ink(grey: NDArray[np.uint8]) -> Grid:
    """What differs from the paper around it, be it darker or lighter."""
    rows, columns = grey.shape
    ink = np.zeros(grey.shape, dtype=bool)
    for top in range(0, rows, TILE):
        for left in range(0, columns, TILE):
            part = grey[top : top + TILE, left : left + TILE].astype(np.int16)
            some = np.sort(part[::2, ::2], axis=None)
            ink[top : top + TILE, left : left + TILE] = np.abs(part - some[len(some) // 2]) > INK
    return ink


def _pieces(ink: Grid, per_point: float) -> Iterator[Place]:
    """What blank rows and columns leave of a page, cut in turn until nothing more is to be cut."""
    looked_at, least = 0, LINE_POINTS[0] * per_point
    waiting = [(0, 0, ink.shape[1], ink.shape[0], 0)]
    while waiting and looked_at < MOST_PIECES:
        x0, y0, x1, y1, depth = waiting.pop()
        if min(x1 - x0, y1 - y0) < least:
            continue
        looked_at += 1
        part = ink[y0:y1, x0:x1]
        down = list(_strips(np.asarray(part.any(axis=1)), max(1, round(0.7 * per_point))))
        tall = y1 - y0
        across = list(
            _strips(np.asarray(part.any(axis=0)), max(3, round(min(WORD_GAP * tall, 14 * per_point))))
        )
        if not down or not across:
            continue
        tight = (x0 + across[0][0], y0 + down[0][0], x0 + across[-1][1], y0 + down[-1][1])
        if len(down) == 1 and len(across) == 1:
            if depth and tight == (x0, y0, x1, y1):
                yield tight
            else:
                waiting.append((*tight, depth + 1))
        elif len(across) > 1 and (len(down) == 1 or depth % 2):
            waiting += [(x0 + start, y0, x0 + end, y1, depth + 1) for start, end in across]
        else:
            waiting += [(x0, y0 + start, x1, y0 + end, depth + 1) for start, end in down]


def _strips(inked: NDArray[np.bool_], gap: int) -> Iterator[tuple[int, int]]:
    """Runs of inked rows or columns, parted by at least `gap` blank ones."""
    at = np.flatnonzero(inked)
    if len(at):
        breaks = np.flatnonzero(np.diff(at) > gap)
        starts, ends = at[np.r_[0, breaks + 1]], at[np.r_[breaks, len(at) - 1]] + 1
        yield from zip(starts.tolist(), ends.tolist(), strict=True)


def _are_letters(ink: Grid, piece: Place, per_point: float) -> bool:
    """Whether the piece looks like letters of a line."""
    x0, y0, x1, y1 = piece
    tall, wide = y1 - y0, x1 - x0
    if not LINE_POINTS[0] <= tall / per_point <= LINE_POINTS[1] or wide < tall:
        return False
    part = ink[y0:y1, x0:x1]
    middle = part[tall // 4 : max(3 * tall // 4, tall // 4 + 1)]
    strokes = np.median((middle[:, 1:] & ~middle[:, :-1]).sum(axis=1)) / (wide / tall)
    if not (LETTERS[0] <= strokes <= LETTERS[1] and DENSITY[0] <= part.mean() <= DENSITY[1]):
        return False
    return sum(map(_is_regular, part)) < REGULAR * tall


def _is_regular(row: NDArray[np.bool_]) -> bool:
    """Whether strokes are as far apart as those of a ruler or a hatching; those of letters never are."""
    gaps = np.diff(np.flatnonzero(row[1:] & ~row[:-1]))
    return len(gaps) >= EVEN_GAPS and bool(gaps.std() < EVEN * gaps.mean())


def _is_long(piece: Place) -> bool:
    x0, y0, x1, y1 = piece
    return x1 - x0 >= LEAST_LENGTH * (y1 - y0)


def _joined(lines: Sequence[Place]) -> list[Place]:
    """Lines that stand below one another are one region."""
    regions: list[Place] = []
    ordered = sorted(lines, key=lambda line: (line[1], line[0]))
    for line in ordered[:MOST_LINES]:
        place = next((place for place, region in enumerate(regions) if _follows(line, region)), None)
        if place is None and len(regions) < MOST_REGIONS:
            regions.append(line)
        else:
            place = MOST_REGIONS - 1 if place is None else place
            regions[place] = _around(regions[place], line)
    rest = ordered[MOST_LINES:]
    return [*regions, *([reduce(_around, rest)] if rest else [])]


def _grown(regions: list[Place], short: Sequence[Place]) -> list[Place]:
    """With short lines that stand below a region, as the last of a paragraph does."""
    for line in sorted(short, key=lambda line: (line[1], line[0]))[:MOST_LINES]:
        for place, region in enumerate(regions):
            if _follows(line, region):
                regions[place] = _around(region, line)
    return regions


def _follows(line: Place, region: Place) -> bool:
    x0, y0, x1, y1 = line
    left, _, right, bottom = region
    return y0 - bottom < NEXT_LINE * (y1 - y0) and y1 >= bottom and x0 < right and left < x1


def _around(one: Place, other: Place) -> Place:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )
