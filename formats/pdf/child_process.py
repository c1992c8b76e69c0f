"""The program that opens PDFs: reads text, renders or cuts out pages, one frame per result.

Run in the sandbox, never imported: it needs only the standard library and PDFium, so it starts fast and holds
nothing worth stealing.
"""

import ctypes
from array import array
from collections import deque
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pypdfium2.raw as pdfium

from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.pdf.annotations import Annotations, has_annotations
from formats.pdf.comments import comments
from formats.pdf.compared.letter_paint import paints
from formats.pdf.copying import copy_drawing, copy_layers
from formats.pdf.lines import printed_lines
from formats.pdf.opening import open_pdf
from formats.pdf.outline import outline
from formats.pdf.properties import properties_of
from formats.pdf.rendering import draw, small_drawing
from formats.pdf.shapes import pictures, shapes

BYTES = 36  # of a character: its code point and four sides
MAPPED = 100  # characters of a page that are asked for their letters

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
        copy_drawing(document, Annotations(request), number, shown, 0)
        page = pdfium.FPDF_LoadPage(shown, 0)
    yield draw(page, request["width"], request["area"])


def look(request: dict[str, Any]) -> Iterator[Frame]:
    """One frame: the pixels of `render` for the whole page, then how each of its characters is painted, in
    `read`'s order. {width, height, pictures, rotation, frame}: `pictures` says where they are, in points.
    """
    document, annotations, number = open_pdf(request), Annotations(request), request["page"]
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        raise ExtractionError("corrupt")
    text = pdfium.FPDFText_LoadPage(page)
    painted = [paints(text, pdfium.FPDFText_CountChars(text))] if text else []
    shown, found = page, pictures(page, deep=True)
    if annotations.layer(page, number) is not None:
        layer = pdfium.FPDFText_LoadPage(pdfium.FPDF_LoadPage(annotations.document(), number - 1))
        painted += [paints(layer, pdfium.FPDFText_CountChars(layer))] if layer else []
        together = pdfium.FPDF_CreateNewDocument()
        copy_layers([document, annotations.document()], number, page, together, 0)
        shown = pdfium.FPDF_LoadPage(together, 0)
    head, pixels = draw(shown, request["width"])
    yield head | {"pictures": found, **_placed(page)}, pixels + b"".join(painted)


def cut(request: dict[str, Any]) -> Iterator[Frame]:
    """One frame: a PDF of what the wanted pages show.

    It is made anew around their drawings. Scripts, links, forms, attached files and whatever else a PDF can
    do hang on what is not taken along: the catalog, its name trees, the pages' own entries and annotations.
    """
    document, part = open_pdf(request), pdfium.FPDF_CreateNewDocument()
    annotations = Annotations(request)
    for place, number in enumerate(request["pages"]):
        copy_drawing(document, annotations, number, part, place)
    yield {}, _saved(part, pdfium.FPDF_NO_INCREMENTAL)


def unlock(request: dict[str, Any]) -> Iterator[Frame]:
    """One frame: the whole PDF without its protection, in all else as it was."""
    yield {}, _saved(open_pdf(request), pdfium.FPDF_REMOVE_SECURITY)


PROGRAMS = {"read": read, "render": render, "look": look, "cut": cut, "unlock": unlock}


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
            gettext_noop(
                "This PDF is an XFA form: Adobe's programs make its pages, and the file itself has none."
            ),
            gettext_noop("Open it in Adobe Reader, print it to a new PDF, and add that one."),
        )
    pdfium.FPDF_ClosePage(first)


def _page(document: Any, annotations: Annotations, number: int, request: dict[str, Any]) -> Frame:
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        return {"page": number, "readable": False, "width": 0.0, "height": 0.0}, b""
    head = {
        "page": number,
        "width": pdfium.FPDF_GetPageWidthF(page),
        "height": pdfium.FPDF_GetPageHeightF(page),
        **_placed(page),
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
    drawing = b""
    if (body or on_top) and request["compare"]:
        layers = [document] if fields is None else [document, annotations.document()]
        head["drawn"], drawing = small_drawing(layers, number, page)
    if text:
        pdfium.FPDFText_ClosePage(text)
    pdfium.FPDF_ClosePage(page)
    return head | {"readable": bool(text), "own": count, "fields": fields or []}, body + on_top + drawing


def _placed(page: Any) -> dict[str, Any]:
    """How the page is turned, and which part of it is shown, in points."""
    frame = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, frame)
    return {
        "rotation": pdfium.FPDFPage_GetRotation(page),
        "frame": [frame.left, frame.bottom, frame.right, frame.top],
    }


def _on_top(page: Any, annotations: Annotations, number: int) -> tuple[bytes, list[dict[str, Any]] | None]:
    """The characters of what is on top of a page, as the page's own, and its form fields; None for those
    where nothing is.
    """
    fields = annotations.layer(page, number)
    if fields is None:
        return b"", None
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
        raise too_large(
            "Page {number} of this file has {n} characters; a page may have {most}. None of its text was "
            "kept.",
            number=number,
            n=count,
            most=most,
            hint=gettext_noop(
                "Split the page, or have the limit raised (SVQ_MAX_PAGE_CHARS) and add the file anew."
            ),
        )


def _unmapped(text: Any, count: int) -> float:
    """The share of characters, 0 to 1, of which the file does not say what letters they are."""
    tried = range(0, count, max(1, count // MAPPED))
    lost = sum(pdfium.FPDFText_HasUnicodeMapError(text, index) == 1 for index in tried)
    return lost / max(1, len(tried))


def _area(box: list[float]) -> float:
    left, right, bottom, top = box
    return (right - left) * (top - bottom)


def _characters(text: Any, count: int) -> bytes:
    """n code points as uint32, then n boxes as four doubles each (left, right, bottom, top in points)."""
    if count <= 0:
        return b""
    handle = ctypes.cast(text, _pointer).value
    codes = _codes_at_once(text, count) or array("I", map(_char_code, repeat(handle), range(count)))
    boxes = (ctypes.c_double * (4 * count))()
    base = ctypes.addressof(boxes)
    corners = [range(base + offset, base + offset + 32 * count, 32) for offset in (0, 8, 16, 24)]
    deque(map(_char_box, repeat(handle), range(count), *corners), maxlen=0)
    return codes.tobytes() + bytes(boxes)


def _codes_at_once(text: Any, count: int) -> "array[int] | None":
    """The code points in one call; None where they are not one for each character."""
    units = (ctypes.c_ushort * (count + 1))()
    if pdfium.FPDFText_GetText(text, 0, count, units) != count + 1:
        return None
    codes = array("I", units[:count])
    has_pairs = any(unit & 0xF800 == 0xD800 for unit in set(codes))
    return None if has_pairs else codes
