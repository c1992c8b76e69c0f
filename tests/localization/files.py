"""What people read of a file that they have taken away: the sentences and labels of each form."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from zipfile import ZipFile

import pypdfium2
from docx import Document
from lxml import html

from tests.localization.visible import visible


def texts_of(name: str, content: bytes) -> Iterator[str]:
    """name: with the ending that tells the form."""
    yield from FORMS[name.rpartition(".")[2]](content)


def _lines(content: bytes) -> Iterator[str]:
    yield from filter(None, map(str.strip, content.decode("utf-8-sig").splitlines()))


def _cells(content: bytes) -> Iterator[str]:
    for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))):
        yield from row


def _sheets(content: bytes) -> Iterator[str]:
    """Names of sheets, and their cells with words."""
    with ZipFile(io.BytesIO(content)) as book:
        names = html.fromstring(book.read("xl/workbook.xml")).xpath("//sheet/@name")
        yield from map(str, names)
        for text in html.fromstring(book.read("xl/sharedStrings.xml")).iter("si"):
            yield text.text_content()


def _paragraphs(content: bytes) -> Iterator[str]:
    made = Document(io.BytesIO(content))
    yield from (paragraph.text for paragraph in made.paragraphs)
    for table in made.tables:
        yield from (cell.text for row in table.rows for cell in row.cells)


def _pages(content: bytes) -> Iterator[str]:
    """All of it as one text: a line of a PDF may end within a message."""
    with pypdfium2.PdfDocument(content) as made:
        yield " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in made)


def _events(content: bytes) -> Iterator[str]:
    """Of a calendar, its lines put together again; names of fields and numbers are the format's own."""
    for line in re.sub(r"\r\n[ \t]", "", content.decode()).splitlines():
        field, _, value = line.partition(":")
        if field in ("SUMMARY", "DESCRIPTION"):
            yield value.replace("\\n", " ")


def _parts(content: bytes) -> Iterator[str]:
    """Of an evidence pack, what is not for programs."""
    with ZipFile(io.BytesIO(content)) as pack:
        for name in pack.namelist():
            if name.rpartition(".")[2] in ("html", "md", "pdf", "docx"):
                yield from texts_of(name, pack.read(name))


FORMS: dict[str, Callable[[bytes], Iterator[str]]] = {
    "csv": _cells,
    "docx": _paragraphs,
    "html": lambda content: visible(content.decode()),
    "ics": _events,
    "md": _lines,
    "pdf": _pages,
    "tex": _lines,
    "xlsx": _sheets,
    "zip": _parts,
}
