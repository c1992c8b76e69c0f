"""What a PDF has on top of its pages: values of form fields, text typed there, stamps. In the sandbox.

PDFium draws form fields apart from the page and reads no text of them. Drawing them onto the page
(flattening) can break its fonts, as both may use the same names. So the file is opened a second time, each
page is emptied of all but its annotations, and these are flattened onto the empty page. That page is read and
drawn like any other.
"""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

from formats.pdf.opening import open_pdf

MOST_ANNOTATIONS = 5_000  # of a page that are looked at
LONGEST_VALUE = 200_000  # bytes of a field's name or value
NOT_DRAWN = (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP)
SWITCHES = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
NOT_FILLED_IN = (pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_SIGNATURE)


class Annotations:
    """Of one file, page by page. It is opened when the first page has any."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._request = request
        self._document: Any = None
        self._form: Any = None
        self._settings: Any = None  # PDFium keeps its address

    def document(self) -> Any:
        """The file a second time: its pages lose their own drawing, see `layer`."""
        if self._document is None:
            self._document = open_pdf(self._request)
            self._settings = pdfium.FPDF_FORMFILLINFO(version=2)
            self._form = pdfium.FPDFDOC_InitFormFillEnvironment(self._document, self._settings)
        return self._document

    def layer(self, page: Any, number: int) -> list[dict[str, Any]] | None:
        """Leave of page `number` (from 1) in `document` only its annotations; None where there are none.

        page: the same page in the file as it is. Returns its form fields, each with `name`, `value`, `box`
        (left, right, bottom, top in points) and `ticked` (None for what is no check box).
        """
        if not has_annotations(page):
            return None
        copy = pdfium.FPDF_LoadPage(self.document(), number - 1)
        if not copy:
            return None
        pdfium.FORM_OnAfterLoadPage(
            copy, self._form
        )  # draws the fields whose look the file leaves to viewers
        fields = self._fields(copy)
        for index in reversed(range(pdfium.FPDFPage_CountObjects(copy))):
            drawn = pdfium.FPDFPage_GetObject(copy, index)
            if pdfium.FPDFPage_RemoveObject(copy, drawn):
                pdfium.FPDFPageObj_Destroy(drawn)
        pdfium.FPDFPage_GenerateContent(copy)
        flattened = pdfium.FPDFPage_Flatten(copy, pdfium.FLAT_NORMALDISPLAY)
        pdfium.FORM_OnBeforeClosePage(copy, self._form)
        pdfium.FPDF_ClosePage(copy)
        return fields if flattened == pdfium.FLATTEN_SUCCESS else None

    def _fields(self, page: Any) -> list[dict[str, Any]]:
        fields = []
        for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
            annotation = pdfium.FPDFPage_GetAnnot(page, index)
            if annotation and pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_WIDGET:
                fields += self._field(annotation)
            pdfium.FPDFPage_CloseAnnot(annotation)
        return fields

    def _field(self, annotation: Any) -> list[dict[str, Any]]:
        kind = pdfium.FPDFAnnot_GetFormFieldType(self._form, annotation)
        place = pdfium.FS_RECTF()
        if kind in NOT_FILLED_IN or not pdfium.FPDFAnnot_GetRect(annotation, place):
            return []
        ticked = bool(pdfium.FPDFAnnot_IsChecked(self._form, annotation)) if kind in SWITCHES else None
        return [
            {
                "name": self._text(pdfium.FPDFAnnot_GetFormFieldName, annotation),
                "value": self._text(pdfium.FPDFAnnot_GetFormFieldValue, annotation),
                "box": [place.left, place.right, place.bottom, place.top],
                "ticked": ticked,
            }
        ]

    def _text(self, get: Any, annotation: Any) -> str:
        size = get(self._form, annotation, None, 0)
        if not 2 < size <= LONGEST_VALUE:
            return ""
        buffer = ctypes.create_string_buffer(size)
        get(self._form, annotation, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
        return buffer.raw[:-2].decode("utf-16-le", "replace")


def has_annotations(page: Any) -> bool:
    """Whether anything but links may be drawn on top of the page."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        kind = pdfium.FPDFAnnot_GetSubtype(annotation) if annotation else pdfium.FPDF_ANNOT_LINK
        pdfium.FPDFPage_CloseAnnot(annotation)
        if kind not in NOT_DRAWN:
            return True
    return False
