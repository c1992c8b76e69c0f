"""Letters that nobody can see because of how they are painted, whatever is drawn over or under them."""

from dataclasses import dataclass, replace
from itertools import pairwise
from time import thread_time
from typing import Self

import numpy as np
from numpy.typing import NDArray

from formats.pdf.compared.drawing import FAINT, STROKE, Drawing, shades
from formats.pdf.compared.paint_kinds import BYTES, NOTHING, ONE_COLOUR, OTHERWISE

TOGETHER = 4  # letters beside each other that have one paper
PAPER = 0.25  # of a place, at least, that has one shade
AROUND = 0.5  # heights of a letter: how far beyond the letters their paper is looked at
MOST_ROWS, MOST_PIXELS = 64, 4096  # of the paper of letters; that of large ones is looked at less finely
SECONDS = 3.0  # of a processor, for all papers of a page

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """how: (n,) with what each letter is painted, see `paint_kinds`. colours: (n, 4) red, green, blue, how
    opaque. pictures: (m, 4) boxes of pictures, as those of letters.
    """

    how: NDArray[np.uint8]
    colours: NDArray[np.uint8]
    pictures: NDArray[np.float64]

    @classmethod
    def of(cls, painted: bytes, numbers: NDArray[np.intp], pictures: NDArray[np.float64]) -> Self:
        """numbers: of each letter among the painted characters, from 1; 0 for what is none of them."""
        table = np.frombuffer(painted, np.uint8, len(painted) // BYTES * BYTES).reshape(-1, BYTES)
        none = np.array([[OTHERWISE, 0, 0, 0, 0]], dtype=np.uint8)
        found = np.concatenate([none, table])[np.where(numbers <= len(table), numbers, 0)]
        return cls(how=found[:, 0], colours=found[:, 1:], pictures=pictures)

    def at(self, places: NDArray[np.intp]) -> Self:
        """That of some of the letters."""
        return replace(self, how=self.how[places], colours=self.colours[places])

    def hides(self, boxes: NDArray[np.float64], is_large: Flags, drawing: Drawing) -> Flags:
        """Of letters with a place on the page, those in the colour of their paper, and those that are not
        painted and stand on no picture, as the text of a scan does. is_large: seen also when they are pale.
        Raises TimeoutError when there are more of them than can be looked at in SECONDS.
        """
        hidden = (self.how == NOTHING) & ~self._is_on_picture(boxes)
        at = np.flatnonzero(self.how == ONE_COLOUR)
        if len(at):
            papers = _papers(boxes[at], drawing)
            opaque = self.colours[at, 3] / 255
            apart = opaque * np.abs(shades(self.colours[at, :3]) - papers)
            hidden[at] = apart.max(axis=0) < np.where(is_large[at], FAINT, STROKE)
        return hidden

    def _is_on_picture(self, boxes: NDArray[np.float64]) -> Flags:
        x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
        on = np.zeros(len(boxes), dtype=np.bool_)
        for x0, y0, x1, y1 in self.pictures:
            on |= (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        return on


def _papers(boxes: NDArray[np.float64], drawing: Drawing) -> NDArray[np.float64]:
    """(4, n): the shades of what each letter stands on, NaN where it is of no one colour.

    Raises TimeoutError.
    """
    deadline = thread_time() + SECONDS
    planes = drawing.planes
    rows, columns = planes.shape[1:]
    x0, y0, x1, y1 = (boxes * (columns, rows, columns, rows)).T
    height = y1 - y0
    parted = (y0[1:] > y1[:-1]) | (y1[1:] < y0[:-1]) | (np.abs(x0[1:] - x1[:-1]) > 2 * height[1:])
    papers = np.zeros((len(planes), len(boxes)))
    begins = np.concatenate([[0], np.flatnonzero(parted) + 1, [len(boxes)]]).tolist()
    for first, last in pairwise(begins):
        for start in range(first, last, TOGETHER):
            if thread_time() > deadline:
                raise TimeoutError
            part = slice(start, min(start + TOGETHER, last))
            beyond = AROUND * height[part].max()
            left, right = int(max(x0[part].min() - beyond, 0)), int(x1[part].max() + beyond) + 1
            top, bottom = int(max(y0[part].min(), 0)), int(y1[part].max()) + 1
            papers[:, part] = _paper(_some(planes[:, top:bottom, left:right]))[:, None]
    return papers


def _some(shown: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(4, n): at most MOST_PIXELS of the pixels (4, height, width), from all over them."""
    height, width = shown.shape[1:]
    down = -(-height // MOST_ROWS)
    across = -(-width // (MOST_PIXELS // -(-height // down)))
    return shown[:, ::down, ::across].reshape(len(shown), -1)


def _paper(shown: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(4,): of the shades of some pixels, (4, n), those that are most frequent; NaN where none are, as in a
    photograph. Ink has fewer of one shade: its edges are between two.
    """
    step = shown[0] >> 4
    counts = np.bincount(step, minlength=17)
    most = int((counts[:-1] + counts[1:]).argmax())
    alike = np.sort(shown[:, (step == most) | (step == most + 1)])
    if alike.shape[1] < PAPER * shown.shape[1]:
        return np.full(len(shown), np.nan)
    return alike[:, alike.shape[1] // 2].astype(np.float64)
