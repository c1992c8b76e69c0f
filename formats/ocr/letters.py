"""Where the letters of a line stand: from the columns in which they were read to boxes around their ink."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from formats.ocr.engine import Picture, Quad, ReadLine, sides

INK_CONTRAST = 12  # shades of grey between paper and ink; less is no print
SPREAD = (2, 98)  # percentiles of a line's shades: its darkest and its lightest


def letter_boxes(straight: Picture, quad: Quad, read: ReadLine) -> NDArray[np.float64]:
    """(n, 4) left, top, right, bottom in pixels of the page, for each letter of the line.

    straight: the line as `straighten` gives it, quad its corners on the page.
    """
    ink = _ink(np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY), dtype=np.uint8))
    width, height = sides(quad)
    edges = np.rint(_edges(read.centres) * width).astype(int).clip(0, width)
    cells = [_tight(ink, left, right, height) for left, right in pairwise(edges)]
    return _on_page(np.array(cells, dtype=np.float32).reshape(-1, 4), quad, width, height)


def _edges(centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Halfway between each two letters; the outer ones as far from their letter as its other side is."""
    between = (centres[:-1] + centres[1:]) / 2
    if not len(between):
        return np.array([0.0, 1.0])
    first, last = 2 * centres[0] - between[0], 2 * centres[-1] - between[-1]
    return np.concatenate([[first], between, [last]])


def _ink(shades: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where there is ink, be it darker than its paper or lighter."""
    paper = float(np.median(shades))
    darkest, lightest = np.percentile(shades, SPREAD)
    if max(paper - darkest, lightest - paper) < INK_CONTRAST:
        return np.zeros(shades.shape, dtype=bool)
    if paper - darkest >= lightest - paper:
        return shades < (paper + darkest) / 2
    return shades > (paper + lightest) / 2


def _tight(ink: NDArray[np.bool_], left: int, right: int, height: int) -> tuple[int, int, int, int]:
    """The cell of a letter shrunk to its ink; the whole cell where there is none."""
    part = ink[:, left:right]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(rows):
        return left, 0, max(right, left + 1), height
    return left + int(columns[0]), int(rows[0]), left + int(columns[-1]) + 1, int(rows[-1]) + 1


def _on_page(boxes: NDArray[np.float32], quad: Quad, width: int, height: int) -> NDArray[np.float64]:
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    back = cv2.getPerspectiveTransform(source, quad)
    corners = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 1, 2)
    placed = cv2.perspectiveTransform(corners, back).reshape(-1, 4, 2)
    return np.hstack([placed.min(axis=1), placed.max(axis=1)]).astype(np.float64)
