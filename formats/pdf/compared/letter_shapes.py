"""Whether the printed letters can be those of the text, by their height, their foot and their width. Pure.

A font may say of its letters that they are others. Then the text is rubbish, or worse: other words. But what
is printed keeps its shape: an "l" is tall and narrow, an "m" is low and wide, a "p" goes below the line.
"""

import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from text.languages import language_of, small_words

FEWEST = 120  # Latin letters that are judged together
ALIKE = 0.45  # correlation of expected and printed shapes; of widths right texts have 0.5 and more
LEAST_SPREAD = 0.08  # heights of a letter; print whose letters are all of one size tells nothing
FARTHEST = 2.0  # heights of a letter from the middle of its line: what is farther is in another line
_TALL, _DEEP = "bdfhklt" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "gjpqyQ"
_NARROW, _WIDE = "fijlrtIJ", "mwMWQOGDNHU"

Boxes = NDArray[np.float64]


def _table(letters: str, value: float) -> NDArray[np.float64]:
    table = np.zeros(128)
    table[[ord(letter) for letter in letters]] = value
    return table


_IS_LETTER = np.array([chr(code).isalpha() for code in range(128)])  # all beyond are at 127, which is none
_TOPS, _FEET = _table(_TALL, -1.0), _table(_DEEP, 1.0)
_WIDTHS = _table(_WIDE, 1.0) + _table(_NARROW, -1.0)


def misread(text: str, boxes: Boxes) -> list[tuple[int, int]]:
    """Start and end of the parts of the text whose letters cannot be those that are printed.

    boxes: (len(text), 4), x0, y0, x1, y1 in fractions of the page.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype="<u4")
    line = np.cumsum(codes == 0x0A)
    at = np.flatnonzero(_IS_LETTER[np.minimum(codes, 127)])
    printed = np.asfortranarray(boxes[at])  # each side is used on its own
    kept = (printed[:, 2] > printed[:, 0]) & (printed[:, 3] > printed[:, 1])
    kept &= _runs_across(line[at], printed)
    if not kept.all():
        at, printed = at[kept], np.asfortranarray(printed[kept])
    if len(at) < FEWEST:
        return []
    letters = _Letters(codes[at], printed, np.cumsum(np.diff(line[at], prepend=line[at[0]]) > 0))
    parts = [(int(at[first]), int(at[last - 1]) + 1) for first, last in letters.unlike()]
    return list(_joined(part for part in parts if not _reads(text[slice(*part)])))


class _Letters:
    """Of a page: their codes (n,), their boxes (n, 4), the number of the line of each."""

    def __init__(self, codes: NDArray[np.uint32], boxes: Boxes, line: NDArray[np.intp]) -> None:
        self._codes, self._boxes, self._line = codes, boxes, line
        self._count = np.bincount(line)
        self._firsts, self._lasts = self._parts()

    def unlike(self) -> Iterator[tuple[int, int]]:
        """First and last letter of each part that has other shapes than expected. Most are told by width."""
        width = self._boxes[:, 2] - self._boxes[:, 0]
        widths = self._alike(width, width, _WIDTHS)
        for part in np.flatnonzero(widths < ALIKE).tolist():
            tops, feet = (float(alike[part]) for alike in self._heights)
            if np.isnan(tops):  # capitals alone are too much alike
                continue
            told = [each for each in (float(widths[part]), tops, feet) if not np.isnan(each)]
            if sum(told) < ALIKE * len(told):
                yield int(self._firsts[part]), int(self._lasts[part])

    def _parts(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """First and last letter of each group of lines with enough letters."""
        lasts, first, last = [], 0, 0
        for count in self._count.tolist():
            last += count
            if last - first >= FEWEST:
                lasts.append(last)
                first = last
        return np.array([0, *lasts[:-1]]), np.array(lasts)

    @cached_property
    def _heights(self) -> list[NDArray[np.float64]]:
        tall = self._boxes[:, 3] - self._boxes[:, 1]
        return [
            self._alike(self._boxes[:, side], tall, expected) for side, expected in ((1, _TOPS), (3, _FEET))
        ]

    def _alike(
        self, printed: NDArray[np.float64], size: NDArray[np.float64], expected: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """For each part the correlation of what is printed with what is expected, as far as both are from
        the mean of their line; NaN where all is of one size. printed: in any unit, `size` in the same one.
        """
        line = self._line
        mean = np.bincount(line, printed) / self._count
        apart = (printed - mean[line]) / (np.bincount(line, size) / self._count)[line]
        apart[np.abs(apart) > FARTHEST] = 0
        wanted = expected[self._codes]
        wanted -= (np.bincount(line, wanted) / self._count)[line]
        end = self._lasts[-1]
        products = (apart * wanted, apart * apart, wanted * wanted)
        both, spread, hoped = (np.add.reduceat(product[:end], self._firsts) for product in products)
        tells = (spread >= LEAST_SPREAD**2 * (self._lasts - self._firsts)) & (hoped > 1e-6)
        alike = np.full(len(tells), np.nan)
        alike[tells] = both[tells] / np.sqrt(spread[tells] * hoped[tells])
        return alike


def _runs_across(line: NDArray[np.intp], boxes: Boxes) -> NDArray[np.bool_]:
    """Which letters are in lines that run across the page, not up or down."""
    if not len(line):
        return np.zeros(0, dtype=np.bool_)
    same = line[1:] == line[:-1]
    x, y = boxes[:, 0], boxes[:, 1]
    further = (np.abs(x[1:] - x[:-1]) - np.abs(y[1:] - y[:-1])) * same
    return np.asarray(np.bincount(line[1:], further, minlength=int(line[-1]) + 1) >= 0)[line]


def _reads(part: str) -> bool:
    return bool(small_words(language_of(part))) or not re.search(r"[^\W\d_]{3}", part)


def _joined(parts: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    whole: tuple[int, int] | None = None
    for start, end in parts:
        if whole and start - whole[1] <= 2:
            whole = whole[0], end
            continue
        if whole:
            yield whole
        whole = start, end
    if whole:
        yield whole
