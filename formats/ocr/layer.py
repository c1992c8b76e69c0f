"""Whether a page's own text is what the page shows: a few lines are read and compared. In the sandbox."""

import ctypes
from collections.abc import Sequence
from typing import Any

import pypdfium2.raw as pdfium

from formats.ocr.engine import Engine, Picture, Quad, sides, straighten
from formats.ocr.likeness import are_alike

COMPARED = 6  # lines: the longest
MOST = 2_000  # characters of a line


def is_right(engine: Engine, page: Any, picture: Picture, lines: Sequence[Quad]) -> bool:
    """The page lies as it is displayed: print that was turned on it proves nothing against its text."""
    longest = sorted(lines, key=lambda line: -sides(line)[0])[:COMPARED]
    text = pdfium.FPDFText_LoadPage(page)
    shown, own = "", ""
    for line in longest:
        said = engine.read(straighten(picture, line))
        shown += said.text
        own += text_at(page, text, line, picture)
    pdfium.FPDFText_ClosePage(text)
    return not shown or are_alike(shown, own)


def text_at(page: Any, text: Any, line: Quad, picture: Picture) -> str:
    """The page's own text where a line stands. text: of FPDFText_LoadPage."""
    height, width = picture.shape[:2]
    corners = []
    for x, y in (line.min(axis=0), line.max(axis=0)):
        across, up = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDF_DeviceToPage(page, 0, 0, width, height, 0, round(x), round(y), across, up)
        corners.append((across.value, up.value))
    (x0, y0), (x1, y1) = corners
    buffer = (ctypes.c_ushort * MOST)()
    box = min(x0, x1), max(y0, y1), max(x0, x1), min(y0, y1)
    count = pdfium.FPDFText_GetBoundedText(text, *box, buffer, MOST)
    return bytes(buffer)[: 2 * count].decode("utf-16-le", "replace").rstrip("\0")
