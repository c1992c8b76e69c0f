"""Turns PDFium's raw characters into clean text whose boxes still match it index by index. Pure."""

import re
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from formats.base.characters import DROPPED, LINE_ENDS, SPACES
from text.normal_forms.clean_form import cleaned
from text.normal_forms.letter_forms import USUAL_FORMS

Codes = NDArray[np.uint32]
Boxes = NDArray[np.float64]

SCALE = 65535
HYPHEN_MARKERS = (0x02, 0xFFFE)  # PDFium joins two lines at a line-end hyphen and leaves one of these
REPLACEMENT = 0xFFFD
CELL_GAP = (
    2.0  # heights of a letter; spaces of justified prose and of titles reach 1.9, gaps of tables start at 2
)
CLOSING = tuple(map(ord, ",.;:!?)]"))  # marks that follow their word without a space
TIGHT = 0.35  # heights of the letter before a mark; spaces that authors typed there start at 0.45
RAISED = 0.15  # heights of the letter before it; so much above its foot stand "®" and numbers of footnotes
MOST_MARKS = 1_000  # of a page, between which and their words raised letters are looked for
SHORT_WORD = 3  # "in" and "con" begin many divided words, so on their own they prove nothing
# How many letters each code point of the basic plane is spelled with.
_LETTERS = np.ones(0x10000, dtype=np.intp)
_LETTERS[list(USUAL_FORMS)] = [len(form) for form in USUAL_FORMS.values()]


def _table(among: Sequence[int]) -> NDArray[np.bool_]:
    """Whether each code point is among these: several times faster than np.isin for a page."""
    table = np.zeros(0x110000, dtype=np.bool_)
    table[list(among)] = True
    return table


_LINE_END, _SPACE, _IS_DROPPED = map(_table, (LINE_ENDS, SPACES, DROPPED))
_WHITE, _CLOSES, _DIVIDES = map(_table, ((0x09, 0x0A, 0x20), CLOSING, HYPHEN_MARKERS))
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def clean(codes: Codes, boxes: Boxes, aspect: float = 1.0) -> tuple[str, Boxes]:
    """Text without control characters, and one box for each of its characters.

    codes: (n,) code points. boxes: (n, 4), fractions of a page that is `aspect` times as wide as high;
    what else stands in a row stays with its character.
    Ligatures are spelled out, their letters sharing one box, and other forms of letters are as people type
    them; every space is a plain one, but for "\\t" where a line goes on in another cell, and none parts a
    mark from its word unless it is printed so; every line ends with "\\n"; a word divided at a line end is
    whole again; a letter and its accents are one character where there is one, whose box is around both.
    """
    codes = codes.copy()
    _join_surrogates(codes)
    before_line_feed = np.append(codes[1:] == 0x0A, False)
    codes[(codes == 0x0D) & before_line_feed] = 0
    codes[_LINE_END[codes]] = 0x0A
    codes[_SPACE[codes]] = 0x20
    _resolve_hyphens(codes)
    control = ((codes < 0x20) & (codes != 0x0A)) | ((codes >= 0x7F) & (codes < 0xA0))
    kept = ~(control | _IS_DROPPED[codes])
    codes, boxes = codes[kept], boxes[kept]
    kept = ~_stray(codes, boxes, aspect)
    codes, boxes = codes[kept], boxes[kept]
    _part_cells(codes, boxes, aspect)
    text = codes.astype("<u4").tobytes().decode("utf-32-le").translate(USUAL_FORMS)
    counts = np.where(codes < len(_LETTERS), _LETTERS[np.minimum(codes, len(_LETTERS) - 1)], 1)
    return _composed(text, np.repeat(boxes, counts, axis=0))


def _composed(text: str, boxes: Boxes) -> tuple[str, Boxes]:
    form = cleaned(text)
    if form.spans is None:
        return text, boxes
    around = boxes[[start for start, _ in form.spans]]
    for place, (start, end) in enumerate(form.spans):
        parts = boxes[start:end]
        inked = parts[(parts[:, 2] > parts[:, 0]) & (parts[:, 3] > parts[:, 1])]
        if end - start > 1 and len(inked):
            around[place, :2], around[place, 2:4] = inked[:, :2].min(axis=0), inked[:, 2:4].max(axis=0)
    return form.text, around


def displayed(boxes: Boxes, frame: Sequence[float], rotation: int) -> Boxes:
    """Boxes as fractions of the displayed page: x0, y0, x1, y1, origin top left.

    boxes: (n, 4) left, right, bottom, top in points. frame: the visible part of the page (left, bottom,
    right, top) in points before rotation. rotation: clockwise quarter turns.
    """
    left, bottom, right, top = frame
    across = (boxes[:, :2] - left) / max(right - left, 1e-6)
    down = (top - boxes[:, 2:]) / max(top - bottom, 1e-6)
    x, y = [(across, down), (1 - down, across), (1 - across, 1 - down), (down, 1 - across)][rotation % 4]
    return np.column_stack([x.min(axis=1), y.min(axis=1), x.max(axis=1), y.max(axis=1)]).clip(0, 1)


