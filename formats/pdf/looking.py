"""Looks at a page that may differ from its text: draws it in full, with how its letters are painted."""

from dataclasses import replace
from operator import index
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from formats.base.doubts import Doubt
from formats.base.errors import ExtractionError
from formats.base.sandbox import Frame
from formats.base.values import Limits
from formats.pdf.asking import answer
from formats.pdf.compared.comparison import Compared
from formats.pdf.compared.contrast import Paint
from formats.pdf.compared.drawing import Drawing, shades
from formats.pdf.page_text.clean import displayed

SCALE = 1240 / 612  # pixels a point
MOST_PIXELS = 4_000_000  # a larger page is drawn less finely
LARGEST = 2 * MOST_PIXELS  # of a drawing, as its sides are rounded
MOST_PICTURES = 1_000  # of a page; the child looks for no more
SECONDS = 5.0  # to draw a page; one that takes longer is not compared


def look(
    path: Path, number: int, compared: Compared, password: str | None, limits: Limits
) -> list[Doubt] | None:
    """Where page `number` (from 1) and its text disagree; None where nobody could look, or not in time."""
    scale = min(SCALE, (MOST_PIXELS / max(compared.width * compared.height, 1.0)) ** 0.5)
    request = {
        "do": "look",
        "path": str(path),
        "page": number,
        "width": max(1, int(compared.width * scale)),
        "password": password,
    }
    try:
        frame = answer(request, replace(limits, page_seconds=min(limits.page_seconds, SECONDS)))
        drawing, pictures, painted = _shown(frame)
        return compared.doubts(drawing, Paint.of(painted, compared.numbers, pictures))
    except (ExtractionError, TimeoutError):
        return None


def _shown(frame: Frame) -> tuple[Drawing, NDArray[np.float64], bytes]:
    """The drawing, the boxes of its pictures (m, 4) in fractions of the page, and how its characters are
    painted. A child that was taken over may send anything. Raises ExtractionError.
    """
    try:
        width, height = map(index, (frame.head["width"], frame.head["height"]))
        corners = np.array(frame.head["pictures"], dtype=np.float64).reshape(-1, 4)
        pictures = displayed(corners, frame.head["frame"], frame.head["rotation"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ExtractionError("corrupt") from error
    size = width * height * 3
    fits = min(width, height) > 0 and width * height <= LARGEST and len(frame.body) >= size
    if not fits or len(pictures) > MOST_PICTURES:
        raise ExtractionError("corrupt")
    pixels = np.frombuffer(frame.body, np.uint8, size).reshape(height, width, 3)
    return Drawing(shades(pixels)), pictures, frame.body[size:]
