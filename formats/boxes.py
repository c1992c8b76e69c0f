"""Where characters stand on a page: one rectangle a line, from the boxes of its characters. Pure."""

import zlib

import numpy as np
from numpy.typing import NDArray

from formats.base.values import Rect

LINE_GAP = 50.0  # between two letters of one line, in 1/1000 of the page; a wider gap begins a new rectangle
LINE_OVERLAP = 0.4  # of the lower of two boxes; less puts them on different lines


def boxes_of(start: int, end: int, page_boxes: bytes, n_chars: int) -> list[Rect]:
    """One tight rectangle for each line of the characters start to end of a page, in reading order.

    page_boxes: as in PageText.boxes, for a page of `n_chars` characters. Characters without ink are skipped.
    """
    boxes = np.frombuffer(zlib.decompress(page_boxes), dtype="<u2").reshape(n_chars, 4)[max(0, start) : end]
    inked = boxes[boxes.any(axis=1)] / 65.535
    if _runs_vertically(inked):
        return [Rect(x0=y0, y0=x0, x1=y1, y1=x1) for x0, y0, x1, y1 in _lines(inked[:, [1, 0, 3, 2]])]
    return [Rect(x0=x0, y0=y0, x1=x1, y1=y1) for x0, y0, x1, y1 in _lines(inked)]


def _runs_vertically(inked: NDArray[np.float64]) -> bool:
    """Whether the text runs down or up the displayed page, judged by the steps from letter to letter."""
    centres = (inked[:, :2] + inked[:, 2:]) / 2
    steps = np.abs(np.diff(centres, axis=0))
    return len(steps) > 1 and bool(np.median(steps[:, 1]) > np.median(steps[:, 0]))


def _lines(boxes: NDArray[np.float64]) -> list[tuple[float, float, float, float]]:
    lines: list[tuple[float, float, float, float]] = []
    for x0, y0, x1, y1 in boxes.tolist():
        if lines:
            left, top, right, bottom = lines[-1]
            overlap = min(bottom, y1) - max(top, y0)
            gap = max(left, x0) - min(right, x1)
            if overlap > LINE_OVERLAP * min(bottom - top, y1 - y0) and gap < LINE_GAP:
                lines[-1] = (min(left, x0), min(top, y0), max(right, x1), max(bottom, y1))
                continue
        lines.append((x0, y0, x1, y1))
    return lines
