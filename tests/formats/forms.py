"""Forms that tests make: labels on the page, values in fields."""

from pathlib import Path
from typing import cast

import pypdf
from pypdf.generic import ArrayObject, DictionaryObject
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

LABELS = ("Name of the Supplier:", "Effective date:", "Governing law:")


def make_form(path: Path, *, ticked: bool = True, printed: bool = True) -> Path:
    """A page with a label and a text field on each of three lines, two check boxes, and a button.

    printed: whether the labels are printed; else the page itself has no text at all.
    """
    canvas = Canvas(str(path), pagesize=letter)
    form = canvas.acroForm
    for row, label in enumerate(LABELS):
        if printed:
            canvas.drawString(72, 700 - 40 * row, label)
        form.textfield(name=f"field{row}", x=220, y=690 - 40 * row, width=240, height=24, value="")
    for row, label in enumerate(("Personal data is processed", "Data leaves the Union")):
        form.checkbox(name=f"box{row}", x=72, y=540 - 40 * row, size=16, checked=ticked and row == 0)
        if printed:
            canvas.drawString(100, 544 - 40 * row, label)
    canvas.showPage()
    canvas.save()
    return path


def fields(writer: pypdf.PdfWriter) -> list[DictionaryObject]:
    """Those of the first page."""
    return [
        cast(DictionaryObject, each.get_object()) for each in cast(ArrayObject, writer.pages[0]["/Annots"])
    ]


def fill_in(path: Path, values: dict[str, str], *, appearances: bool = True) -> Path:
    """The same form with these values. appearances: whether the file says how they look."""
    writer = pypdf.PdfWriter(clone_from=path)
    writer.update_page_form_field_values(writer.pages[0], values, auto_regenerate=not appearances)
    if not appearances:
        for field in fields(writer):
            if field.get("/T") in values:
                field.pop("/AP", None)
    filled = path.with_name(f"filled-{path.name}")
    writer.write(filled)
    return filled
