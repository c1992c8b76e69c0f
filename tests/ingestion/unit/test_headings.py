"""What the outline of a document says: bookmarks, tags, print, blocks; and what is no heading."""

from pathlib import Path

import pytest
import typst
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from formats import PageText
from formats.base.layout import BlockLine, Layout
from formats.pdf.reader import read_pdf
from ingestion.structure.headings import Outline
from ingestion.structure.printed_tables import printed_tables

PROSE = "The supplier keeps the records of every delivery for as long as the law asks for."


def printed(
    path: Path, lines: list[tuple[str, int, str]], bookmarks: tuple[tuple[str, int], ...] = ()
) -> Path:
    """Lines of (font, size, text) one below the other; cells are parted by "|"."""
    canvas = Canvas(str(path), pagesize=letter)
    y = 740
    for font, size, text in lines:
        canvas.setFont(font, size)
        for column, cell in enumerate(text.split("|")):
            canvas.drawString(60 + 180 * column, y, cell)
        y -= 22
    for title, level in bookmarks:
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level)
    canvas.save()
    return path


def headings_of(path: Path) -> list[tuple[int, str]]:
    outline, start = Outline(), 0
    for page in read_pdf(path):
        if isinstance(page, PageText):
            tables = printed_tables(page.text, page.boxes, page.width, page.height)
            outline.add(page.text, start, page.layout, tables, page.address)
            start += len(page.text) + 1
    return [(heading.level, heading.name) for heading in outline.headings()]


def test_larger_and_bold_lines_are_headings_by_their_print(tmp_path: Path) -> None:
    path = printed(
        tmp_path / "a.pdf",
        [
            ("Helvetica-Bold", 20, "Handbook"),
            ("Helvetica", 10, PROSE),
            ("Helvetica-Bold", 13, "Deliveries"),
            ("Helvetica", 10, PROSE),
            ("Helvetica-Bold", 10, "By road"),
            ("Helvetica", 10, PROSE),
            ("Helvetica-Bold", 13, "Returns"),
            ("Helvetica", 10, PROSE),
            ("Helvetica", 10, PROSE),
        ],
    )
    assert headings_of(path) == [(1, "Handbook"), (2, "Deliveries"), (3, "By road"), (2, "Returns")]


def test_a_bold_row_of_a_table_is_no_heading(tmp_path: Path) -> None:
    path = printed(
        tmp_path / "a.pdf",
        [
            ("Helvetica-Bold", 14, "Results"),
            ("Helvetica", 10, PROSE),
            ("Helvetica", 10, PROSE),
            ("Helvetica-Bold", 10, "|2024|2023"),
            ("Helvetica", 10, "Sales|410|380"),
            ("Helvetica-Bold", 10, "Costs"),
            ("Helvetica", 10, "Wages|120|110"),
            ("Helvetica-Bold", 10, "Total costs|240|220"),
            ("Helvetica", 10, PROSE),
        ],
    )
    assert headings_of(path) == [(1, "Results")]


def test_a_bold_beginning_of_a_sentence_is_no_heading(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), pagesize=letter)
    for place in range(6):
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(60, 700 - 20 * place, "Term")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(86, 700 - 20 * place, PROSE)
    canvas.save()
    assert headings_of(path) == []


def test_the_outline_of_the_file_comes_before_its_print(tmp_path: Path) -> None:
    path = printed(
        tmp_path / "a.pdf",
        [
            ("Helvetica", 10, "Deliveries"),
            ("Helvetica", 10, PROSE),
            ("Helvetica-Bold", 16, "Not in it"),
            ("Helvetica", 10, "By road"),
            ("Helvetica", 10, PROSE),
        ],
        (("Deliveries", 0), ("By road", 1)),
    )
    assert headings_of(path) == [(1, "Deliveries"), (2, "By road")]


def test_an_outline_that_leads_in_a_circle_ends(tmp_path: Path) -> None:
    path = printed(tmp_path / "a.pdf", [("Helvetica", 10, PROSE)], (("One", 0), ("Two", 0)))
    writer = PdfWriter(clone_from=PdfReader(path))
    first = writer.root_object["/Outlines"]["/First"]  # type: ignore[index]
    first[NameObject("/Next")] = first.indirect_reference
    looped = tmp_path / "b.pdf"
    writer.write(looped)
    assert len(headings_of(looped)) <= 2


def test_what_stands_on_every_page_is_no_heading(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), pagesize=letter)
    for number in range(6):
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(60, 760, "Quarterly report of the company")
        canvas.drawString(60, 730, ("Deliveries", "Returns", "Claims", "Prices", "Staff", "Outlook")[number])
        canvas.setFont("Helvetica", 10)
        for line in range(5):
            canvas.drawString(60, 700 - 20 * line, PROSE)
        canvas.showPage()
    canvas.save()
    assert [name for _, name in headings_of(path)] == [
        "Deliveries",
        "Returns",
        "Claims",
        "Prices",
        "Staff",
        "Outlook",
    ]


@pytest.mark.parametrize(("tag", "level"), [("H1", 1), ("H2", 2)])
def test_tags_of_the_file_are_told(tmp_path: Path, tag: str, level: int) -> None:
    source = tmp_path / "a.typ"
    marks = "=" * level
    source.write_text(
        f"#set heading(outlined: false, bookmarked: false)\n{marks} Fees\n{PROSE}\n{marks} Term\n{PROSE}"
    )
    path = tmp_path / "a.pdf"
    path.write_bytes(typst.compile(str(source), format="pdf", pdf_tags=True))
    assert headings_of(path) == [(level, "Fees"), (level, "Term")]


def test_blocks_say_what_the_headings_are() -> None:
    text = "Guide\n\nHello.\n\nSetup\n\nDo it."
    blocks = (BlockLine(start=0, end=5, level=1), BlockLine(start=15, end=20, level=2))
    outline = Outline()
    outline.add(text, 0, Layout(block_lines=blocks), [], "")
    assert [(each.level, each.name, each.start) for each in outline.headings()] == [
        (1, "Guide", 0),
        (2, "Setup", 15),
    ]


def test_sheets_are_the_outline_of_a_file_without_headings() -> None:
    outline = Outline()
    for number, address in enumerate(
        ["Sheet “Fees”, rows 1 to 40", "Sheet “Fees”, rows 41 to 60", "Sheet “Terms”, row 1"]
    ):
        outline.add("a\tb", number * 4, Layout(block_lines=()), [], address)
    assert [heading.name for heading in outline.headings()] == ["Sheet “Fees”", "Sheet “Terms”"]


def test_a_title_in_the_outline_may_have_any_character(tmp_path: Path) -> None:
    path = printed(
        tmp_path / "a.pdf",
        [("Helvetica", 10, PROSE)],
        (("Fe\0es\ud800".encode("utf-8", "replace").decode(), 0), ("Term", 0)),
    )
    (page,) = [item for item in read_pdf(path) if isinstance(item, PageText)]
    assert "\0" not in "".join(mark.title for mark in page.layout.bookmarks)
    assert [mark.title for mark in page.layout.bookmarks][-1] == "Term"
