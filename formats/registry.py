"""The formats that SVQ reads, a line each, and which of them a file is."""

import codecs
import struct
from pathlib import PurePath
from typing import BinaryIO

from formats.base.errors import ExtractionError
from formats.base.format import Format
from formats.delimited.format import CSV
from formats.embedded.recognition import OLE, ZIP
from formats.epub.format import EPUB
from formats.html.format import HTML
from formats.image.format import IMAGES
from formats.image.other_kinds import is_svg
from formats.legacy.format import LEGACY
from formats.mail.format import MAIL, MAILBOX, OUTLOOK, begins_with_head
from formats.markdown.format import MARKDOWN
from formats.notebook.format import NOTEBOOK
from formats.pdf.format import PDF
from formats.plain_text.format import PLAIN_TEXT
from formats.sheets.format import SHEETS
from formats.slides.format import SLIDES
from formats.transcript.format import TRANSCRIPT
from formats.web_archive.format import WEB_ARCHIVE
from formats.word.format import WORD
from formats.zipped.format import ZIPPED

OFFICE = (WORD, SLIDES, SHEETS, EPUB, MAIL, OUTLOOK, MAILBOX)
TEXTS = (PLAIN_TEXT, MARKDOWN, CSV, TRANSCRIPT, NOTEBOOK)
# Asked in this order what a file is; of texts the first is what no name tells apart.
FORMATS: tuple[Format, ...] = (PDF, *IMAGES, *OFFICE, HTML, WEB_ARCHIVE, ZIPPED, *TEXTS, *LEGACY)

SNIFFED_BYTES = 4096  # of a file's beginning
SNIFFED_END = 65_536  # bytes of an archive's end, where its parts are named
OLE_DIRECTORY = 16_384  # bytes of what names the streams of an OLE file
_OLE_SECTOR = struct.Struct("<48xI")  # where the directory begins
_BY_MIME = {form.mime: form for form in FORMATS}
_BY_SUFFIX = {suffix: form for form in FORMATS for suffix in form.suffixes}
SUFFIXES = tuple(_BY_SUFFIX)


def has_format(mime: str) -> bool:
    """Whether documents stored as `mime` have pages that can be drawn."""
    return mime in _BY_MIME


def format_of(mime: str) -> Format:
    """Raises ExtractionError for what no format reads."""
    if mime not in _BY_MIME:
        raise ExtractionError("unsupported")
    return _BY_MIME[mime]


def sample_of(file: BinaryIO) -> bytes:
    """The bytes by which `identify` tells what a file is: its beginning, and where its parts are named."""
    file.seek(0)
    start = file.read(SNIFFED_BYTES)
    if start.startswith(ZIP):
        file.seek(max(SNIFFED_BYTES, file.seek(0, 2) - SNIFFED_END))
        return start + file.read(SNIFFED_END)
    if start.startswith(OLE) and len(start) > _OLE_SECTOR.size:
        (sector,) = _OLE_SECTOR.unpack_from(start)
        file.seek((sector + 1) * (512 if start[30] == 9 else 4096))
        return start + file.read(OLE_DIRECTORY)
    return start


def identify(filename: str, start: bytes) -> Format | None:
    """What a file is by its sample, which counts more than its name: "letter.txt" may be a PDF.

    Its name decides where the bytes leave that open; a file that is of no format by its content goes by its
    name, so that reading it says what is wrong with it. None for a name that no format has.
    """
    named = _BY_SUFFIX.get(PurePath(filename).suffix.lower())
    if named is None:
        return None
    for form in FORMATS:
        if form.magic and start.removeprefix(codecs.BOM_UTF8).lstrip().startswith(form.magic):
            return form
    found = next((form for form in (named, *FORMATS) if form.sniff(start)), named)
    if found is PLAIN_TEXT and (named is HTML or (named in (MAIL, MAILBOX) and begins_with_head(start))):
        return named  # a part of a page and a bare message begin like any text
    if named in IMAGES and is_svg(start):
        return named  # which says that it is none of these
    return found


def describe_formats() -> str:
    """What can be added, for the middle of a sentence: "PDF and plain text files"."""
    *names, last = [form.label for form in FORMATS if form.is_read]
    return f"{', '.join(names)} and {last} files" if names else f"{last} files"
