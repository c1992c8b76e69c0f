"""From lines of print to the characters of a page, in reading order. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from formats.ocr.layout import Placed, rows

SPACE, LINE_END, HYPHEN = 0x20, 0x0A, 0x2D
DIVIDES = 0x02  # in place of a hyphen and its line end, as PDFium has it
WHITE = (0.0, 0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """codes: (n,) code points. places: (n, 5) left, top, right, bottom as parts of the page, and how sure."""

    codes: NDArray[np.uint32]
    places: NDArray[np.float64]


def assembled(placed: Sequence[Placed[Line]]) -> Line:
    """All of an upright page as one line with line ends."""
    codes: list[NDArray[np.uint32]] = []
    places: list[NDArray[np.float64]] = []
    for row in rows(placed):
        _end_line(codes, places, row[0])
        for number, part in enumerate(row):
            if number:
                _add(codes, places, SPACE)
            codes.append(part.codes)
            places.append(part.places)
    if not codes:
        return Line(codes=np.zeros(0, dtype=np.uint32), places=np.zeros((0, 5)))
    return Line(codes=np.concatenate(codes), places=np.concatenate(places))


def joined(texts: Sequence[Line]) -> Line:
    """Texts that stand one below the other, as one."""
    codes: list[NDArray[np.uint32]] = [np.zeros(0, dtype=np.uint32)]
    places: list[NDArray[np.float64]] = [np.zeros((0, 5))]
    for text in texts:
        if len(text.codes):
            if len(codes) > 1:
                _add(codes, places, LINE_END)
            codes.append(text.codes)
            places.append(text.places)
    return Line(codes=np.concatenate(codes), places=np.concatenate(places))


def _end_line(codes: list[NDArray[np.uint32]], places: list[NDArray[np.float64]], after: Line) -> None:
    """A hyphen behind a letter and before a small one divides a word."""
    if not codes:
        return
    last = codes[-1]
    if len(last) > 1 and last[-1] == HYPHEN and chr(last[-2]).isalpha() and chr(after.codes[0]).islower():
        codes[-1] = np.append(last[:-1], np.uint32(DIVIDES))
    else:
        _add(codes, places, LINE_END)


def _add(codes: list[NDArray[np.uint32]], places: list[NDArray[np.float64]], code: int) -> None:
    codes.append(np.array([code], dtype=np.uint32))
    places.append(np.array([WHITE]))
