"""What files say of themselves: of each kind one that says all, and some that say what nobody can use."""

import io
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pypdf
import pytest
from docx import Document as WordDocument
from pptx import Presentation

from benchmarks.office_files import archive, docx, paragraph, xlsx
from formats import DocumentInfo, SourceFile
from formats.base.file_properties import LONGEST, MOST_RECIPIENTS, FileProperties
from formats.base.format import Format
from formats.epub.format import EPUB
from formats.html.format import HTML
from formats.mail.format import MAIL
from formats.markdown.format import MARKDOWN
from formats.pdf.format import PDF
from formats.plain_text.format import PLAIN_TEXT
from formats.sheets.format import SHEETS
from formats.slides.format import SLIDES
from formats.word.format import WORD
from tests.formats.pdfs import make_pdf

CORE = (
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>{title}</dc:title>'
    "<dc:creator>Ann Lee</dc:creator><dcterms:created>{created}</dcterms:created>"
    "<dcterms:modified>2025-03-04T09:00:00Z</dcterms:modified></cp:coreProperties>"
)


def told(form: Format, content: bytes, folder: Path) -> dict[str, Any]:
    """All pages are read: nothing that a file says of itself may stop that."""
    path = folder / "file"
    path.write_bytes(content)
    info, *pages = form.read(SourceFile(path=path, derived=folder / "derived"))
    assert isinstance(info, DocumentInfo)
    assert pages
    return info.properties.as_json()


def pdf(folder: Path, **info: str) -> bytes:
    written = pypdf.PdfWriter(clone_from=make_pdf(folder / "made.pdf", [["The rent is due."]]))
    written.metadata = {f"/{name}": value for name, value in info.items()}
    content = io.BytesIO()
    written.write(content)
    return content.getvalue()


def saved(made: Any) -> bytes:
    properties = made.core_properties
    properties.title, properties.author = "Lease of the flat", "Ann Lee"
    properties.created, properties.modified = datetime(2025, 2, 3, 10, 15), datetime(2025, 3, 4, 9)
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


def word() -> bytes:
    made = WordDocument()
    made.add_paragraph("The rent is due.")
    return saved(made)


def slides() -> bytes:
    made = Presentation()
    made.slides.add_slide(made.slide_layouts[0]).shapes.title.text = "The rent is due."
    return saved(made)


def sheets() -> bytes:
    core = CORE.format(title="Lease of the flat", created="2025-02-03T10:15:00Z")
    return with_core(xlsx({"Rents": '<row r="1"><c r="A1"><v>1200</v></c></row>'}), core)


def with_core(content: bytes, core: str) -> bytes:
    added = io.BytesIO(content)
    with ZipFile(added, "a") as parts:
        parts.writestr("docProps/core.xml", core)
    return added.getvalue()


def mail(**heads: str) -> bytes:
    made = EmailMessage()
    for name, value in heads.items():
        made[name] = value
    made.set_content("The rent is due.")
    return made.as_bytes()


def book(metadata: str) -> bytes:
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="book.opf"/></container>',
            "book.opf": f'<package xmlns:dc="d"><metadata>{metadata}</metadata><manifest>'
            '<item id="a" href="one.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
            "one.xhtml": "<html><title>A chapter</title><body><p>The rent is due.</p></body></html>",
        }
    )


def test_a_pdf(tmp_path):
    content = pdf(
        tmp_path,
        Title="Lease of the ﬂat",
        Author="Ann Lee",
        CreationDate="D:20250203101500+01'00'",
        ModDate="D:20250304",
    )
    assert told(PDF, content, tmp_path) == {
        "title": "Lease of the flat",
        "author": "Ann Lee",
        "created": "2025-02-03T10:15:00+01:00",
        "modified": "2025-03-04",
    }


@pytest.mark.parametrize(("form", "made"), [(WORD, word), (SLIDES, slides), (SHEETS, sheets)])
def test_files_of_office(tmp_path, form, made):
    said = told(form, made(), tmp_path)
    assert said.pop("modified") == "2025-03-04T09:00:00+00:00"
    assert said == {
        "title": "Lease of the flat",
        "author": "Ann Lee",
        "created": "2025-02-03T10:15:00+00:00",
    }


def test_a_workbook_of_libreoffice(tmp_path):
    meta = (
        '<o:document-meta xmlns:o="o" xmlns:m="m" xmlns:dc="d"><o:meta><dc:title>Rents of 2025'
        "</dc:title><m:initial-creator>Ann Lee</m:initial-creator>"
        "<m:creation-date>2025-02-03T10:15:00</m:creation-date></o:meta></o:document-meta>"
    )
    from formats.sheets.properties import properties_of

    path = tmp_path / "rents.ods"
    path.write_bytes(
        archive({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "meta.xml": meta})
    )
    said = FileProperties.from_sandbox(properties_of(path))
    assert (said.title, said.author, said.created) == ("Rents of 2025", "Ann Lee", "2025-02-03T10:15:00")


