"""What people said in PDFs, slides and sheets is kept beside the text and is no part of it."""

import io
import struct
import zipfile
from pathlib import Path

import pypdf
import pytest
from pptx import Presentation
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pypdf.annotations import Highlight, Text
from pypdf.generic import ArrayObject, FloatObject, NameObject, TextStringObject

from benchmarks.office_files import archive as archive_of
from benchmarks.office_files import relations, row, xlsx
from formats.base.annotations import Annotation, AnnotationKind
from formats.sheets.format import SHEETS
from formats.slides.format import SLIDES
from tests.formats import pdfs
from tests.formats.integration.test_damaged_parts import changed
from tests.formats.reading import pages_of

COMMENT = AnnotationKind.COMMENT


def annotated(path: Path) -> Path:
    """A sticky note on the first page; a highlight with words and one without any on the second."""
    writer = pypdf.PdfWriter(clone_from=path)
    note = Text(rect=(400, 700, 420, 720), text="Who signs?")
    note[NameObject("/T")] = TextStringObject("Ann Lee")
    note[NameObject("/M")] = TextStringObject("D:20260305103000+01'00'")
    writer.add_annotation(0, note)
    place = (72, 696, 200, 712)
    corners = ArrayObject(map(FloatObject, (72, 712, 200, 712, 72, 696, 200, 696)))
    for words in ("Too short.", ""):
        highlight = Highlight(rect=place, quad_points=corners)
        highlight[NameObject("/Contents")] = TextStringObject(words)
        writer.add_annotation(1, highlight)
    result = path.with_name("annotated.pdf")
    writer.write(result)
    return result


def test_notes_and_highlights_of_a_pdf(contract):
    first, second = pdfs.pages_of(annotated(contract))
    assert first.annotations == (
        Annotation(kind=COMMENT, text="Who signs?", author="Ann Lee", made="2026-03-05T10:30:00+01:00"),
    )
    assert second.annotations == (Annotation(kind=COMMENT, text="Too short.", quote="Notice: thirty days."),)
    assert second.text == "Notice: thirty days."


def test_a_decision_on_a_comment_of_a_pdf_is_no_comment(contract):
    writer = pypdf.PdfWriter(clone_from=contract)
    state = Text(rect=(0, 0, 9, 9), text="Accepted set by Ann Lee")
    state[NameObject("/StateModel")] = TextStringObject("Review")
    writer.add_annotation(0, state)
    writer.write(contract)
    assert pdfs.pages_of(contract)[0].annotations == ()


def deck(said: str) -> bytes:
    """Two slides, the first with a part of comments."""
    presentation = Presentation()
    for title in ("Results", "Outlook"):
        presentation.slides.add_slide(presentation.slide_layouts[5]).shapes.title.text = title
    package = presentation.part.package
    xmlns = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def part(name: str, xml: str) -> Part:
        return Part(PackURI(name), "application/xml", package, xml.encode())

    authors = f'<p:cmAuthorLst {xmlns}><p:cmAuthor id="0" name="Ann Lee"/></p:cmAuthorLst>'
    presentation.part.relate_to(part("/ppt/commentAuthors.xml", authors), f"{relation}/commentAuthors")
    said = f"<p:cmLst {xmlns}>{said}</p:cmLst>"
    presentation.slides[0].part.relate_to(part("/ppt/comments/comment1.xml", said), f"{relation}/comments")
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def test_comments_on_slides(tmp_path):
    said = '<p:cm authorId="0" dt="2026-03-05T10:30:00"><p:text>Which year?</p:text></p:cm>'
    first, second = pages_of(SLIDES, deck(said), tmp_path)
    assert (first.text, second.text) == ("Results", "Outlook")
    assert first.annotations == (
        Annotation(kind=COMMENT, text="Which year?", author="Ann Lee", made="2026-03-05T10:30:00"),
    )
    assert second.annotations == ()


def test_a_comment_on_a_slide_keeps_how_far_its_time_is_from_utc(tmp_path):
    said = '<p:cm created="2026-03-05T10:30:00.123Z"><p:text>Which year?</p:text></p:cm>'
    (comment,) = pages_of(SLIDES, deck(said), tmp_path)[0].annotations
    assert comment.made == "2026-03-05T10:30:00+00:00"


def test_damaged_comments_cost_no_slide(tmp_path):
    first, second = pages_of(SLIDES, deck("<p:cm>"), tmp_path)
    assert (first.text, second.text, first.annotations) == ("Results", "Outlook", ())
    broken = bytearray(deck(f"<p:cm><p:text>{'Why? ' * 99}</p:text></p:cm>"))
    broken[broken.index(b"ppt/comments/comment1.xml") + len(b"ppt/comments/comment1.xml") + 9] ^= 0xFF
    first, second = pages_of(SLIDES, bytes(broken), tmp_path, "broken")
    assert (first.text, second.text, first.annotations) == ("Results", "Outlook", ())


