"""A page as it is drawn, and where on it something was drawn at all. Pure."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

STROKE = 24  # shades between two neighbouring pixels of which one has ink
FAINT = 10  # shades that are enough for large letters, such as those of a watermark
CELL = 4  # pixels
# How much of a difference in red, green and blue the eye sees: as brightness, and as colour alone.
SEEN = np.array([[0.3, 0.59, 0.11], [0.4, 0, 0], [0, 0.6, 0], [0, 0, 0.2]], dtype=np.float32)


@dataclass(frozen=True)
class Drawing:
    """pixels: (height, width) shades of grey, or (height, width, 4): the shades of colours."""

    pixels: NDArray[np.uint8]

    @cached_property
    def _upright(self) -> NDArray[np.uint8]:
        return self._edges(STROKE)

    def _edges(self, least: int) -> NDArray[np.uint8]:
        """(height, width), cut to whole cells: 1 where a pixel differs from its right neighbour."""
        height, width = (side // CELL * CELL for side in self.pixels.shape[:2])
        edges = np.zeros((height, width), dtype=np.uint8)
        if width:
            one, other = self.pixels[:height, 1:width], self.pixels[:height, : width - 1]
            apart = np.maximum(one, other)
            apart -= np.minimum(one, other)
            apart = apart if apart.ndim == 2 else apart.max(axis=2)
            np.greater_equal(apart, least, out=edges[:, : width - 1].view(np.bool_))
        return edges

    @cached_property
    def strokes(self) -> NDArray[np.uint32]:
        """(height // 4, width // 4): how many of a cell's pixels differ from their right neighbour, as at an
        upright stroke of a letter.
        """
        edges = self._upright
        rows = edges[::CELL] + edges[1::CELL] + edges[2::CELL] + edges[3::CELL]
        return (rows.view(np.uint32) * np.uint32(0x01010101)) >> np.uint32(24)  # the sum of its four bytes

    @cached_property
    def _inked(self) -> NDArray[np.int32]:
        return _sums(self._upright)

    @cached_property
    def _faintly_inked(self) -> NDArray[np.int32]:
        return _sums(self._edges(FAINT))

    def has_ink(self, boxes: NDArray[np.float64], *, faint: bool = False) -> NDArray[np.bool_]:
        """Whether an upright edge, as each letter has, is drawn in each box or at its side; a line through
        all of them is none. boxes: (n, 4), x0, y0, x1, y1 in fractions of the page. faint: also pale ones.
        """
        sums = self._faintly_inked if faint else self._inked
        x0, y0, x1, y1 = squares(boxes, sums.shape[0] - 1, sums.shape[1] - 1)
        return np.asarray(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0] > 0)


def shades(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(..., 4): brightness, then red, green and blue, as far as the eye tells them apart. colours: (..., 3).

    Letters of a pale yellow are as hard to see on white as those of a grey that is nearly white.
    """
    return np.asarray(np.rint(colours @ SEEN.T).astype(np.uint8))


def squares(
    boxes: NDArray[np.float64], rows: int, columns: int, grown: float = 0.5
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Left, top, right, bottom of each box on a grid, in squares, with `grown` all around."""
    x0, y0, x1, y1 = boxes.T
    return (
        np.maximum((x0 * columns - grown).astype(np.intp), 0),
        np.maximum((y0 * rows - grown).astype(np.intp), 0),
        np.minimum((x1 * columns + (grown + 1)).astype(np.intp), columns),
        np.minimum((y1 * rows + (grown + 1)).astype(np.intp), rows),
    )


def _sums(edges: NDArray[np.uint8]) -> NDArray[np.int32]:
    """(height // 2 + 1, width // 2 + 1): in how many squares of four pixels there are edges, above and left
    of each corner of a square.
    """
    height, width = edges.shape
    drawn = (edges[::2] | edges[1::2]).view(np.uint16) != 0
    sums = np.zeros((height // 2 + 1, width // 2 + 1), dtype=np.int32)
    np.cumsum(drawn, axis=1, dtype=np.int32, out=sums[1:, 1:])
    np.cumsum(sums[1:, 1:], axis=0, out=sums[1:, 1:])
    return sums
