"""What was entered into a PDF's form is text of its page: read in its place, drawn, marked, and cut along."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import pypdf
import pytest
from pypdf.annotations import FreeText
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, TextStringObject

from formats.base.values import Rect
from formats.pdf.reader import cut_pages, page_pixels
from tests.formats.forms import fields, fill_in, make_form
from tests.formats.pdfs import boxes_of, error_of, make_pdf, pages_of

VALUES = {"field0": "Waypoint Systems Ltd", "field1": "5 March 2024", "field2": "England and Wales"}


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    return fill_in(make_form(tmp_path / "form.pdf"), VALUES)


def ink(path: Path, part: Rect) -> int:
    """Dark pixels within a part of the first page."""
    pixels = page_pixels(path, 1, 600, part=part)
    return int((np.frombuffer(pixels.rgb, dtype=np.uint8).reshape(-1, 3).mean(axis=1) < 128).sum())


def around(path: Path, words: str) -> Rect:
    """Where the words are on the first page."""
    page = pages_of(path)[0]
    start = page.text.index(words)
    boxes = boxes_of(page)[start : start + len(words)]
    boxes = boxes[boxes[:, 2] > 0] * 1000
    return Rect(x0=boxes[:, 0].min(), y0=boxes[:, 1].min(), x1=boxes[:, 2].max(), y1=boxes[:, 3].max())


def test_a_value_stands_behind_its_label(filled):
    text = pages_of(filled)[0].text.replace("\t", " ")
    assert "Name of the Supplier: Waypoint Systems Ltd\n" in text
    assert "Effective date: 5 March 2024\n" in text
    assert "Governing law: England and Wales" in text


def test_values_are_marked_as_filled_in_and_labels_are_not(filled):
    page = pages_of(filled)[0]
    said = {each.name: page.text[each.start : each.end] for each in page.layout.filled_in}
    assert said == VALUES | {"box0": "☑"}


def test_check_boxes_say_whether_they_are_ticked(filled):
    text = pages_of(filled)[0].text
    assert "☑ Personal data is processed" in text.replace("\t", " ")
    assert "☐ Data leaves the Union" in text.replace("\t", " ")


def test_a_value_is_drawn_where_its_box_is(filled, tmp_path):
    place = around(filled, VALUES["field1"])
    assert ink(filled, place) > 100
    assert ink(make_form(tmp_path / "empty.pdf"), place) < 10


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_values_on_a_turned_page_have_their_boxes_on_the_drawing(filled, turn):
    writer = pypdf.PdfWriter(clone_from=filled)
    writer.pages[0].rotate(turn)
    turned = filled.with_name("turned.pdf")
    writer.write(turned)
    assert ink(turned, around(turned, VALUES["field1"])) > 100


def test_a_value_whose_look_is_left_to_viewers_is_read_and_drawn(tmp_path):
    path = fill_in(make_form(tmp_path / "form.pdf"), VALUES, appearances=False)
    assert "5 March 2024" in pages_of(path)[0].text
    assert ink(path, around(path, "5 March 2024")) > 100


def test_a_page_with_nothing_but_values_has_a_text(tmp_path):
    path = fill_in(make_form(tmp_path / "form.pdf", printed=False, ticked=False), VALUES)
    page = pages_of(path)[0]
    assert page.text.split("\n")[:3] == list(VALUES.values())
    assert not page.picture


def test_letters_in_cells_of_their_own_are_one_word(tmp_path):
    writer = pypdf.PdfWriter(clone_from=make_form(tmp_path / "form.pdf"))
    field = next(each for each in fields(writer) if each["/T"] == "field0")
    field[NameObject("/V")] = TextStringObject("WAYPOINT")
    cells = "".join(
        f"1 0 0 1 {6 + 28 * place} 7 Tm ({letter}) Tj " for place, letter in enumerate("WAYPOINT")
    )
    stream = cast(Any, field["/AP"])["/N"].get_object()
    stream.set_data(f"/Tx BMC BT /Helv 12 Tf {cells} ET EMC".encode())
    stream[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/Helv"): helvetica(writer)})}
    )
    writer.write(tmp_path / "cells.pdf")
    assert "Name of the Supplier: WAYPOINT\n" in pages_of(tmp_path / "cells.pdf")[0].text.replace("\t", " ")


def helvetica(writer: pypdf.PdfWriter) -> object:
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    return writer._add_object(DictionaryObject({NameObject(k): NameObject(v) for k, v in font.items()}))


def test_the_cut_page_has_form_and_values_but_no_fields(filled, tmp_path):
    part = tmp_path / "part.pdf"
    part.write_bytes(cut_pages(filled, [1]))
    text = pypdf.PdfReader(part).pages[0].extract_text()
    assert "Name of the Supplier:" in text
    assert "Waypoint Systems Ltd" in text
    assert not pypdf.PdfReader(part).get_fields()


def test_text_typed_onto_a_page_is_read_in_its_place(tmp_path):
    writer = pypdf.PdfWriter(
        clone_from=make_pdf(tmp_path / "a.pdf", [["Signed in London", "", "", "The end"]])
    )
    note = FreeText(text="on 4 May 2023", rect=(200, 694, 330, 712), font_size="12pt")
    note[NameObject("/Rect")] = ArrayObject([FloatObject(side) for side in (200, 694, 330, 712)])
    drawn = pypdf.generic.DecodedStreamObject()
    drawn.set_data(b"BT /Helv 12 Tf 1 0 0 1 2 6 Tm (on 4 May 2023) Tj ET")
    fonts = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/Helv"): helvetica(writer)})}
    )
    drawn.update(
        {
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/Resources"): fonts,
            NameObject("/BBox"): ArrayObject([FloatObject(side) for side in (0, 0, 130, 18)]),
        }
    )
    note[NameObject("/AP")] = DictionaryObject({NameObject("/N"): writer._add_object(drawn)})
    writer.add_annotation(0, note)
    writer.write(tmp_path / "typed.pdf")
    page = pages_of(tmp_path / "typed.pdf")[0]
    assert page.text.replace("\t", " ") == "Signed in London on 4 May 2023\nThe end"
    assert not page.layout.filled_in


def test_a_form_whose_pages_another_program_makes_says_so(tmp_path):
    writer = pypdf.PdfWriter(clone_from=make_pdf(tmp_path / "a.pdf", [["Please wait..."]]))
    form = DictionaryObject(
        {
            NameObject("/XFA"): ArrayObject([TextStringObject("template"), TextStringObject("x")]),
            NameObject("/Fields"): ArrayObject(),
        }
    )
    writer.root_object[NameObject("/AcroForm")] = form
    writer.root_object[NameObject("/NeedsRendering")] = pypdf.generic.BooleanObject(True)
    writer.write(tmp_path / "xfa.pdf")
    error = error_of(tmp_path / "xfa.pdf")
    assert error.code == "unsupported"
    assert "XFA" in error.message
    assert "print it to a new PDF" in error.hint
