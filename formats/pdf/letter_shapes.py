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
    parts = [
        (int(at[first]), int(at[last - 1]) + 1)
        for first, last in letters.parts()
        if letters.are_unlike(first, last)
    ]
    return list(_joined(part for part in parts if not _reads(text[slice(*part)])))


class _Letters:
    """Of a page: their codes (n,), their boxes (n, 4), the number of the line of each."""

    def __init__(self, codes: NDArray[np.uint32], boxes: Boxes, line: NDArray[np.intp]) -> None:
        self._codes, self._boxes, self._line = codes, boxes, line
        self._count = np.bincount(line)
        width = boxes[:, 2] - boxes[:, 0]
        self._width = self._alike_by_letter(width, width, _WIDTHS)

    def parts(self) -> Iterator[tuple[int, int]]:
        """First and last letter of each group of lines with enough letters."""
        first = last = 0
        for count in self._count.tolist():
            last += count
            if last - first >= FEWEST:
                yield first, last
                first = last

    def are_unlike(self, first: int, last: int) -> bool:
        """Whether letters first to last have other shapes than expected. Most are told by their width."""
        widths = _alike(self._width, first, last)
        if widths is None or widths >= ALIKE:
            return False
        tops, feet = (_alike(sums, first, last) for sums in self._heights)
        if tops is None:  # capitals alone are too much alike
            return False
        told = [each for each in (widths, tops, feet) if each is not None]
        return sum(told) < ALIKE * len(told)

    @cached_property
    def _heights(self) -> list[NDArray[np.float64]]:
        tall = self._boxes[:, 3] - self._boxes[:, 1]
        return [
            self._alike_by_letter(self._boxes[:, side], tall, expected)
            for side, expected in ((1, _TOPS), (3, _FEET))
        ]

    def _alike_by_letter(
        self, printed: NDArray[np.float64], size: NDArray[np.float64], expected: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """(n, 3): sums up to each letter of printed times expected, and of the squares of both, as far as
        they are from the mean of their line; printed in mean sizes of a letter of the line.
        """
        line = self._line
        mean = np.bincount(line, printed) / self._count
        apart = (printed - mean[line]) / (np.bincount(line, size) / self._count)[line]
        apart[np.abs(apart) > FARTHEST] = 0
        wanted = expected[self._codes]
        wanted -= (np.bincount(line, wanted) / self._count)[line]
        return np.cumsum([apart * wanted, apart**2, wanted**2], axis=1).T


def _alike(sums: NDArray[np.float64], first: int, last: int) -> float | None:
    """The correlation of letters first to last; None where they are all of one size."""
    both, printed, expected = (sums[last - 1] - (sums[first - 1] if first else 0)).tolist()
    if printed < LEAST_SPREAD**2 * (last - first) or expected <= 1e-6:
        return None
    return float(both / (printed * expected) ** 0.5)


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
