"""With what each character of a page is painted: one colour, something else, or nothing. In the sandbox."""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

from formats.pdf.compared.paint_kinds import BYTES, NOTHING, ONE_COLOUR, OTHERWISE

FILLED = (pdfium.FPDF_TEXTRENDERMODE_FILL, pdfium.FPDF_TEXTRENDERMODE_FILL_CLIP)


def paints(text: Any, count: int) -> bytes:
    """BYTES for each of the `count` characters. What shows through letters, as a gradient does in a heading,
    paints them.
    """
    painted = bytearray(BYTES * max(count, 0))
    channels = [ctypes.c_uint() for _ in range(4)]
    for place in range(count):
        drawn = pdfium.FPDFText_GetTextObject(text, place)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(drawn) if drawn else -1
        how = NOTHING if mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE else OTHERWISE
        if mode in FILLED and pdfium.FPDFPageObj_GetFillColor(drawn, *channels):
            how = ONE_COLOUR
        painted[BYTES * place : BYTES * (place + 1)] = bytes(
            (how, *(channel.value & 0xFF for channel in channels))
        )
    return bytes(painted)
