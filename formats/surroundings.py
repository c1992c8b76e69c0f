"""What to show around marked words of a page: their column, about two lines before and two after. Pure."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from formats.base.values import Rect

CONTEXT = 2  # rows before and after the words
MOST_ROWS = 14  # of words; more are shown from their beginning
MOST_PARTS = 3  # of words that stand apart
WIDEST_GAP = 1.9  # ems between two lines; a wider gap ends what belongs together
AIR = 0.5  # ems around what is shown
SAME_ROW = 0.5  # of the lower of two lines, to stand in one row
A_LINE_HIGHER = 1.1  # of the tallest letter nearby, from foot to foot
NEARBY = 6  # letters before and behind one
MOSTLY = 0.5  # of a line's width, to stand in a column
TALL_LETTER = 0.7  # ems: a capital, a figure, a "b" or a "p"
TALL_LETTERS = 80  # percentile: letters that high or lower are no taller than that
VERTICAL_SCRIPTS = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")

READABLE, LARGE = 12.0, 18.0  # CSS pixels that print should have
ORDINARY_PRINT = 10.0  # points
BIG_PRINT = 16.0  # points; such print may be shown smaller than it is
LARGEST_SCALE = 2.5

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """parts: from the top, in 1/1000 of the page. quarters: turns clockwise that put the words upright.
    width: of the widest part when upright, in points. print_size: of the words, in points.
    """

    parts: list[Rect]
    quarters: int
    width: float
    print_size: float

    def scale(self, available: float) -> float:
        """CSS pixels a point, for a place that is `available` pixels wide.

        Print of 10 points has at least 12 pixels, even if all does not fit then.
        """
        least = READABLE / self.print_size if self.print_size > BIG_PRINT else READABLE / ORDINARY_PRINT
        most = max(least, min(LARGE / self.print_size, LARGEST_SCALE))
        return min(max(available / self.width, least), most)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the page's text; `at` counts them in reading order. Points, upright."""

    at: int
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def height(self) -> float:
        return self.y1 - self.y0


Row = list[_Line]


def surroundings(rects: Sequence[Rect], text: str, boxes: bytes, width: float, height: float) -> Surroundings:
    """What to show around the words in `rects`, at least one.

    text, boxes: of the whole page, as in PageText. width, height: of the page in points.
    """
    if not rects:
        raise ValueError("there are no words to show")
    width, height = max(width, 1.0), max(height, 1.0)
    letters = _letters(boxes, len(text)) * ([width, height] * 2)
    marked = _within(letters, [_scaled(rect, width, height) for rect in rects])
    turns = _turns(text, letters, marked)
    page = (height, width) if turns else (width, height)
    letters = _turned(letters, turns, width, height)
    lines = _lines(text, letters)
    words = [line for line in _lines(text, letters, marked) if line.height > 0]
    upright = _turned(np.array([_scaled(rect, width, height) for rect in rects]), turns, width, height)
    if not words:
        words = [_Line(at, *corners) for at, corners in enumerate(upright.tolist())]
        lines = words
    em = _print_size(letters[marked] if marked.any() else upright)
    frames = _frames(lines, words, em, page)
    parts = np.array([[frame.x0, frame.y0, frame.x1, frame.y1] for frame in frames])
    back = _turned(parts, -turns % 4, *page) / ([width, height] * 2) * 1000
    return Surroundings(
        parts=[Rect(x0=x0, y0=y0, x1=x1, y1=y1) for x0, y0, x1, y1 in back.tolist()],
        quarters=turns,
        width=max(frame.x1 - frame.x0 for frame in frames),
        print_size=em,
    )


def text_column(text: str, boxes: bytes) -> tuple[float, float] | None:
    """The left and right edge of all print on a page in 1/1000 of its width; None without any."""
    letters = _letters(boxes, len(text))
    inked = letters[letters.any(axis=1)]
    return (float(inked[:, 0].min()) * 1000, float(inked[:, 2].max()) * 1000) if len(inked) else None


def _letters(boxes: bytes, count: int) -> Points:
    """(count, 4) in fractions of the page; all four are 0 without ink."""
    if not boxes:
        return np.zeros((count, 4))
    return np.frombuffer(zlib.decompress(boxes), dtype="<u2").reshape(count, 4) / 65535


def _scaled(rect: Rect, width: float, height: float) -> list[float]:
    across, down = width / 1000, height / 1000
    return [rect.x0 * across, rect.y0 * down, rect.x1 * across, rect.y1 * down]


