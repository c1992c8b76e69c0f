"""Pages that are made anew from what pages of other files show. In the sandbox."""

from collections.abc import Sequence
from typing import Any

import pypdfium2.raw as pdfium

from formats.base.errors import ExtractionError
from formats.pdf.annotations import Annotations


def copy_drawing(source: Any, annotations: Annotations, number: int, target: Any, place: int) -> None:
    """Page `number` (from 1) of one document becomes page `place` (from 0) of another, as it is displayed."""
    page = pdfium.FPDF_LoadPage(source, number - 1)
    if not page:
        raise ExtractionError("corrupt")
    layers = [source]
    if annotations.layer(page, number) is not None:
        layers.append(annotations.document())
    copy_layers(layers, number, page, target, place)
    pdfium.FPDF_ClosePage(page)


def copy_layers(layers: Sequence[Any], number: int, page: Any, target: Any, place: int) -> None:
    """The same of page `number` of each of the documents, one upon the other, as large as the page."""
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    copy = pdfium.FPDFPage_New(target, place, width, height)
    for layer in layers:
        drawing = pdfium.FPDF_NewXObjectFromPage(target, layer, number - 1)
        if drawing:  # an empty page has none
            pdfium.FPDFPage_InsertObject(copy, pdfium.FPDF_NewFormObjectFromXObject(drawing))
            pdfium.FPDFPage_GenerateContent(copy)
            pdfium.FPDF_CloseXObject(drawing)
    pdfium.FPDF_ClosePage(copy)
