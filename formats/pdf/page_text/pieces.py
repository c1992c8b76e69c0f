"""The text of a page in pieces that stand apart: a line, or a part of one before a gap. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from formats.pdf.page_text.clean import Boxes

APART = 1.0  # heights of a letter; words of a line stand closer, but for some of justified prose
BACK = -1.0  # heights of a letter; letters that overlap by more go on elsewhere
FIRST_IDEOGRAPH = 0x2E80
OF_CAPITAL = 0.75  # of the height of a letter: as high is a small one
OF_IDEOGRAPH = 0.6  # of its height: as high is a small letter of the same print


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """text[start:end], in points from the top left of the page."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2

    @property
    def height(self) -> float:
        return max(self.y1 - self.y0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """In the order of the text. places: where the letters with ink are, boxes: of each of them, in points.
    letter: how high most letters are. beside: how often a piece stands beside the one before it, or above.
    """

    places: NDArray[np.intp]
    boxes: Boxes
    firsts: NDArray[np.intp]
    letter: float
    beside: int

    def __iter__(self) -> Iterator[Piece]:
        """Each piece."""
        lasts = np.append(self.firsts[1:], len(self.places)) - 1
        around = np.hstack(
            [
                np.minimum.reduceat(self.boxes[:, :2], self.firsts),
                np.maximum.reduceat(self.boxes[:, 2:], self.firsts),
            ]
        ).tolist()
        spans = zip(self.places[self.firsts].tolist(), (self.places[lasts] + 1).tolist(), around, strict=True)
        for start, end, (x0, y0, x1, y1) in spans:
            yield Piece(start=start, end=end, x0=x0, y0=y0, x1=x1, y1=y1)


def pieces(text: str, boxes: Boxes, width: float, height: float) -> Pieces | None:
    """boxes: (n, 4 or more), fractions of the page. width, height: of it, in points. None without ink."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    inked = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    places = np.flatnonzero(inked & (codes != 0x20) & (codes != 0x0A) & (codes != 0x09))
    if not len(places):
        return None
    points = boxes[places, :4] * [width, height, width, height]
    heights = (points[:, 3] - points[:, 1]) * np.where(codes[places] >= FIRST_IDEOGRAPH, OF_IDEOGRAPH, 1.0)
    letter = max(float(np.median(heights)), 1.0)
    gap = points[1:, 0] - points[:-1, 2]
    wide = np.maximum(letter, OF_CAPITAL * np.maximum(heights[1:], heights[:-1]))
    ends = np.cumsum((codes == 0x0A) | (codes == 0x09))[places]  # of lines and cells before each letter
    parted = (np.diff(ends) > 0) | (gap > APART * wide) | (gap < BACK * letter)
    middle = (points[:, 1] + points[:, 3]) / 2
    above = middle[1:] < points[:-1, 1] - letter
    same_line = (middle[1:] < points[:-1, 3]) & (middle[1:] > points[:-1, 1] - letter) & (gap > 0)
    return Pieces(
        places=places,
        boxes=points,
        firsts=np.concatenate([[0], np.flatnonzero(parted) + 1]),
        letter=letter,
        beside=int((parted & (above | same_line)).sum()),
    )
