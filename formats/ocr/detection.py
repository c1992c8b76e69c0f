"""Where the lines of a page stand: a tall page is looked at in parts, so that small print stays legible."""

from collections.abc import Iterator

import cv2
import numpy as np

from formats.ocr.engine import Engine, Picture, Quad

LONGEST = 2400  # pixels of a part that is looked at in one go: a page of A4
OVERLAP = 240  # pixels of two parts; more than a line is high
MARGIN = 32  # pixels of paper around a picture, in which print may touch the edge
INK_SHARE = 0.0005  # of the pixels; a page with less is blank
INK_CONTRAST = 32  # shades of grey from the paper
LOOKED_AT = 600  # pixels across, to look for ink


def has_ink(picture: Picture) -> bool:
    """Whether there is more on the page than its paper."""
    scale = LOOKED_AT / max(LOOKED_AT, picture.shape[1])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    shades = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.int16)
    return bool((np.abs(shades - np.median(shades)) > INK_CONTRAST).mean() > INK_SHARE)


def find_lines(engine: Engine, picture: Picture) -> list[Quad]:
    """The lines of the whole picture, in its pixels."""
    framed = cv2.copyMakeBorder(picture, MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_REPLICATE)
    found: list[Quad] = []
    for top, bottom, first, last in _parts(framed.shape[0]):
        for line in engine.find(np.ascontiguousarray(framed[top:bottom])):
            middle = float(line[:, 1].mean()) + top
            if first <= middle < last:
                found.append(line + np.array([-MARGIN, top - MARGIN], dtype=np.float32))
    return found


def _parts(height: int) -> Iterator[tuple[int, int, float, float]]:
    """Top and bottom of each part, and between which heights the lines are its own."""
    count = max(1, -(-(height - OVERLAP) // (LONGEST - OVERLAP)))
    step = (height - OVERLAP) / count if count > 1 else height
    for number in range(count):
        top = round(number * step)
        bottom = height if number == count - 1 else round(top + step + OVERLAP)
        first = top + OVERLAP / 2 if number else -np.inf
        last = bottom - OVERLAP / 2 if number < count - 1 else np.inf
        yield top, bottom, first, last
