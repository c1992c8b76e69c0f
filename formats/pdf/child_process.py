"""The program that opens PDFs: reads text, renders or cuts out pages, one frame per result.

Run in the sandbox, never imported: it needs only the standard library and PDFium, so it starts fast and holds
nothing worth stealing.
"""

import ctypes
import time
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import pypdfium2.raw as pdfium

from formats.base.errors import ExtractionError
from formats.pdf.annotations import Annotations, has_annotations
from formats.pdf.comments import comments
from formats.pdf.lines import printed_lines
from formats.pdf.opening import open_pdf
from formats.pdf.outline import outline
from formats.pdf.properties import properties_of
from formats.pdf.shapes import shapes

MAX_PIXELS = 16_000_000
BYTES = 36  # of a character: its code point and four sides
MAX_OBJECTS = 1000  # of a page
MAPPED = 100  # characters of a page that are asked for their letters
MAX_SIDE = 16_000  # pixels; WebP ends at 16,383
DRAWN_WITHIN = 1.5  # seconds
COMPARED = 0.55  # pixels a point of the small drawing that a page's text is compared with
COMPARED_SIDE = 1_200  # pixels of its longer side, at most

# pypdfium2 declares the box function with four typed pointers, which costs a Python object each. Untyped
# addresses let PDFium write straight into one array, several times faster over a page's thousands of
# characters.
_pointer = ctypes.c_void_p
_char_box = ctypes.CFUNCTYPE(ctypes.c_int, _pointer, ctypes.c_int, _pointer, _pointer, _pointer, _pointer)(
    ctypes.cast(pdfium.FPDFText_GetCharBox, _pointer).value or 0
)
_char_code = ctypes.CFUNCTYPE(ctypes.c_uint, _pointer, ctypes.c_int)(
    ctypes.cast(pdfium.FPDFText_GetUnicode, _pointer).value or 0
)

Frame = tuple[dict[str, Any], bytes]


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    return PROGRAMS[request["do"]](request)


def read(request: dict[str, Any]) -> Iterator[Frame]:
    """First {pages, properties, outline}, then for each page its size, how its lines are printed, what people
    said of it, and the raw codes and boxes of its `own` characters, then of those on top of it, then its
    small drawing of `drawn` pixels, where the request has `compare`.
    """
    document, annotations = open_pdf(request), Annotations(request)
    _refuse_placeholder(document)
    pages = pdfium.FPDF_GetPageCount(document)
    yield {"pages": pages, "properties": properties_of(document), "outline": outline(document)}, b""
    for number in range(request["first_page"], pages + 1):
        yield _page(document, annotations, number, request)


def render(request: dict[str, Any]) -> Iterator[Frame]:
    """One frame: {width, height} and the pixels, RGB, three bytes each, rows without padding.

    area: of the page that is drawn, `width` pixels wide: left, top, right, bottom in 1/1000.
    """
    document, number = open_pdf(request), request["page"]
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        raise ExtractionError("corrupt")
    if has_annotations(page):
        pdfium.FPDF_ClosePage(page)
        shown = pdfium.FPDF_CreateNewDocument()
        _copy_drawing(document, Annotations(request), number, shown, 0)
        page = pdfium.FPDF_LoadPage(shown, 0)
    yield draw(page, request["width"], request["area"])


def draw(page: Any, width: int, area: Sequence[float] = (0, 0, 1000, 1000)) -> Frame:
    """The frame of `render`."""
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
        round(-left * page_width * scale), round(-top * page_height * scale),
        max(1, round(page_width * scale)), max(1, round(page_height * scale)),
    )  # fmt: skip
    pdfium.FPDF_RenderPageBitmap(bitmap, page, *whole, 0, flags)
    return {"width": width, "height": height}, bytes(pixels)


