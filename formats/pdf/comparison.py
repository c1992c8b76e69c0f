"""Compares the text of a page with its drawing: a small one shows where to look, a full one decides. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from formats.base.doubts import MOST, Doubt, DoubtKind
from formats.pdf.drawing import Drawing
from formats.pdf.letter_shapes import misread
from formats.pdf.unread import may_be_unread, unread_print
from formats.pdf.unseen import around, unseen_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A page that is to be drawn in full. boxes: (len(text), 4), x0, y0, x1, y1 in fractions of the page, cut
    off at its edges. on_top: of which characters stand on top of the page. height: in points.
    """

    text: str
    boxes: NDArray[np.float64]
    on_top: NDArray[np.bool_] | None
    height: float

    def misread(self) -> list[Doubt]:
        """Parts whose letters are others than those that are printed."""
        return [
            Doubt(kind=DoubtKind.LETTERS, start=start, end=end, box=around(self.boxes[start:end]))
            for start, end in misread(self.text, self.boxes)[:MOST]
        ]

    def may_differ(self, small: Drawing) -> bool:
        """By a small drawing in shades of grey."""
        return may_be_unread(self.boxes, small) or bool(
            unseen_words(self.text, self.boxes, small, self.on_top)
        )

    def doubts(self, full: Drawing) -> list[Doubt]:
        """By a drawing in full size and colour."""
        return unseen_words(self.text, self.boxes, full, self.on_top) + unread_print(
            self.boxes, full, self.height
        )
