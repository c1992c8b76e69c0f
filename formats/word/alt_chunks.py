"""Parts of a Word document that are files of another kind (altChunk): Word takes them in when it opens it."""

import email
import email.policy
from collections.abc import Iterator

from formats.base.characters import clean_text
from formats.base.errors import ExtractionError
from formats.embedded.pictures import Pictures
from formats.markup.parsing import parse_html
from formats.markup.walking import blocks_of as blocks_of_html
from formats.plain_text.decoding import decode_as
from formats.rendition.blocks import Block, Note, Paragraph

NOT_READ = Note(text="A part of this file is of another kind and was not read.")
_PAGES = (".html", ".htm", ".xhtml")
_WEB_ARCHIVES = (".mht", ".mhtml")
_TEXTS = (".txt",)


def blocks_of_part(name: str, content: bytes, pictures: Pictures) -> Iterator[Block]:
    """Of a web page, by itself or in a web archive, or of plain text; a note in place of what else it is."""
    name = name.lower()
    try:
        if name.endswith(_WEB_ARCHIVES):
            content = _page_of(content)
        elif name.endswith(_TEXTS):
            yield from _paragraphs(decode_as(content)[0])
            return
        elif not name.endswith(_PAGES):
            raise ExtractionError("unsupported")
        yield from blocks_of_html(parse_html(content), pictures)
    except ExtractionError as error:
        if error.code != "empty":
            yield NOT_READ


def _page_of(archive: bytes) -> bytes:
    """The page of a web archive."""
    try:
        message = email.message_from_bytes(archive.lstrip(), policy=email.policy.compat32)
        page = next((part for part in message.walk() if part.get_content_type() == "text/html"), None)
        content = page.get_payload(decode=True) if page is not None else None
    except (ValueError, LookupError, TypeError, RecursionError):
        content = None
    if not isinstance(content, bytes):
        raise ExtractionError("unsupported")
    return content


def _paragraphs(text: str) -> Iterator[Block]:
    for line in clean_text(text).split("\n"):
        if words := " ".join(line.split()):
            yield Paragraph(text=words)