def test_a_book(tmp_path):
    metadata = (
        "<dc:title>Of leases</dc:title><dc:creator>Ann Lee</dc:creator><dc:date>2025-02-03</dc:date>"
        '<meta property="dcterms:modified">2025-03-04T09:00:00Z</meta>'
    )
    assert told(EPUB, book(metadata), tmp_path) == {
        "title": "Of leases",
        "author": "Ann Lee",
        "created": "2025-02-03",
        "modified": "2025-03-04T09:00:00+00:00",
    }


def test_a_web_page(tmp_path):
    page = (
        "<html><head><title>Of\n leases</title><meta name=Author content='Ann Lee'>"
        "<meta property='article:published_time' content='2025-02-03T10:15:00Z'>"
        "<meta property='article:author' content='https://example.org/ann'><body>The rent is due."
    )
    assert told(HTML, page.encode(), tmp_path) == {
        "title": "Of leases",
        "author": "Ann Lee",
        "created": "2025-02-03T10:15:00+00:00",
    }


def test_a_mail(tmp_path):
    content = mail(
        Subject="Rent of März",
        From='"Lee, Ann" <ann@example.org>',
        To="bob@example.org, Cy <cy@example.org>",
        Cc="Dee <dee@example.org>",
        Date="Mon, 03 Feb 2025 10:15:00 +0100",
    )
    assert told(MAIL, content, tmp_path) == {
        "subject": "Rent of März",
        "sender": "Lee, Ann <ann@example.org>",
        "recipients": ["bob@example.org", "Cy <cy@example.org>", "Dee <dee@example.org>"],
        "sent": "2025-02-03T10:15:00+01:00",
    }


def test_files_that_say_nothing_of_themselves(tmp_path):
    assert told(PLAIN_TEXT, b"The rent is due.", tmp_path) == {}
    assert told(MARKDOWN, b"# Rent\n\nIt is due.", tmp_path) == {}
    assert told(HTML, b"<p>The rent is due.", tmp_path) == {}
    assert told(WORD, docx(paragraph("The rent is due.")), tmp_path) == {}


@pytest.mark.parametrize(
    "date",
    [
        "D:99999999999999",
        "D:00000000",
        "D:20250230",
        "yesterday",
        "D:16010101",
        "D:29990101",
        "\0",
        "9" * 900,
    ],
)
def test_absurd_dates_are_none(tmp_path, date):
    assert told(PDF, pdf(tmp_path, CreationDate=date), tmp_path) == {}


@pytest.mark.parametrize("title", ["x" * 2_000_000, "a\x07b\u202e\ud83d", "\u200b", "<b>" * 300_000])
def test_hostile_titles_stop_no_reading(tmp_path, title):
    assert (
        len(told(PDF, pdf(tmp_path, Title=title.replace("\ud83d", "")), tmp_path).get("title", "")) <= LONGEST
    )
    page = f"<html><title>{title.replace(chr(7), '')}</title><body>The rent.".encode("utf-8", "ignore")
    assert len(told(HTML, page, tmp_path).get("title", "")) <= LONGEST


@pytest.mark.parametrize(
    "core",
    [
        CORE.format(title="x" * 2_000_000, created="nonsense"),
        CORE.format(title="Rent", created="2025"),
        "<broken",
        '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        "<a>" * 5_000,
    ],
)
def test_hostile_properties_of_office_stop_no_reading(tmp_path, core):
    content = docx(paragraph("The rent is due."), {"docProps/core.xml": core})
    said = told(WORD, content, tmp_path)
    assert "created" not in said
    assert len(said.get("title", "")) <= LONGEST


def test_a_mail_to_thousands_names_some(tmp_path):
    many = ", ".join(f"Person {number} <p{number}@example.org>" for number in range(5_000))
    head = f"Subject: {'s' * 90_000}\nFrom: {'(' * 5_000}\nTo: {many}\nDate: Mon, 99 Foo 2025\n\nRent."
    said = told(MAIL, head.encode(), tmp_path)
    assert len(said["recipients"]) == MOST_RECIPIENTS
    assert "sent" not in said
    assert len(said["subject"]) == LONGEST


@pytest.mark.parametrize(
    "sent", [None, [], "text", {"title": 5, "recipients": "all", "created": []}, {"recipients": [1]}]
)
def test_what_a_program_in_the_sandbox_sends_may_be_anything(sent):
    assert FileProperties.from_sandbox(sent) == FileProperties()


def test_programs_are_no_authors_and_their_templates_no_dates():
    said = {"author": "python-docx", "created": "2013-12-23T23:15:00Z"}
    assert FileProperties.from_sandbox(said) == FileProperties()
