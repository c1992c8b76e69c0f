"""In which order the lines of a page are read: columns one after the other, rows of a table across. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Content = TypeVar("Content")

SAME_ROW = 0.5  # of the lower line's height, between the middles of two lines of one row
GUTTER = 0.8  # heights of a line, at least, between two columns
PROSE = 9.0  # heights of a line: as long are the lines of a column of text, cells of tables are not
LEAST_LINES = 4  # in a column
MANY = 14  # lines of text in a column: a list's heads and numbers are fewer
MOST_ACROSS = 0.25  # of the lines may run over both columns, such as titles
SLANT_TOLD = 4.0  # times as long as high: lines that tell how a page is slanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Generic[Content]):
    """A line on an upright page: the middles of its beginning and end in pixels, and its height."""

    start: tuple[float, float]
    end: tuple[float, float]
    height: float
    content: Content

    @property
    def length(self) -> float:
        return float(np.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level(Generic[Content]):
    """A line on the page turned so that lines are level."""

    left: float
    right: float
    middle: float
    height: float
    content: Content


def rows(lines: Sequence[Placed[Content]]) -> list[list[Content]]:
    """The page from top to bottom, each row from left to right; lines of one row are parts of one line."""
    slant = _slant(lines)
    return [[line.content for line in row] for row in _in_order([_level(line, slant) for line in lines])]


def _slant(lines: Sequence[Placed[Content]]) -> float:
    """The angle at which most print runs, in radians."""
    long = [line for line in lines if line.length > SLANT_TOLD * line.height]
    angles = [np.arctan2(line.end[1] - line.start[1], line.end[0] - line.start[0]) for line in long]
    level = [angle for angle in angles if abs(angle) < np.pi / 4]
    return float(np.median(level)) if level else 0.0


def _level(line: Placed[Content], slant: float) -> _Level[Content]:
    across, down = np.cos(slant), np.sin(slant)
    ends = [x * across + y * down for x, y in (line.start, line.end)]
    heights = [y * across - x * down for x, y in (line.start, line.end)]
    return _Level(
        left=min(ends), right=max(ends), middle=sum(heights) / 2, height=line.height, content=line.content
    )


def _in_order(lines: Sequence[_Level[Content]]) -> Iterator[list[_Level[Content]]]:
    gutter = _gutter(lines)
    if gutter is None:
        yield from _rows(lines)
        return
    across = sorted((line for line in lines if line.left < gutter < line.right), key=lambda line: line.middle)
    rest = [line for line in lines if not line.left < gutter < line.right]
    top = -np.inf
    for border in (*across, None):
        bottom = border.middle if border else np.inf
        band = [line for line in rest if top <= line.middle < bottom]
        sides = [[line for line in band if (line.right <= gutter) == is_left] for is_left in (True, False)]
        if not all(sides) or all(map(_is_prose, sides)):
            yield from _in_order(sides[0])
            yield from _in_order(sides[1])
        else:  # a table over both columns
            yield from _rows(band)
        if border:
            yield [border]
        top = bottom


def _gutter(lines: Sequence[_Level[Content]]) -> float | None:
    """The middle of the blank strip between two columns of prose; None where there is none."""
    if len(lines) < 2 * LEAST_LINES:
        return None
    height = float(np.median([line.height for line in lines]))
    lefts, rights = np.array([[line.left, line.right] for line in lines]).T
    sorted_lefts, sorted_rights = np.sort(lefts), np.sort(rights)
    prose_left = _prose_so_far((rights - lefts)[np.argsort(rights)], height)
    prose_right = _prose_so_far((rights - lefts)[np.argsort(-lefts)], height)
    best: tuple[int, float] | None = None
    for place in np.unique(rights + GUTTER * height / 2):
        on_left = int(np.searchsorted(sorted_rights, place, "right"))
        first_right = int(np.searchsorted(sorted_lefts, place, "left"))
        on_right = len(lines) - first_right
        across = len(lines) - on_left - on_right
        if min(on_left, on_right) < LEAST_LINES or across > MOST_ACROSS * len(lines):
            continue
        if sorted_lefts[first_right] - sorted_rights[on_left - 1] < GUTTER * height:
            continue
        is_prose = prose_left[on_left - 1] and prose_right[on_right - 1]
        if is_prose and (best is None or across < best[0]):
            best = across, float(place)
    return best[1] if best else None


def _prose_so_far(lengths: NDArray[np.float64], height: float) -> NDArray[np.bool_]:
    """Whether the first lines are a column of text, for each number of them: half of them are as long as its
    lines, or half of the print is in many that are, beside a table or formulas.
    """
    is_long = lengths >= PROSE * height
    counts, long = np.arange(1, len(lengths) + 1), np.cumsum(is_long)
    share = np.cumsum(np.where(is_long, lengths, 0)) * 2 >= np.cumsum(lengths)
    return (long * 2 > counts) | (share & (long >= MANY))


def _is_prose(lines: Sequence[_Level[Content]]) -> bool:
    lengths = np.array([line.right - line.left for line in lines])
    height = float(np.median([line.height for line in lines]))
    return bool(_prose_so_far(lengths, height)[-1])


def _rows(lines: Sequence[_Level[Content]]) -> Iterator[list[_Level[Content]]]:
    row: list[_Level[Content]] = []
    for line in sorted(lines, key=lambda line: line.middle):
        if row and not _continues(row, line):
            yield sorted(row, key=lambda line: line.left)
            row = []
        row.append(line)
    if row:
        yield sorted(row, key=lambda line: line.left)


def _continues(row: Sequence[_Level[Content]], line: _Level[Content]) -> bool:
    """Whether the line stands in the row, beside its other parts."""
    middle = sum(other.middle for other in row) / len(row)
    near = abs(line.middle - middle) < SAME_ROW * min(line.height, *(other.height for other in row))
    return near and not any(
        min(line.right, other.right) - max(line.left, other.left) > SAME_ROW * line.height for other in row
    )