def pack(text: str, boxes: Boxes) -> bytes:
    """The stored form (see PageText.boxes); characters without ink or outside the page get zeros."""
    scaled = np.rint(np.nan_to_num(boxes) * SCALE).astype("<u2")
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    invisible = (scaled[:, 0] == scaled[:, 2]) | (scaled[:, 1] == scaled[:, 3])
    scaled[_WHITE[codes] | invisible] = 0
    return zlib.compress(scaled.tobytes(), 1)


def _join_surrogates(codes: Codes) -> None:
    high, low = (codes & 0xFFFFFC00) == 0xD800, (codes & 0xFFFFFC00) == 0xDC00
    first = np.flatnonzero(high[:-1] & low[1:])
    codes[first] = 0x10000 + ((codes[first] - 0xD800) << 10) + (codes[first + 1] - 0xDC00)
    codes[first + 1] = 0
    codes[((codes & 0xFFFFF800) == 0xD800) | (codes > 0x10FFFF)] = REPLACEMENT


def _stray(codes: Codes, boxes: Boxes, aspect: float) -> NDArray[np.bool_]:
    """The spaces between a word and the mark behind it that nobody sees: PDFium adds one where letters change
    their font, and where a raised sign that the file draws later, as in “AirPods®,”, leaves a gap.
    """
    stray = np.zeros(len(codes), dtype=np.bool_)
    printed = np.flatnonzero((codes != 0x20) & (codes != 0x0A))
    left, right = printed[:-1], printed[1:]
    parted = (right - left > 1) & _CLOSES[codes[right]]
    left, right = left[parted], right[parted]
    height = boxes[left, 3] - boxes[left, 1]
    same_line = (height > 0) & (np.abs(boxes[right, 3] - boxes[left, 3]) < height)
    gap = (boxes[right, 0] - boxes[left, 2]) * aspect
    tight = same_line & (-height < gap) & (gap < TIGHT * height)
    filled = np.flatnonzero(same_line & ~tight & (gap > 0))[:MOST_MARKS]
    tight[filled] = [_is_filled(boxes, boxes[left[place]], boxes[right[place]]) for place in filled]
    for start, end in zip(left[tight], right[tight], strict=True):
        stray[start + 1 : end] = codes[start + 1 : end] == 0x20
    return stray


def _is_filled(boxes: Boxes, left: NDArray[np.float64], right: NDArray[np.float64]) -> bool:
    """Whether a raised letter is printed between two others."""
    middle, height = (boxes[:, 0] + boxes[:, 2]) / 2, left[3] - left[1]
    between = (left[2] < middle) & (middle < right[0]) & (boxes[:, 3] > boxes[:, 1])
    raised = (left[1] - height < boxes[:, 1]) & (boxes[:, 3] < left[3] - RAISED * height)
    return bool((between & raised & (boxes[:, 3] > left[1])).any())


def _part_cells(codes: Codes, boxes: Boxes, aspect: float) -> None:
    """Turn the first space of each gap that is wide for its line into a tab: what is right of it is another
    cell of the table, or the text of a numbered item.
    """
    printed = np.flatnonzero(codes != 0x20)
    left, right = printed[:-1], printed[1:]
    parted = (right - left > 1) & (codes[left] != 0x0A) & (codes[right] != 0x0A)
    left, right = left[parted], right[parted]
    heights = boxes[:, 3] - boxes[:, 1]
    ink = heights > 0
    if not len(left) or not ink.any():
        return
    letter = np.maximum(np.median(heights[ink]), np.maximum(heights[left], heights[right]))
    gap = (boxes[right, 0] - boxes[left, 2]) * aspect
    codes[left[gap > CELL_GAP * letter] + 1] = 0x09


def _resolve_hyphens(codes: Codes) -> None:
    """Drop a line-end hyphen when it only divides a word ("exam-ple"), keep it when it belongs
    ("long-term").
    """
    markers = np.flatnonzero(_DIVIDES[codes])
    if not len(markers):
        return
    marked = codes.copy()
    marked[markers] = ord("-")
    text = marked.astype("<u4").tobytes().decode("utf-32-le")
    spots = set(markers.tolist())
    divided = [match for match in _WORD.finditer(text) if "-" in match[0]]
    words = {
        match[0].lower() for match in _WORD.finditer(text) if not spots.intersection(range(*match.span()))
    }
    joined = {
        spot
        for match in divided
        for spot in spots.intersection(range(*match.span()))
        if _divides_a_word(text[match.start() : spot], text[spot + 1 : match.end()], words)
    }
    for spot in spots:
        codes[spot] = 0 if spot in joined else ord("-")


def _divides_a_word(before: str, after: str, words: set[str]) -> bool:
    """Judged by the page's other words: "long-term" elsewhere, or a half standing alone, speaks for a
    hyphen.
    """
    if not (before[-1:].islower() and after[:1].islower()):
        return False
    before, after = before.lower(), after.lower()
    if f"{before}-{after}" in words:
        return False
    stands_alone = after in words or (len(before) > SHORT_WORD and before in words)
    return before + after in words or not stands_alone