def workbook(parts: dict[str, str], sheet: str) -> bytes:
    """With those parts. sheet: the relations of its only sheet."""
    file = io.BytesIO(xlsx({"Fees": row(1, "Rent", 475) + row(4, "Deposit", 950)}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/worksheets/_rels/sheet1.xml.rels", sheet)
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def test_comments_on_cells(tmp_path):
    said = (
        '<comments><authors><author>Ann Lee</author></authors><commentList><comment ref="B1" authorId="0">'
        "<text><r><t>Too low.</t></r></text></comment></commentList></comments>"
    )
    file = workbook({"xl/comments1.xml": said}, relations(("c", "comments", "../comments1.xml")))
    (page,) = pages_of(SHEETS, file, tmp_path)
    assert page.text == "Rent\t475\n\nDeposit\t950"
    assert page.annotations == (Annotation(kind=COMMENT, text="Too low.", quote="Cell B1", author="Ann Lee"),)


def test_of_a_conversation_excels_copy_for_older_versions_is_left_out(tmp_path):
    copy = "[Threaded comment]\n\nYour version of Excel allows you to read it.\n\nComment:\n    Too low."
    parts = {
        "xl/comments1.xml": f'<comments><comment ref="B1"><t>{copy}</t></comment></comments>',
        "xl/threaded.xml": "<ThreadedComments>"
        '<threadedComment ref="B1" dT="2026-03-05T10:30:00.50"><text>Too low.</text></threadedComment>'
        '<threadedComment ref="B1"><text>No.</text></threadedComment></ThreadedComments>',
    }
    related = relations(("c", "comments", "../comments1.xml"), ("t", "threadedComment", "../threaded.xml"))
    (page,) = pages_of(SHEETS, workbook(parts, related), tmp_path)
    assert [each.text for each in page.annotations] == ["Too low.", "No."]
    assert [each.made for each in page.annotations] == ["2026-03-05T10:30:00+00:00", ""]


def test_a_comment_without_its_conversation_is_told_without_what_excel_says_of_itself(tmp_path):
    said = "[Threaded comment]\n\nYour version of Excel allows you to read it: https://x.example\n\n"
    said += "Comment:\n    Too low. Reply:\n  No."
    parts = {"xl/comments1.xml": f'<comments><comment ref="B1"><t>{said}</t></comment></comments>'}
    (page,) = pages_of(SHEETS, workbook(parts, relations(("c", "comments", "../comments1.xml"))), tmp_path)
    assert [each.text for each in page.annotations] == ["Too low. Reply: No."]


@pytest.mark.parametrize("damaged", ["xl/comments1.xml", "xl/worksheets/_rels/sheet1.xml.rels"])
def test_damaged_comments_cost_no_cell(tmp_path, damaged):
    file = workbook({"xl/comments1.xml": "<comments/>"}, relations(("c", "comments", "../comments1.xml")))
    broken = changed(file, lambda name, part: b"<comments><" if name == damaged else part)
    (page,) = pages_of(SHEETS, broken, tmp_path)
    assert (page.text, page.annotations) == ("Rent\t475\n\nDeposit\t950", ())


def test_comments_on_a_sheet_without_rows(tmp_path):
    file = io.BytesIO(xlsx({"Empty": "", "Fees": row(1, "Rent", 475)}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(
            "xl/worksheets/_rels/sheet1.xml.rels", relations(("c", "comments", "../comments1.xml"))
        )
        said = '<comments><comment ref="B1"><t>Still to come.</t></comment></comments>'
        archive.writestr("xl/comments1.xml", said)
    empty, fees = pages_of(SHEETS, file.getvalue(), tmp_path)
    assert (empty.text, fees.text) == ("This sheet is empty but for comments.", "Rent\t475")
    assert empty.address.startswith("Sheet “Empty”")
    assert [each.text for each in empty.annotations] == ["Still to come."]
    assert fees.annotations == ()


def record(number: int, content: bytes = b"") -> bytes:
    """Of an XLSB."""
    kind = bytes([number]) if number < 128 else bytes([number & 0x7F | 0x80, number >> 7])
    return kind + bytes([len(content)]) + content


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def test_a_workbook_whose_parts_are_no_xml_is_read(tmp_path):
    sheet = struct.pack("<II", 0, 1) + wide("rId1") + wide("Fees")
    cells = record(0, struct.pack("<IIHBBBI", 0, 0, 300, 0, 0, 0, 0))
    cells += record(6, struct.pack("<II", 0, 0) + wide("Rent")) + record(5, struct.pack("<IId", 1, 0, 475))
    bounds = record(148, struct.pack("<IIII", 0, 0, 0, 1))
    file = archive_of(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("rId1", "officeDocument", "xl/workbook.bin")),
            "xl/_rels/workbook.bin.rels": relations(("rId1", "worksheet", "worksheets/sheet1.bin")),
            "xl/workbook.bin": record(131) + record(143) + record(156, sheet) + record(144) + record(132),
            "xl/worksheets/sheet1.bin": record(129)
            + bounds
            + record(145)
            + cells
            + record(146)
            + record(130),
        }
    )
    (page,) = pages_of(SHEETS, file, tmp_path)
    assert page.text == "Rent\t475"
