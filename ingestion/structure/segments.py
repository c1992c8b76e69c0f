"""The lines of a page as they are printed, parted into what stands apart: cells, if it is a row. Pure."""

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from english.printed_values import FIGURE, SIGNS

WORD = re.compile(r"\S+")
SIGN = re.compile(rf"\(?{SIGNS}$")
TAIL = re.compile(r"(?:%|\)|\)%|%\))$")  # of a figure, set apart from it
SAME_LINE = 0.5  # of the lower of two heights
TAB_STEP, LINE_STEP, LETTER = 1000.0, 12.0, 5.0  # points, where nothing is known of places


@dataclass(frozen=True, slots=True)
class Segment:
    """Words that stand together. In points, from the top left."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float
    text: str

    @property
    def is_figure(self) -> bool:
        return bool(FIGURE.fullmatch(self.text))

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """What is printed at one height, from the left: one or several lines of the text."""

    start: int
    end: int
    segments: tuple[Segment, ...]

    @property
    def y0(self) -> float:
        return min(segment.y0 for segment in self.segments)

    @property
    def y1(self) -> float:
        return max(segment.y1 for segment in self.segments)

    @property
    def x0(self) -> float:
        return self.segments[0].x0

    @property
    def height(self) -> float:
        return max(self.y1 - self.y0, 1.0)


def printed_rows(text: str, boxes: bytes, width: float, height: float) -> list[PrintedRow]:
    """text, boxes: as in PageText. width, height: of the page in points."""
    placed = _placed(text, boxes, max(width, 1.0), max(height, 1.0))
    rows: list[PrintedRow] = []
    for start, end in _lines(text):
        segments = tuple(_segments(text, start, end, placed))
        if not segments:
            continue
        if rows and _goes_on(rows[-1], segments):
            before = rows.pop()
            segments = (*before.segments, *segments)
        rows.append(PrintedRow(segments[0].start, segments[-1].end, segments))
    return rows


def _placed(text: str, boxes: bytes, width: float, height: float) -> NDArray[np.float64]:
    """(n, 4) in points; without ink all four are 0."""
    if boxes:
        points = np.frombuffer(zlib.decompress(boxes), dtype="<u2").reshape(-1, 4) / 65535
        if len(points) == len(text) and points.any():
            return points * ([width, height] * 2)
    points = np.zeros((len(text), 4))
    line = place = 0
    across = 0.0
    for place, letter in enumerate(text):
        if letter == "\n":
            line, across = line + 1, 0.0
        elif letter == "\t":
            across = (across // TAB_STEP + 1) * TAB_STEP
        else:
            if not letter.isspace():
                points[place] = [across, line * LINE_STEP, across + LETTER, line * LINE_STEP + 10]
            across += LETTER
    return points


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _segments(text: str, start: int, end: int, placed: NDArray[np.float64]) -> Iterator[Segment]:
    held: list[tuple[int, int]] = []
    for match in WORD.finditer(text, start, end):
        word = match.span()
        if held and _parted(text, held, word):
            if segment := _segment(text, held, placed):
                yield segment
            held = []
        held.append(word)
    if held and (segment := _segment(text, held, placed)):
        yield segment


def _parted(text: str, held: Sequence[tuple[int, int]], word: tuple[int, int]) -> bool:
    """Whether the word begins another cell: behind a tab, and behind a figure where it is one itself."""
    last = text[slice(*held[-1])]
    said = text[slice(*word)]
    gap = text[held[-1][1] : word[0]]
    if TAIL.fullmatch(said) and FIGURE.fullmatch(last):
        return False
    if SIGN.fullmatch(last) and FIGURE.fullmatch(said):
        return False
    if "\t" in gap:
        return True
    if not (FIGURE.fullmatch(said) and FIGURE.fullmatch(text[held[0][0] : held[-1][1]])):
        return False
    return not (said[0] in "(*" and len(said) <= 4 and not any(map(str.isdigit, said)))


def _segment(text: str, words: Sequence[tuple[int, int]], placed: NDArray[np.float64]) -> Segment | None:
    start, end = words[0][0], words[-1][1]
    points = placed[start:end]
    inked = points[points.any(axis=1)]
    if not len(inked):
        return None
    (x0, y0), (x1, y1) = inked[:, :2].min(axis=0), inked[:, 2:].max(axis=0)
    return Segment(start, end, float(x0), float(y0), float(x1), float(y1), " ".join(text[start:end].split()))


def _goes_on(row: PrintedRow, segments: Sequence[Segment]) -> bool:
    """Whether what follows is printed beside the row, further right."""
    y0, y1 = min(each.y0 for each in segments), max(each.y1 for each in segments)
    overlap = min(row.y1, y1) - max(row.y0, y0)
    return overlap > SAME_LINE * min(row.height, y1 - y0) and segments[0].x0 > row.segments[-1].x1
