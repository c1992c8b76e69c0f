"""Which pages of a document OCR is to read, and how long that takes."""

from datasources.models import Document, Recognition
from formats.ocr.reader import ScannedPage
from ingestion.models import Page, PageQuerySet, PageSource
from ingestion.throughput import as_words

EXPECTED_SPEED = 0.2  # pages a second, before any was read
SURE = 0.85  # mean certainty of a page; one with less is hard to read


def pages_to_read(document: Document) -> list[ScannedPage]:
    """Those that the datasource's setting, or a person's wish, leaves to OCR, in order."""
    rows = _chosen(document).order_by("number").values_list("number", "suspect")
    always = document.datasource.recognition == Recognition.ALWAYS
    return [ScannedPage(number=number, has_text=suspect and not always) for number, suspect in rows]


def _chosen(document: Document) -> PageQuerySet:
    pages = Page.objects.filter(document=document)
    match document.datasource.recognition:
        case Recognition.ALWAYS:
            return pages.filter(readable=True, source=PageSource.TEXT)
        case Recognition.OFF if not document.recognise:
            return pages.none()
    return pages.without_text() | pages.filter(suspect=True, readable=True, source=PageSource.TEXT)


def expected_time(pages: int) -> str:
    """Such as “3 min” for so many pages."""
    return as_words(pages / EXPECTED_SPEED)
