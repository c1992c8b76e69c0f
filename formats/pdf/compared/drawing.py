"""A page as it is drawn, and where on it something was drawn at all. Pure."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

STROKE = 24  # shades between two neighbouring pixels of which one has ink
FAINT = 10  # shades that are enough for large letters, such as those of a watermark
CELL = 4  # pixels
# How much of a difference in red, green and blue the eye sees, in 1/256: as brightness, and as colour alone.
BRIGHTNESS, COLOUR = (77, 150, 29), (102, 154, 51)


@dataclass(frozen=True)
class Drawing:
    """planes: (1, height, width) of grey, or (4, height, width): the shades of colours."""

    planes: NDArray[np.uint8]

    @property
    def brightness(self) -> NDArray[np.uint8]:
        """(height, width)"""
        return np.asarray(self.planes[0])

    @cached_property
    def _upright(self) -> NDArray[np.uint8]:
        return self._edges(STROKE)

    def _edges(self, least: int) -> NDArray[np.uint8]:
        """(height, width), cut to whole cells: 1 where a pixel differs from its right neighbour."""
        height, width = (side // CELL * CELL for side in self.planes.shape[1:])
        edges = np.zeros((height, width), dtype=np.uint8)
        if width:
            apart = _apart(self.planes[0], height, width)
            for plane in self.planes[1:]:
                np.maximum(apart, _apart(plane, height, width), out=apart)
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
    def _drawn(self) -> NDArray[np.bool_]:
        return _in_squares(self._upright)

    @cached_property
    def _inked(self) -> NDArray[np.int32]:
        return _sums(self._drawn)

    @cached_property
    def _faintly_inked(self) -> NDArray[np.int32]:
        return _sums(_in_squares(self._edges(FAINT)))

    def has_ink(self, boxes: NDArray[np.float64], *, faint: bool = False) -> NDArray[np.bool_]:
        """Whether an upright edge, as each letter has, is drawn in each box or at its side; a line through
        all of them is none. boxes: (n, 4), x0, y0, x1, y1 in fractions of the page. faint: also pale ones.
        """
        inked = self._near_middle(boxes)
        if inked.all():
            return inked
        rest = np.flatnonzero(~inked)
        sums = self._faintly_inked if faint else self._inked
        x0, y0, x1, y1 = squares(boxes[rest], sums.shape[0] - 1, sums.shape[1] - 1)
        inked[rest] = sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0] > 0
        return inked

    def _near_middle(self, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether there is an edge beside the middle of each box, as there is for most letters."""
        if not self._drawn.size:  # a strip that is narrower than a cell
            return np.zeros(len(boxes), dtype=np.bool_)
        near = self._drawn.copy()
        near[1:] |= self._drawn[:-1]
        near[:-1] |= self._drawn[1:]
        across = near.copy()
        across[:, 1:] |= near[:, :-1]
        across[:, :-1] |= near[:, 1:]
        rows, columns = across.shape
        x0, y0, x1, y1 = boxes.T
        x = np.minimum(((x0 + x1) * (columns / 2)).astype(np.intp), columns - 1)
        y = np.minimum(((y0 + y1) * (rows / 2)).astype(np.intp), rows - 1)
        return across[y, x]


def _apart(plane: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
    """(height, width - 1): by how much each pixel differs from its right neighbour."""
    one, other = plane[:height, 1:width], plane[:height, : width - 1]
    apart = np.maximum(one, other)
    apart -= np.minimum(one, other)
    return apart


def shades(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(4, ...): brightness, then red, green and blue, as far as the eye tells them apart. colours: (..., 3).

    Letters of a pale yellow are as hard to see on white as those of a grey that is nearly white.
    """
    channels = [colours[..., channel].astype(np.uint16) for channel in range(3)]
    found = np.empty((4, *colours.shape[:-1]), dtype=np.uint8)
    found[0] = sum(weight * channel for weight, channel in zip(BRIGHTNESS, channels, strict=True)) >> 8
    for plane, weight, channel in zip(found[1:], COLOUR, channels, strict=True):
        plane[...] = (weight * channel) >> 8
    return found


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


def _in_squares(edges: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(height // 2, width // 2): whether there are edges in each square of four pixels."""
    return np.asarray((edges[::2] | edges[1::2]).view(np.uint16) != 0)


def _sums(drawn: NDArray[np.bool_]) -> NDArray[np.int32]:
    """(rows + 1, columns + 1): how many squares with edges are above and left of each corner of a square."""
    rows, columns = drawn.shape
    sums = np.zeros((rows + 1, columns + 1), dtype=np.int32)
    np.cumsum(drawn, axis=1, dtype=np.int32, out=sums[1:, 1:])
    np.cumsum(sums[1:, 1:], axis=0, out=sums[1:, 1:])
    return sums
