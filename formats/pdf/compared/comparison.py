"""Compares the text of a page with its drawing: a small one shows where to look, a full one decides."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from formats.base.doubts import Doubt, DoubtKind, at_most
from formats.pdf.compared.contrast import Paint
from formats.pdf.compared.drawing import Drawing
from formats.pdf.compared.letter_shapes import misread
from formats.pdf.compared.overprint import has_overprint
from formats.pdf.compared.unread import may_be_unread, unread_print
from formats.pdf.compared.unseen import around, unseen_words

SPACE = 0x20
LARGE = 24.0  # points; letters of this size are seen when they are pale


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A page and its text. boxes: (len(text), 4), x0, y0, x1, y1 in fractions of the page, cut off at its
    edges. numbers: (len(text),) of each character among those that the file has on the page, from 1; 0 for
    what is none of them. rules: (m, 3), y, x0, x1 of the level lines on the page, in fractions of it. width,
    height: in points.
    """

    text: str
    boxes: NDArray[np.float64]
    numbers: NDArray[np.intp]
    rules: NDArray[np.float64]
    width: float
    height: float

    @cached_property
    def _inked(self) -> NDArray[np.intp]:
        """Which characters have a place on the page."""
        codes = np.frombuffer(self.text.encode("utf-32-le", "replace"), dtype="<u4")
        x0, y0, x1, y1 = self.boxes.T
        return np.flatnonzero((codes > SPACE) & (x1 > x0) & (y1 > y0))

    @cached_property
    def _places(self) -> NDArray[np.float64]:
        """The boxes of these, column by column in memory: each is used on its own."""
        return np.asfortranarray(self.boxes[self._inked])

    def misread(self) -> list[Doubt]:
        """Parts whose letters are others than those that are printed."""
        return at_most(
            Doubt(kind=DoubtKind.LETTERS, start=start, end=end, box=around(self.boxes[start:end]))
            for start, end in misread(self.text, self.boxes)
        )

    def may_differ(self, small: Drawing) -> bool:
        """By a small drawing in shades of grey, which has what is on top of the page as well."""
        return (
            may_be_unread(self._places, small)
            or has_overprint(self._places, self.rules, self.width / max(self.height, 1.0))
            or bool(self._unseen(small))
        )

    def doubts(self, full: Drawing, paint: Paint) -> list[Doubt]:
        """By a drawing in full size and colour. paint: of the characters of the text. Raises TimeoutError."""
        return at_most(self._unseen(full, paint)) + at_most(unread_print(self._places, full, self.height))

    def skipped(self) -> list[Doubt]:
        """What is said of a page that nobody could look at."""
        return [Doubt(kind=DoubtKind.SKIPPED, end=len(self.text))]

    def _unseen(self, drawing: Drawing, paint: Paint | None = None) -> list[Doubt]:
        blank = np.zeros(len(self.text), dtype=np.bool_)
        blank[self._inked] = ~drawing.has_ink(self._places)
        at = np.flatnonzero(blank)
        large = at[self._is_large(self.boxes[at])]
        blank[large] = ~drawing.has_ink(self.boxes[large], faint=True) if len(large) else False
        if paint is not None:
            blank[self._inked] |= paint.at(self._inked).hides(
                self._places, self._is_large(self._places), drawing
            )
        return unseen_words(self.text, self.boxes, blank)

    def _is_large(self, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        sides = (boxes[:, 2:] - boxes[:, :2]) * (self.width, self.height)
        return np.asarray(sides.max(axis=1, initial=0) >= LARGE)