def cut(request: dict[str, Any]) -> Iterator[Frame]:
    """One frame: a PDF of what the wanted pages show.

    It is made anew around their drawings. Scripts, links, forms, attached files and whatever else a PDF can
    do hang on what is not taken along: the catalog, its name trees, the pages' own entries and annotations.
    """
    document, part = open_pdf(request), pdfium.FPDF_CreateNewDocument()
    annotations = Annotations(request)
    for place, number in enumerate(request["pages"]):
        _copy_drawing(document, annotations, number, part, place)
    yield {}, _saved(part, pdfium.FPDF_NO_INCREMENTAL)


def unlock(request: dict[str, Any]) -> Iterator[Frame]:
    """One frame: the whole PDF without its protection, in all else as it was."""
    yield {}, _saved(open_pdf(request), pdfium.FPDF_REMOVE_SECURITY)


PROGRAMS = {"read": read, "render": render, "cut": cut, "unlock": unlock}


def _copy_drawing(source: Any, annotations: Annotations, number: int, target: Any, place: int) -> None:
    """Page `number` (from 1) of one document becomes page `place` (from 0) of another, as it is displayed."""
    page = pdfium.FPDF_LoadPage(source, number - 1)
    if not page:
        raise ExtractionError("corrupt")
    layers = [source]
    if annotations.layer(page, number) is not None:
        layers.append(annotations.document())
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    pdfium.FPDF_ClosePage(page)
    copy = pdfium.FPDFPage_New(target, place, width, height)
    for layer in layers:
        drawing = pdfium.FPDF_NewXObjectFromPage(target, layer, number - 1)
        if drawing:  # an empty page has none
            pdfium.FPDFPage_InsertObject(copy, pdfium.FPDF_NewFormObjectFromXObject(drawing))
            pdfium.FPDFPage_GenerateContent(copy)
            pdfium.FPDF_CloseXObject(drawing)
    pdfium.FPDF_ClosePage(copy)


def _saved(document: Any, flags: int) -> bytes:
    content = bytearray()
    interface = pdfium.FPDF_FILEWRITE(version=1)

    def write(_: Any, data: int, size: int) -> int:
        content.extend(ctypes.string_at(data, size))
        return 1

    interface.WriteBlock = type(interface.WriteBlock)(write)
    if not pdfium.FPDF_SaveAsCopy(document, interface, flags):
        raise ExtractionError("corrupt")
    return bytes(content)


def _refuse_placeholder(document: Any) -> None:
    """Raise ExtractionError for a form whose pages are made by the program that opens it (dynamic XFA): in
    the file there is only a request for another program.
    """
    if pdfium.FPDF_GetFormType(document) != pdfium.FORMTYPE_XFA_FULL:
        return
    first = pdfium.FPDF_LoadPage(document, 0)
    if first and not has_annotations(first):
        raise ExtractionError(
            "unsupported",
            "This PDF is an XFA form: Adobe's programs make its pages, and the file itself has none.",
            "Open it in Adobe Reader, print it to a new PDF, and add that one.",
        )
    pdfium.FPDF_ClosePage(first)


