"""Opens a PDF with PDFium. In the sandbox."""

import os
from typing import Any

import pypdfium2.raw as pdfium

from formats.base.errors import ExtractionError

ERRORS = {
    pdfium.FPDF_ERR_FILE: "corrupt",
    pdfium.FPDF_ERR_FORMAT: "corrupt",
    pdfium.FPDF_ERR_PASSWORD: "encrypted",
    pdfium.FPDF_ERR_SECURITY: "encrypted",
}


def open_pdf(request: dict[str, Any]) -> Any:
    """A PDFium document. request: `path`, and `password` or None. Raises ExtractionError."""
    pdfium.FPDF_InitLibrary()
    password = request["password"]
    document = pdfium.FPDF_LoadDocument(
        os.fsencode(request["path"]) + b"\0", None if password is None else password.encode() + b"\0"
    )
    if document:
        return document
    raise ExtractionError(ERRORS.get(pdfium.FPDF_GetLastError(), "corrupt"))
