"""What a file is: its content counts more than its name; what the docs say that SVQ reads."""

from io import BytesIO
from pathlib import Path
from time import process_time

import pytest
from PIL import Image

from benchmarks.office_files import docx, xlsx
from formats import ExtractionError
from formats.embedded.recognition import OLE
from formats.mail.format import MAIL
from formats.plain_text.format import PLAIN_TEXT
from formats.registry import FORMATS, SUFFIXES, describe_formats, format_of, has_format, identify
from tests.formats.reading import pages_of

DOCS = Path(__file__).parents[3]
PDF, TEXT = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", b"Dear Sir,\nwe write about %PDF-1.7 files."


@pytest.mark.parametrize(
    ("filename", "start", "label"),
    [
        ("report.pdf", PDF, "PDF"),
        ("REPORT.PDF", PDF, "PDF"),
        ("notes.txt", PDF, "PDF"),
        ("late.pdf", b"junk before\n%PDF-1.4 ...", "PDF"),
        ("marked.pdf", b"\xef\xbb\xbf%PDF-1.4 ...", "PDF"),
        ("one-line.pdf", b"junk %PDF-1.4 only ASCII", "PDF"),
        ("about-pdf.txt", b"A file begins with\n%PDF-1.7\nor so.", "plain text"),
        ("notes.txt", TEXT, "plain text"),
        ("notes.pdf", b"Dear Sir,\nthis is no PDF.", "plain text"),
        ("notes.pdf", "Grüße".encode("utf-16"), "plain text"),
        ("notes.pdf", "é".encode() * 2048 + b"\xc3", "plain text"),  # cut within a letter
        # By their name, so that reading them says what is wrong.
        ("empty.pdf", b"", "PDF"),
        ("empty.txt", b"", "plain text"),
        ("login.pdf", b"<!DOCTYPE html><title>Sign in</title>", "HTML"),
        ("archive.pdf", b"PK\x03\x04\x14\0\0\0\x08\0", "PDF"),
        ("old.txt", "Größe".encode("latin-1"), "plain text"),
        ("notes.md", TEXT, "Markdown"),
        ("fees.csv", b"a,b\n1,2", "CSV"),
        ("fees.csv", PDF, "PDF"),
        ("report.docx", PDF, "PDF"),
        ("report.pdf", docx(""), "Word"),
        ("report.docx", xlsx({"A": ""}), "Excel"),
        ("letter.docx", OLE + "WordDocument".encode("utf-16-le") + b"\0\0", "old Word"),
        ("sheet.docx", OLE + "Workbook".encode("utf-16-le") + b"\0\0", "Excel"),
        ("sheet.xlsx", OLE + "EncryptedPackage".encode("utf-16-le"), "Excel"),
        ("letter.txt", b"{\\rtf1 hello}", "RTF"),
        ("mail.txt", b"From: a@b.example\nDate: Mon, 1 Jan 2024\n\nHello", "plain text"),
        ("mail.pdf", b"From: a@b.example\nDate: Mon, 1 Jan 2024\n\nHello", "e-mail"),
        ("page.txt", b"<html>source</html>", "plain text"),
        ("export.html", b"<table><tr><td>Fee</td></tr></table>", "HTML"),
        ("export.htm", "Fee <b>5</b>".encode("utf-16"), "HTML"),
        ("export.html", PDF, "PDF"),
    ],
)
def test_a_file_is_judged_by_its_content(filename, start, label):
    form = identify(filename, start)
    assert form
    assert form.label == label


@pytest.mark.parametrize("filename", ["notes.exe", "picture", "archive.pdf.exe", ".pdf.", ""])
def test_names_of_no_format(filename):
    assert identify(filename, PDF) is None


def test_each_format_is_found_by_what_its_documents_are_stored_as():
    for form in FORMATS:
        assert has_format(form.mime)
        assert format_of(form.mime) is form
        assert all(suffix in SUFFIXES and suffix in suffix.lower() for suffix in form.suffixes)
        assert (form.label in describe_formats()) == form.is_read
    assert not has_format("text/x-passage")
    with pytest.raises(ExtractionError) as caught:
        format_of("audio/mpeg")
    assert caught.value.code == "unsupported"


def test_the_docs_name_all_formats():
    reference = (DOCS / "docs/reference/formats.md").read_text(encoding="utf-8")
    rows = [line for line in reference.splitlines() if line.startswith("| ") and "/" in line.split("|")[3]]
    assert [row.split("|")[1:4] for row in rows] == [
        [f" {form.label} ", f" {', '.join(f'`{suffix}`' for suffix in form.suffixes)} ", f" `{form.mime}` "]
        for form in FORMATS
    ]
    for name in ("README.md", "CHANGELOG.md"):
        assert describe_formats() in " ".join((DOCS / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    "start",
    [
        b"Subject: Fees\nContent-Type: text/plain\n\nDue.",
        b"Subject: Fees\n\nDue.",
        b"From a@x.example Sat Jan 3 10:00:00 2026\nSubject: Fees\n\nDue.",
    ],
)
def test_a_message_with_few_heads_is_one_by_its_name(start: bytes) -> None:
    assert identify("fees.eml", start) is MAIL
    assert identify("fees.txt", start) is PLAIN_TEXT
    assert identify("notes.eml", b"No head at all.") is PLAIN_TEXT


@pytest.mark.parametrize(
    "start", [b"<!---->" * 580 + b"x", b"Subject: a" + b"\r\n b" * 1000 + b"\r\nx", b"<!--" * 1000]
)
def test_no_beginning_of_a_file_takes_long_to_tell(start: bytes) -> None:
    began = process_time()
    assert identify("file.txt", start) is PLAIN_TEXT
    assert process_time() - began < 2


def test_a_picture_of_another_kind_is_called_what_it_is(tmp_path: Path) -> None:
    drawn = BytesIO()
    Image.new("P", (40, 40)).save(drawn, "AVIF")
    svg = b'<?xml version="1.0"?><!-- drawn --><svg xmlns="http://www.w3.org/2000/svg"><path/></svg>'
    for name, content in {"AVIF": drawn.getvalue(), "SVG": svg}.items():
        form = identify(f"{name}.png", content)
        assert form is not None
        with pytest.raises(ExtractionError, match=rf"of another kind \({name}\)") as refused:
            pages_of(form, content, tmp_path, f"{name}.png")
        assert refused.value.code == "unsupported"
    assert identify("drawing.txt", svg) is PLAIN_TEXT
