"""What people said on the pages of a PDF: sticky notes, and words beside what they marked. In the sandbox.

Text that somebody typed onto a page is none of it: that is drawn, and read as text of the page.
"""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

from formats.pdf.annotations import MOST_ANNOTATIONS
from formats.pdf.properties import iso_moment

LONGEST = 40_000  # bytes of what one says
MOST_AREAS = 200  # of a marking: one for each line
COMMENTED = (
    pdfium.FPDF_ANNOT_TEXT,
    pdfium.FPDF_ANNOT_HIGHLIGHT,
    pdfium.FPDF_ANNOT_UNDERLINE,
    pdfium.FPDF_ANNOT_SQUIGGLY,
    pdfium.FPDF_ANNOT_STRIKEOUT,
    pdfium.FPDF_ANNOT_CARET,
    pdfium.FPDF_ANNOT_SQUARE,
    pdfium.FPDF_ANNOT_CIRCLE,
    pdfium.FPDF_ANNOT_LINE,
    pdfium.FPDF_ANNOT_POLYGON,
    pdfium.FPDF_ANNOT_POLYLINE,
    pdfium.FPDF_ANNOT_INK,
)


def comments(page: Any, text: Any) -> list[dict[str, str]]:
    """Those with words, each as formats.base.annotations.Annotation has it. text: of the page, or None."""
    found = []
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if annotation and pdfium.FPDFAnnot_GetSubtype(annotation) in COMMENTED:
            found += _comment(annotation, text)
        pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _comment(annotation: Any, text: Any) -> list[dict[str, str]]:
    said = _string(annotation, b"Contents")
    if not said.strip() or pdfium.FPDFAnnot_HasKey(annotation, b"StateModel"):  # “Accepted set by ...”
        return []
    made = _string(annotation, b"CreationDate") or _string(annotation, b"M")
    return [
        {
            "kind": "comment",
            "text": said,
            "quote": _marked(annotation, text) if text else "",
            "author": _string(annotation, b"T"),
            "made": iso_moment(made),
        }
    ]


def _string(annotation: Any, key: bytes) -> str:
    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if not 2 < size <= LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAnnot_GetStringValue(
        annotation, key, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size
    )
    return buffer.raw[:-2].decode("utf-16-le", "replace")


def _marked(annotation: Any, text: Any) -> str:
    """The words under a marking, line by line."""
    if not pdfium.FPDFAnnot_HasAttachmentPoints(annotation):
        return ""
    lines = []
    corners = pdfium.FS_QUADPOINTSF()
    for index in range(min(pdfium.FPDFAnnot_CountAttachmentPoints(annotation), MOST_AREAS)):
        if not pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, corners):
            continue
        across = (corners.x1, corners.x2, corners.x3, corners.x4)
        up = (corners.y1, corners.y2, corners.y3, corners.y4)
        area = (text, min(across), max(up), max(across), min(up))
        size = min(pdfium.FPDFText_GetBoundedText(*area, None, 0), LONGEST)
        if size > 0:
            buffer = (ctypes.c_ushort * size)()
            pdfium.FPDFText_GetBoundedText(*area, buffer, size)
            lines.append(bytes(buffer).decode("utf-16-le", "replace").rstrip("\0"))
    return " ".join(lines)
