"""Draws pages: as people see them, and small in shades of grey. In the sandbox."""

import ctypes
import time
from collections.abc import Sequence
from typing import Any

import pypdfium2.raw as pdfium

from formats.pdf.copying import copy_layers

MAX_PIXELS = 16_000_000
MAX_SIDE = 16_000  # pixels; WebP ends at 16,383
DRAWN_WITHIN = 1.5  # seconds of a processor
COMPARED = 0.55  # pixels a point of the small drawing that a page's text is compared with
COMPARED_SIDE = 1_200  # pixels of its longer side, at most


def draw(page: Any, width: int, area: Sequence[float] = (0, 0, 1000, 1000)) -> tuple[dict[str, Any], bytes]:
    """{width, height} and the pixels, RGB, three bytes each, rows without padding.

    area: of the page that is drawn, `width` pixels wide: left, top, right, bottom in 1/1000.
    """
    page_width, page_height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    left, top, right, bottom = (side / 1000 for side in area)
    across, down = page_width * (right - left), page_height * (bottom - top)
    scale = width / max(across, 1.0)
    scale = min(scale, MAX_SIDE / max(across, down, 1.0))
    scale = min(scale, (MAX_PIXELS / max(across * down, 1.0)) ** 0.5)
    width, height = max(1, round(across * scale)), max(1, round(down * scale))
    pixels = (ctypes.c_ubyte * (width * height * 3))()
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGR, pixels, width * 3)
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
    # The whole page in its place around the bitmap: PDFium draws what falls on it.
    whole = (
        round(-left * page_width * scale),
        round(-top * page_height * scale),
        max(1, round(page_width * scale)),
        max(1, round(page_height * scale)),
    )
    pdfium.FPDF_RenderPageBitmap(bitmap, page, *whole, 0, flags)
    return {"width": width, "height": height}, bytes(pixels)


def small_drawing(layers: Sequence[Any], number: int, page: Any) -> tuple[list[int] | None, bytes]:
    """Width and height, and the shades of grey of a page and what is on top of it; neither where that takes
    longer than DRAWN_WITHIN: the text is read all the same.
    """
    if len(layers) == 1:
        return _shades(page)
    shown = pdfium.FPDF_CreateNewDocument()
    copy_layers(layers, number, page, shown, 0)
    copy = pdfium.FPDF_LoadPage(shown, 0)
    drawn = _shades(copy)
    pdfium.FPDF_ClosePage(copy)
    pdfium.FPDF_CloseDocument(shown)
    return drawn


def _shades(page: Any) -> tuple[list[int] | None, bytes]:
    across, down = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    scale = min(COMPARED, COMPARED_SIDE / max(across, down, 1.0))
    width, height = max(1, round(across * scale)), max(1, round(down * scale))
    pixels = (ctypes.c_ubyte * (width * height))()
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_Gray, pixels, width)
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
    deadline = time.process_time() + DRAWN_WITHIN
    pause = pdfium.IFSDK_PAUSE(version=1)
    pause.NeedToPauseNow = type(pause.NeedToPauseNow)(lambda _: time.process_time() > deadline)
    status = pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, 0, 0, width, height, 0, 0, ctypes.byref(pause))
    pdfium.FPDF_RenderPage_Close(page)
    pdfium.FPDFBitmap_Destroy(bitmap)
    if status != pdfium.FPDF_RENDER_DONE:
        return None, b""
    return [width, height], bytes(pixels)
