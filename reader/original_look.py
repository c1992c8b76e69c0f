"""The original look of a document: its file as LibreOffice draws it, if the words match ours."""

import json
from dataclasses import asdict, dataclass

from datasources.models import Document, DocumentStatus
from datasources.storage.files import source_file
from formats import ExtractionError, pictures
from formats.base.errors import IN_THE_FILE
from formats.legacy import original_look
from formats.pdf.reader import page_pixels
from formats.registry import format_of
from jobs.fair_slots import FairSlots
from reader.page_images import PAGE_WIDTH, cache_path, cached, has_pages

VERSION = 1  # raise it when LibreOffice is to draw all files again
PDF = f"original-look-{VERSION}.pdf"
DRAWING = FairSlots(2)  # LibreOffice takes some hundred megabytes each time


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginalLook:
    """known: the share of its different words that SVQ has read. failure: why there is none."""

    pages: int = 0
    known: float = 0.0
    agrees: bool = False
    failure: str = ""

    @property
    def percent(self) -> int:
        return int(100 * self.known)


def is_offered(document: Document) -> bool:
    """Only once the document has been read: its words are compared, and the result is shared by everybody who
    has the same file, even without its password.
    """
    is_read = document.status in (DocumentStatus.READY, DocumentStatus.SUPERSEDED)
    return is_read and has_pages(document) and original_look.has_original_look(format_of(document.mime))


def look_of(document: Document, *, asker: int) -> OriginalLook:
    """Drawn at the first call, which takes seconds. A failure is stored if another try would end the same
    way. Raises Busy, OSError.
    """

    def make() -> bytes:
        try:
            return json.dumps(asdict(_drawn(document))).encode()
        except ExtractionError as error:
            if error.code not in IN_THE_FILE:
                raise
            return json.dumps({"failure": error.message}).encode()

    try:
        told = cached(document, f"original-look-{VERSION}.json", make, asker, DRAWING)
    except ExtractionError as error:
        return OriginalLook(failure=error.message)
    return OriginalLook(**json.loads(told))


def page_image(document: Document, number: int, *, asker: int) -> bytes:
    """WebP of one of its pages. Raises ExtractionError where there is none, Busy, OSError."""
    look = look_of(document, asker=asker)
    if not look.agrees or not 1 <= number <= look.pages:
        raise ExtractionError("corrupt")

    def make() -> bytes:
        return pictures.page_image(page_pixels(cache_path(document, PDF), number, PAGE_WIDTH))

    return cached(document, f"original-look-{VERSION}-{number}.webp", make, asker, DRAWING)


def _drawn(document: Document) -> OriginalLook:
    path = cache_path(document, PDF)
    with source_file(document) as file:
        content = original_look.drawn_by_office(format_of(document.mime), file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    drawn = original_look.pages_of(path)
    ours = document.pages.values_list("text", flat=True).iterator()
    known, shown = original_look.agreement(ours, drawn)
    return OriginalLook(pages=len(drawn), known=known, agrees=original_look.agrees(known, shown))
