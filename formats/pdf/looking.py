"""Looks at a page that may differ from its text: draws it in full, with how its letters are painted."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from formats.base.doubts import Doubt
from formats.base.errors import ExtractionError
from formats.base.values import Limits
from formats.pdf.asking import answer
from formats.pdf.clean import displayed
from formats.pdf.comparison import Compared
from formats.pdf.contrast import Paint
from formats.pdf.drawing import Drawing, shades

SCALE = 1240 / 612  # pixels a point
MOST_PIXELS = 4_000_000  # a larger page is drawn less finely
SECONDS = 5.0  # to draw a page; one that takes longer is not compared


def look(
    path: Path, number: int, compared: Compared, password: str | None, limits: Limits
) -> list[Doubt] | None:
    """Where page `number` (from 1) and its text disagree; None where that takes too long."""
    scale = min(SCALE, (MOST_PIXELS / max(compared.width * compared.height, 1.0)) ** 0.5)
    request = {
        "do": "look", "path": str(path), "page": number, "width": max(1, int(compared.width * scale)),
        "password": password,
    }  # fmt: skip
    try:
        frame = answer(request, replace(limits, page_seconds=min(limits.page_seconds, SECONDS)))
    except ExtractionError:
        return None
    head, size = frame.head, frame.head["width"] * frame.head["height"] * 3
    if len(frame.body) < size:
        return None
    pixels = np.frombuffer(frame.body, np.uint8, size).reshape(head["height"], head["width"], 3)
    corners = np.array(head["pictures"], dtype=np.float64).reshape(-1, 4)
    pictures = displayed(corners, head["frame"], head["rotation"])
    paint = Paint.of(frame.body[size:], compared.numbers, pictures)
    try:
        return compared.doubts(Drawing(shades(pixels)), paint)
    except TimeoutError:
        return None