def _within(letters: Points, areas: Sequence[Sequence[float]]) -> NDArray[np.bool_]:
    """Which letters stand in one of the areas."""
    inked = letters.any(axis=1)
    x, y = (letters[:, 0] + letters[:, 2]) / 2, (letters[:, 1] + letters[:, 3]) / 2
    inside = np.zeros(len(letters), dtype=bool)
    for x0, y0, x1, y1 in areas:
        inside |= inked & (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
    return inside


def _print_size(letters: Points) -> float:
    """Of these letters, in points."""
    heights = letters[:, 3] - letters[:, 1]
    return max(float(np.percentile(heights, TALL_LETTERS)) / TALL_LETTER, 1.0)


def _turns(text: str, letters: Points, marked: NDArray[np.bool_]) -> int:
    """Quarter turns clockwise that put the words upright: 3 for words that run down the page, 1 for up."""
    x, y = (letters[:, 0] + letters[:, 2]) / 2, (letters[:, 1] + letters[:, 3]) / 2
    ends = list(accumulate(letter == "\n" for letter in text))
    spots = np.flatnonzero(marked)
    words = "".join(text[spot] for spot in spots)
    if len(VERTICAL_SCRIPTS.findall(words)) > len(words) / 2:
        return 0  # such letters stand upright in a line that runs down
    pairs = [(a, b) for a, b in pairwise(spots) if ends[a] == ends[b]]
    if len(pairs) < 2:
        return 0
    across = np.array([x[b] - x[a] for a, b in pairs])
    down = np.array([y[b] - y[a] for a, b in pairs])
    if np.median(np.abs(across)) >= np.median(np.abs(down)):
        return 0
    return 3 if np.median(down) > 0 else 1


def _turned(corners: Points, turns: int, width: float, height: float) -> Points:
    """The boxes on a page of that size after so many quarter turns clockwise."""
    x0, y0, x1, y1 = corners.T
    if turns == 1:
        turned = np.column_stack([height - y1, x0, height - y0, x1])
    elif turns == 3:
        turned = np.column_stack([y0, width - x1, y1, width - x0])
    else:
        return corners
    turned[~corners.any(axis=1)] = 0
    return turned


def _lines(text: str, letters: Points, only: NDArray[np.bool_] | None = None) -> Row:
    """The lines with ink; with `only`, as far as those letters reach."""
    inked = np.flatnonzero(letters.any(axis=1) if only is None else only)
    if not len(inked):
        return []
    places = _line_numbers(text, letters)[inked]
    lines = []
    for here in np.split(inked, np.flatnonzero(np.diff(places)) + 1):
        (x0, y0), (x1, y1) = letters[here, :2].min(axis=0), letters[here, 2:].max(axis=0)
        at = int(places[np.searchsorted(inked, here[0])])
        lines.append(_Line(at, float(x0), float(y0), float(x1), float(y1)))
    return lines


def _line_numbers(text: str, letters: Points) -> NDArray[np.intp]:
    """For each letter the line that it stands in: those of the text, parted where they are wrapped.

    A line is wrapped where its next letter stands lower and further left; higher and further right begins
    the next cell of a row whose cells are wrapped.
    """
    starts = np.zeros(len(letters), dtype=np.intp)
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    starts[np.flatnonzero(codes[:-1] == 0x0A) + 1] = 1
    inked = np.flatnonzero(letters.any(axis=1))
    before, after = letters[inked[:-1]], letters[inked[1:]]
    height = np.minimum(before[:, 3] - before[:, 1], after[:, 3] - after[:, 1])
    wrapped = (after[:, 1] >= before[:, 3] - SAME_ROW * height) & (after[:, 0] < before[:, 2] - height)
    above = (after[:, 3] <= before[:, 1] + SAME_ROW * height) & (after[:, 0] > before[:, 0])
    # A letter is above the comma before it as well, and a quotation mark above both.
    next_cell = above & (before[:, 3] - after[:, 3] > A_LINE_HIGHER * _tallest_nearby(letters[inked])[1:])
    starts[inked[1:][wrapped | next_cell]] = 1
    return np.cumsum(starts)


def _tallest_nearby(letters: Points) -> Points:
    """(n,): the height of the tallest of each letter and its neighbours."""
    heights = np.pad(letters[:, 3] - letters[:, 1], NEARBY)
    tallest: Points = np.lib.stride_tricks.sliding_window_view(heights, 2 * NEARBY + 1).max(axis=1)
    return tallest


def _frames(lines: Row, words: Row, em: float, page: tuple[float, float]) -> list[_Line]:
    """What is shown of the page: one frame, or one for each part of words that stand apart."""
    runs = _runs(lines, words, em)
    frames = []
    for number, run in enumerate(runs):
        before = CONTEXT if number == 0 else 0
        after = CONTEXT if number == len(runs) - 1 else 0
        frames.append(_frame(lines, run, before, after, em, page))
    return frames


def _runs(lines: Row, words: Row, em: float) -> list[Row]:
    """The words' lines, parted where they go on in another column or behind a wide gap."""
    whole = {line.at: line for line in lines}
    runs = [[words[0]]]
    for line in words[1 : MOST_ROWS * 4]:
        last = runs[-1][-1]
        follows = -em < line.y0 - last.y1 < WIDEST_GAP * em and line.y1 > last.y0
        together = _overlap(whole.get(last.at, last), whole.get(line.at, line)) > 0
        if _in_one_row(last, line) or (follows and together):
            runs[-1].append(line)
        else:
            runs.append([line])
    shown, rows = [], 0
    for run in runs[:MOST_PARTS]:
        kept = _first_rows(run, MOST_ROWS - rows)
        if not kept:
            break
        shown.append(kept)
        rows += len(_rows(kept))
    return shown


def _first_rows(run: Row, count: int) -> Row:
    return [line for row in _rows(run)[: max(count, 0)] for line in row]


def _rows(lines: Row) -> list[Row]:
    """Lines in one row belong together; in order from the top."""
    rows: list[Row] = []
    for line in sorted(lines, key=lambda line: line.y0):
        if rows and _in_one_row(_around(rows[-1]), line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _frame(lines: Row, run: Row, before: int, after: int, em: float, page: tuple[float, float]) -> _Line:
    """The run in its column with so many rows before and after, and some air."""
    column = _column(lines, run, em)
    inside = [line for line in lines if _stands_in(line, column)]
    top, bottom = _extended(inside, _around(run), before, after, em)
    shown = [line for line in inside if line.y0 >= top - 0.01 and line.y1 <= bottom + 0.01]
    left = min([line.x0 for line in [*shown, *run]])
    right = max([line.x1 for line in [*shown, *run]])
    others = [line for line in lines if line not in shown and line not in run]
    return _Line(
        run[0].at,
        max(0.0, left - _air(em, [left - o.x1 for o in others if _shares(o.y0, o.y1, top, bottom)])),
        max(0.0, top - _air(em, [top - o.y1 for o in others if _shares(o.x0, o.x1, left, right)])),
        min(page[0], right + _air(em, [o.x0 - right for o in others if _shares(o.y0, o.y1, top, bottom)])),
        min(page[1], bottom + _air(em, [o.y0 - bottom for o in others if _shares(o.x0, o.x1, left, right)])),
    )


def _column(lines: Row, run: Row, em: float) -> _Line:
    """The run, as wide as its column: the cells of its rows, and the lines that come before and after."""
    by_place = {line.at: line for line in lines}
    column = _around([by_place.get(line.at, line) for line in run])
    for step in (-1, 1):
        last = run[0] if step < 0 else run[-1]
        last, rows = by_place.get(last.at, last), 0
        while rows <= CONTEXT and (line := _next(by_place, last.at, step)):
            same_row = _in_one_row(last, line)
            gap = line.y0 - last.y1 if step > 0 else last.y0 - line.y1
            if not same_row and not (-0.5 * em < gap < WIDEST_GAP * em and _overlap(line, column) > 0):
                break
            wider = _around([column, line])
            if not same_row and _reaches_others(wider, column, run, lines):
                break
            rows += not same_row
            if rows <= CONTEXT:
                column = wider
            last = line
    return column


def _next(by_place: dict[int, _Line], at: int, step: int) -> _Line | None:
    """The nearest line with ink before or after."""
    edge = min(by_place) if step < 0 else max(by_place)
    while at != edge:
        at += step
        if at in by_place:
            return by_place[at]
    return None


def _reaches_others(wider: _Line, column: _Line, run: Row, lines: Row) -> bool:
    """Whether a wider column would take in print beside the run: that is another column."""
    area = _around(run)
    return any(
        _in_one_row(area, line) and _overlap(line, wider) > 0 >= _overlap(line, column) for line in lines
    )


def _extended(inside: Row, run: _Line, before: int, after: int, em: float) -> tuple[float, float]:
    """The run's top and bottom, moved out by rows of its column."""
    top, bottom = run.y0, run.y1
    for row in reversed(_rows([line for line in inside if (line.y0 + line.y1) / 2 < run.y0])):
        around = _around(row)
        if before == 0 or top - around.y1 > WIDEST_GAP * em:
            break
        top, before = min(top, around.y0), before - 1
    for row in _rows([line for line in inside if (line.y0 + line.y1) / 2 > run.y1]):
        around = _around(row)
        if after == 0 or around.y0 - bottom > WIDEST_GAP * em:
            break
        bottom, after = max(bottom, around.y1), after - 1
    return top, bottom


def _air(em: float, gaps: Sequence[float]) -> float:
    """Room at an edge: less where other print is near."""
    return min([AIR * em, *(gap / 2 for gap in gaps if gap > 0)])


def _around(row: Row) -> _Line:
    return _Line(
        row[0].at,
        min(line.x0 for line in row),
        min(line.y0 for line in row),
        max(line.x1 for line in row),
        max(line.y1 for line in row),
    )


def _in_one_row(a: _Line, b: _Line) -> bool:
    return min(a.y1, b.y1) - max(a.y0, b.y0) > SAME_ROW * min(a.height, b.height)


def _overlap(a: _Line, b: _Line) -> float:
    return min(a.x1, b.x1) - max(a.x0, b.x0)


def _shares(a0: float, a1: float, b0: float, b1: float) -> bool:
    return min(a1, b1) > max(a0, b0)


def _stands_in(line: _Line, column: _Line) -> bool:
    return _overlap(line, column) >= MOSTLY * (line.x1 - line.x0)