def _page(document: Any, annotations: Annotations, number: int, request: dict[str, Any]) -> Frame:
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        return {"page": number, "readable": False, "width": 0.0, "height": 0.0}, b""
    frame = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, frame)
    head = {
        "page": number,
        "width": pdfium.FPDF_GetPageWidthF(page),
        "height": pdfium.FPDF_GetPageHeightF(page),
        "rotation": pdfium.FPDFPage_GetRotation(page),
        "frame": [frame.left, frame.bottom, frame.right, frame.top],
    }
    text = pdfium.FPDFText_LoadPage(page)
    count = max(0, pdfium.FPDFText_CountChars(text)) if text else 0
    on_top, fields = _on_top(page, annotations, number)
    _check_length(number, count + len(on_top) // BYTES, request["characters"])
    body = _characters(text, count)
    head["lines"] = printed_lines(page, text, array("I", body[: 4 * count])) if text else []
    head["unmapped"] = _unmapped(text, count) if text else 0.0
    head["shapes"] = (shapes(page) if body or on_top else []) if request["shapes"] else None
    head["picture"] = max(pictures(page), key=_area, default=None) if body or on_top else None
    head["comments"] = comments(page, text)
    head["drawn"], drawing = _small_drawing(page) if body and request["compare"] else (None, b"")
    if text:
        pdfium.FPDFText_ClosePage(text)
    pdfium.FPDF_ClosePage(page)
    return head | {"readable": bool(text), "own": count, "fields": fields}, body + on_top + drawing


def _small_drawing(page: Any) -> tuple[list[int] | None, bytes]:
    """Width and height, and the shades of grey of the page without what is on top of it; neither where
    that takes longer than DRAWN_WITHIN: the text is read all the same.
    """
    across, down = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    scale = min(COMPARED, COMPARED_SIDE / max(across, down, 1.0))
    width, height = max(1, round(across * scale)), max(1, round(down * scale))
    pixels = (ctypes.c_ubyte * (width * height))()
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_Gray, pixels, width)
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
    deadline = time.monotonic() + DRAWN_WITHIN
    pause = pdfium.IFSDK_PAUSE(version=1)
    pause.NeedToPauseNow = type(pause.NeedToPauseNow)(lambda _: time.monotonic() > deadline)
    status = pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, 0, 0, width, height, 0, 0, ctypes.byref(pause))
    pdfium.FPDF_RenderPage_Close(page)
    pdfium.FPDFBitmap_Destroy(bitmap)
    if status != pdfium.FPDF_RENDER_DONE:
        return None, b""
    return [width, height], bytes(pixels)


def _on_top(page: Any, annotations: Annotations, number: int) -> tuple[bytes, list[dict[str, Any]]]:
    """The characters of what is on top of a page, as the page's own, and its form fields."""
    fields = annotations.layer(page, number)
    if fields is None:
        return b"", []
    layer = pdfium.FPDF_LoadPage(annotations.document(), number - 1)
    text = pdfium.FPDFText_LoadPage(layer) if layer else None
    body = _characters(text, pdfium.FPDFText_CountChars(text)) if text else b""
    if text:
        pdfium.FPDFText_ClosePage(text)
    if layer:
        pdfium.FPDF_ClosePage(layer)
    return body, fields


def _check_length(number: int, count: int, most: int) -> None:
    if count > most:
        raise ExtractionError(
            "too_large",
            f"Page {number} of this file has {count:,} characters; a page may have {most:,}. "
            "None of its text was kept.",
            "Split the page, or have the limit raised (SVQ_MAX_PAGE_CHARS) and add the file anew.",
        )


def _unmapped(text: Any, count: int) -> float:
    """The share of characters, 0 to 1, of which the file does not say what letters they are."""
    tried = range(0, count, max(1, count // MAPPED))
    lost = sum(pdfium.FPDFText_HasUnicodeMapError(text, index) == 1 for index in tried)
    return lost / max(1, len(tried))


def pictures(page: Any) -> list[list[float]]:
    """Left, right, bottom, top of each picture on a page, in points."""
    boxes = []
    for index in range(min(pdfium.FPDFPage_CountObjects(page), MAX_OBJECTS)):
        drawn = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(drawn) != pdfium.FPDF_PAGEOBJ_IMAGE:
            continue
        sides = [ctypes.c_float() for _ in range(4)]
        if pdfium.FPDFPageObj_GetBounds(drawn, *sides):
            left, bottom, right, top = (side.value for side in sides)
            boxes.append([left, right, bottom, top])
    return boxes


def _area(box: list[float]) -> float:
    left, right, bottom, top = box
    return (right - left) * (top - bottom)


def _characters(text: Any, count: int) -> bytes:
    """n code points as uint32, then n boxes as four doubles each (left, right, bottom, top in points)."""
    if count <= 0:
        return b""
    handle = ctypes.cast(text, _pointer).value
    codes = array("I", map(_char_code, repeat(handle), range(count)))
    boxes = (ctypes.c_double * (4 * count))()
    base = ctypes.addressof(boxes)
    corners = [range(base + offset, base + offset + 32 * count, 32) for offset in (0, 8, 16, 24)]
    deque(map(_char_box, repeat(handle), range(count), *corners), maxlen=0)
    return codes.tobytes() + bytes(boxes)
