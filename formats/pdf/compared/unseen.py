"""Words of a page's text of which the page shows nothing: white on white, outside of the page. Pure."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from formats.base.doubts import Doubt, DoubtKind

WORD = re.compile(r"[^\W\d_]{3}")  # numbers alone are those of lines and pages, beside what is cut off
FEWEST = 8  # letters and digits one after the other; fewer may be marks that a drawing leaves out

Flags = NDArray[np.bool_]


def unseen_words(text: str, boxes: NDArray[np.float64], blank: Flags) -> list[Doubt]:
    """boxes: (len(text), 4), x0, y0, x1, y1 in fractions of the page, cut off at its edges. blank: characters
    within the page that nobody can see there.
    """
    outside = _is_outside(boxes)
    found = [flags for flags in (outside, blank) if np.count_nonzero(flags) >= FEWEST]
    if not found:
        return []
    letters = np.fromiter(map(str.isalnum, text), dtype=bool, count=len(text))
    doubts = [
        Doubt(kind=DoubtKind.UNSEEN, start=start, end=end, box=around(boxes[start:end]))
        for flags in found
        for start, end in _runs(text, letters & flags, letters & ~flags)
        if WORD.search(text, start, end)
    ]
    return sorted(doubts, key=lambda doubt: doubt.start)


def _is_outside(boxes: NDArray[np.float64]) -> Flags:
    """Cut off at the page's edge nothing is left of them, on one of the two axes."""
    flat = [
        (boxes[:, low] == boxes[:, low + 2]) & ((boxes[:, low] == 0) | (boxes[:, low] == 1)) for low in (0, 1)
    ]
    return np.asarray(flat[0] ^ flat[1])


def _runs(text: str, flags: Flags, others: Flags) -> Iterator[tuple[int, int]]:
    """From the first to the last flagged letter with none of the other letters between them."""
    flagged = np.flatnonzero(flags)
    stops = np.cumsum(others)
    ends = np.flatnonzero(np.diff(stops[flagged])) + 1
    for run in np.split(flagged, ends):
        if len(run) >= FEWEST:
            start, end = int(run[0]), int(run[-1]) + 1
            while end < len(text) and not text[end].isspace() and not others[end]:
                end += 1  # the marks behind the last word
            yield start, end


def around(boxes: NDArray[np.float64]) -> tuple[float, float, float, float] | None:
    """The box around all that have ink."""
    inked = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    if not len(inked):
        return None
    x0, y0 = inked[:, :2].min(axis=0).tolist()
    x1, y1 = inked[:, 2:4].max(axis=0).tolist()
    return x0, y0, x1, y1
