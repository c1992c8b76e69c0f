"""Crops of a table's row are cut between the rows around it."""

import zlib

import numpy as np

from formats.base.values import Rect
from ingestion.models import Page
from reader.page_images import _between_rows, _table_rows

TEXT = "B1\tkept in Leeds\nand Leiden\tno\nB2\tkept for 90 days"
TOPS = {"B1\tkept in Leeds": 100, "and Leiden": 120, "no": 120, "B2": 160, "kept for 90": 160, "days": 180}
HEIGHT = 14


def page() -> Page:
    """B1 is printed on two lines, and so is B2."""
    text = TEXT.replace("\nand", " and")
    boxes = np.zeros((len(text), 4))
    for words, top in TOPS.items():
        start = text.index(words)
        for at in range(start, start + len(words)):
            if not text[at].isspace():
                boxes[at] = [at * 10 / 1000, top / 1000, (at * 10 + 9) / 1000, (top + HEIGHT) / 1000]
    return Page(text=text, boxes=zlib.compress((boxes * 65535).round().astype("<u2").tobytes()))


def test_half_a_row_above_is_left_out_and_the_marked_row_is_whole() -> None:
    marked = [Rect(x0=0, y0=160, x1=500, y1=174)]
    cut = _between_rows(list(_table_rows(page())), Rect(x0=0, y0=118, x1=900, y1=170), marked)
    assert 133 < cut.y0 < 160
    assert cut.y1 > 194
