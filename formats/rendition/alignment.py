"""The file's own text with the boxes of the characters as they are drawn. Pure.

What a PDF gives back is not quite what was typeset: blank lines and indents are gone, a letter that no font
has may be lost, a word at a line end is joined. The file's text is the truth; the rendition gives it places.
"""

import zlib
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from formats.base.values import PageText

MAX_ALIGNED = 6_000  # characters at once; the time of an alignment grows with their square
TRUSTED = 4_500  # of these
ANCHOR = 24  # characters that, found once in both, stand for the same place
ANCHORS_TRIED = 16
SHORTEST_MOVED = 2  # characters in a row that are looked for elsewhere on the page


def with_source_text(drawn: PageText, text: str) -> PageText:
    """The drawn page with the text that the file has there; characters that were not drawn have no box."""
    shown, places = printed(drawn.text), printed(text)
    boxes = np.zeros((len(text), 4), dtype="<u2")
    drawn_boxes = boxes_of_page(drawn)
    for start, begun, length in _same(letters_at(drawn.text, shown), letters_at(text, places)):
        boxes[places[begun : begun + length]] = drawn_boxes[shown[start : start + length]]
    return replace(drawn, text=text, boxes=zlib.compress(boxes.tobytes(), 1), readable=True)


def boxes_of_page(page: PageText) -> NDArray[np.uint16]:
    """(n, 4), as PageText.boxes says."""
    return np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4)


def printed(text: str) -> NDArray[np.intp]:
    """Where the characters are that are no white space."""
    return np.flatnonzero(~np.isin(_codes(text), (0x09, 0x0A, 0x20)))


def letters_at(text: str, places: NDArray[np.intp]) -> str:
    return _codes(text)[places].tobytes().decode("utf-32-le")


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le"), dtype="<u4")


def _same(before: str, after: str) -> Iterator[tuple[int, int, int]]:
    """Runs of characters that are the same in both: where in `before`, where in `after`, how long.

    What is drawn in another order than it is written is found as well, where it stands only once.
    """
    if before == after:
        yield 0, 0, len(after)
        return
    left_before, missing = list(before), np.ones(len(after), dtype=bool)
    for start, begun, length in _in_order(before, after, 0, 0):
        yield start, begun, length
        left_before[start : start + length] = "\0" * length
        missing[begun : begun + length] = False
    rest = "".join(left_before)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], missing, [False]]).astype(np.int8)))
    for begun, end in edges.reshape(-1, 2).tolist():
        start = rest.find(after[begun:end]) if end - begun >= SHORTEST_MOVED else -1
        if start >= 0:
            yield start, begun, end - begun


def _in_order(before: str, after: str, start: int, begun: int) -> Iterator[tuple[int, int, int]]:
    if same_start := Prefix.similarity(before, after):
        yield start, begun, same_start
        before, after = before[same_start:], after[same_start:]
        start, begun = start + same_start, begun + same_start
    if same_end := Postfix.similarity(before, after):
        before, after = before[:-same_end], after[:-same_end]
        yield start + len(before), begun + len(after), same_end
    if max(len(before), len(after)) <= MAX_ALIGNED:
        yield from _aligned(before, after, start, begun)
        return
    here, there = _anchor(before, after) or (0, 0)
    if there:
        yield from _in_order(before[:here], after[:there], start, begun)
    else:  # a stretch; what is near its end may belong to what comes behind it
        here = there = TRUSTED
        for one, other, length in _aligned(before[:MAX_ALIGNED], after[:MAX_ALIGNED], 0, 0):
            if other < TRUSTED:
                yield start + one, begun + other, length
                here, there = max(TRUSTED, one + length), max(TRUSTED, other + length)
    yield from _in_order(before[here:], after[there:], start + here, begun + there)


def _aligned(before: str, after: str, start: int, begun: int) -> Iterator[tuple[int, int, int]]:
    for same in Levenshtein.opcodes(before, after):
        if same.tag == "equal":
            yield start + same.src_start, begun + same.dest_start, same.dest_end - same.dest_start


def _anchor(before: str, after: str) -> tuple[int, int] | None:
    """A place near the middle that both have: what stands there is found once in each."""
    step = max(1, len(after) // (2 * ANCHORS_TRIED))
    for number in range(ANCHORS_TRIED):
        place = len(after) // 2 + (step * ((number + 1) // 2)) * (-1 if number % 2 else 1)
        piece = after[place : place + ANCHOR]
        if len(piece) == ANCHOR and after.count(piece) == 1 and before.count(piece) == 1:
            return before.find(piece), place
    return None
