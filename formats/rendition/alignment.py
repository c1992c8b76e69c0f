"""The file's own text with the boxes of the characters as they are drawn. Pure.

What a PDF gives back is not quite what was typeset: blank lines and indents are gone, a letter that no font
has may be lost, a word at a line end is joined. The file's text is the truth; the rendition gives it places.
"""

import zlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from formats.base.values import PageText

MAX_ALIGNED = 20_000  # characters of a page; the time of an alignment grows with their square


def with_source_text(drawn: PageText, text: str) -> PageText:
    """The drawn page with the text that the file has there; characters that were not drawn have no box.

    Nor has any where a page of more than MAX_ALIGNED characters was not drawn as it is written.
    """
    shown, places = _printed(drawn.text), _printed(text)
    boxes = np.zeros((len(text), 4), dtype="<u2")
    drawn_boxes = np.frombuffer(zlib.decompress(drawn.boxes), dtype="<u2").reshape(-1, 4)
    before, after = _at(drawn.text, shown), _at(text, places)
    if before == after:
        boxes[places] = drawn_boxes[shown]
    elif max(len(before), len(after)) <= MAX_ALIGNED:
        for same in Levenshtein.opcodes(before, after):
            if same.tag == "equal":
                boxes[places[same.dest_start : same.dest_end]] = drawn_boxes[
                    shown[same.src_start : same.src_end]
                ]
    return replace(drawn, text=text, boxes=zlib.compress(boxes.tobytes(), 1), readable=True)


def _printed(text: str) -> NDArray[np.intp]:
    """Where the characters are that are no white space."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    return np.flatnonzero(~np.isin(codes, (0x09, 0x0A, 0x20)))


def _at(text: str, places: NDArray[np.intp]) -> str:
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    return codes[places].tobytes().decode("utf-32-le")
