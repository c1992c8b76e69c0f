"""Print in the pictures of a page that has text of its own. In the sandbox."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from formats.ocr.engine import Picture, Quad
from formats.ocr.layer import text_at
from formats.pdf.child_process import pictures


def lines_in_pictures(page: Any, picture: Picture, lines: Sequence[Quad]) -> list[list[Quad]]:
    """The lines of each picture on the page, but for those that the page has as text, over or beside it."""
    text = pdfium.FPDFText_LoadPage(page)
    left = [line for line in lines if not text_at(page, text, line, picture).strip()]
    pdfium.FPDFText_ClosePage(text)
    of_pictures = []
    for box in _in_pixels(page, picture):
        of_pictures.append([line for line in left if _is_within(line, box)])
        left = [line for line in left if not _is_within(line, box)]
    return [lines for lines in of_pictures if lines]


def _in_pixels(page: Any, picture: Picture) -> list[list[int]]:
    """Left, top, right, bottom of each picture, from the top of the page to its foot."""
    height, width = picture.shape[:2]
    boxes = []
    for left, right, bottom, top in pictures(page):
        corners = []
        for x, y in ((left, top), (right, bottom)):
            across, down = ctypes.c_int(), ctypes.c_int()
            pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, across, down)
            corners.append((across.value, down.value))
        boxes.append([*np.min(corners, axis=0).tolist(), *np.max(corners, axis=0).tolist()])
    return sorted(boxes, key=lambda box: (box[1], box[0]))


def _is_within(line: Quad, box: Sequence[float]) -> bool:
    left, top, right, bottom = box
    across, down = line.mean(axis=0)
    return bool(left <= across <= right and top <= down <= bottom)
