"""Print in the pictures of a page that has text of its own. In the sandbox."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from formats.ocr.engine import Picture, Quad
from formats.ocr.layer import text_at
from formats.pdf.shapes import pictures


def lines_in_pictures(page: Any, picture: Picture, lines: Sequence[Quad]) -> list[list[Quad]]:
    """The lines of each picture on the page, but for those that the page has as text, over or beside it."""
    return _parted(_without_text(page, picture, lines), _in_pixels(page, picture))


def lines_in_regions(
    page: Any, picture: Picture, lines: Sequence[Quad], regions: Sequence[Sequence[float]]
) -> list[list[Quad]]:
    """The lines of each region, but for those that the page has as text. regions: left, top, right, bottom as
    parts of the page.
    """
    height, width = picture.shape[:2]
    boxes = [
        [left * width, top * height, right * width, bottom * height] for left, top, right, bottom in regions
    ]
    return _parted(_without_text(page, picture, lines), boxes)


def _without_text(page: Any, picture: Picture, lines: Sequence[Quad]) -> list[Quad]:
    text = pdfium.FPDFText_LoadPage(page)
    left = [line for line in lines if not text_at(page, text, line, picture).strip()]
    pdfium.FPDFText_ClosePage(text)
    return left


def _parted(lines: Sequence[Quad], boxes: Sequence[Sequence[float]]) -> list[list[Quad]]:
    """By the box that each line is in."""
    left, parts = list(lines), []
    for box in boxes:
        parts.append([line for line in left if _is_within(line, box)])
        left = [line for line in left if not _is_within(line, box)]
    return [part for part in parts if part]


def _in_pixels(page: Any, picture: Picture) -> list[Sequence[float]]:
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
