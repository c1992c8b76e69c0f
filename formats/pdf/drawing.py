"""A page as it is drawn, and where on it something was drawn at all. Pure."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

STROKE = 24  # shades of grey between two neighbouring pixels of which one has ink
CELL = 4  # pixels


@dataclass(frozen=True)
class Drawing:
    """pixels: (height, width) shades of grey or (height, width, 3) colours."""

    pixels: NDArray[np.uint8]

    @cached_property
    def _upright(self) -> NDArray[np.uint8]:
        """(height, width), cut to whole cells: 1 where a pixel differs from its right neighbour."""
        height, width = (side // CELL * CELL for side in self.pixels.shape[:2])
        edges = np.zeros((height, width), dtype=np.uint8)
        if width:
            _differ(self.pixels[:height, 1:width], self.pixels[:height, : width - 1], edges[:, : width - 1])
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
    def _counted(self) -> NDArray[np.int32]:
        """(height // 2 + 1, width // 2 + 1): in how many squares of four pixels something is drawn, above and
        left of each corner of a square.
        """
        edges = self._upright.copy()
        height, width = edges.shape
        level = np.empty((max(height - 1, 0), width), dtype=np.uint8)
        if height:
            _differ(self.pixels[1:height, :width], self.pixels[: height - 1, :width], level)
            edges[:-1] |= level
        drawn = (edges[::2] | edges[1::2]).view(np.uint16) != 0
        sums = np.zeros((height // 2 + 1, width // 2 + 1), dtype=np.int32)
        np.cumsum(drawn, axis=1, dtype=np.int32, out=sums[1:, 1:])
        np.cumsum(sums[1:, 1:], axis=0, out=sums[1:, 1:])
        return sums

    def has_ink(self, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether anything is drawn in each box or at its edge. boxes: (n, 4), x0, y0, x1, y1 in fractions of
        the page.
        """
        sums = self._counted
        rows, columns = sums.shape[0] - 1, sums.shape[1] - 1
        x0, y0, x1, y1 = squares(boxes, rows, columns)
        return np.asarray(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0] > 0)


def squares(
    boxes: NDArray[np.float64], rows: int, columns: int, grown: float = 0.5
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Left, top, right, bottom of each box on a grid, in squares, with `grown` all around."""
    scaled = boxes * (columns, rows, columns, rows)
    x0, y0 = np.floor(scaled[:, :2] - grown).clip(0, (columns, rows)).astype(np.intp).T
    x1, y1 = np.ceil(scaled[:, 2:4] + grown).clip(0, (columns, rows)).astype(np.intp).T
    return x0, y0, x1, y1


def _differ(one: NDArray[np.uint8], other: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Set to 1 or 0 whether the pixels of two pictures have other shades."""
    apart = np.maximum(one, other)
    apart -= np.minimum(one, other)
    np.greater_equal(apart if apart.ndim == 2 else apart.max(axis=2), STROKE, out=out.view(np.bool_))
