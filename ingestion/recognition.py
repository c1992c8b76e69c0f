"""Which pages of a document OCR is to read, and how long that takes."""

from datasources.models import Document, Recognition
from formats.ocr.reader import ScannedPage
from formats.registry import format_of
from ingestion.models import Page, PageQuerySet
from ingestion.throughput import as_words

EXPECTED_SPEED = 0.2  # pages a second, before any was read
SURE = 0.85  # mean certainty of a page; one with less is hard to read


def pages_to_read(document: Document) -> list[ScannedPage]:
    """Those that the datasource's setting, or a person's wish, leaves to OCR, in order."""
    rows = _chosen(document).order_by("number").values_list("number", "suspect")
    always = _reads_all(document)
    return [ScannedPage(number=number, has_text=suspect and not always) for number, suspect in rows]


def _chosen(document: Document) -> PageQuerySet:
    pages = Page.objects.filter(document=document)
    if _reads_all(document):
        return pages.untried()
    if document.datasource.recognition == Recognition.OFF and not document.recognise:
        return pages.none()
    return pages.without_text() | pages.untried().filter(suspect=True)


def _reads_all(document: Document) -> bool:
    """What SVQ has typeset from a file's text is never read in place of that."""
    return document.datasource.recognition == Recognition.ALWAYS and not format_of(document.mime).is_typeset


def expected_time(pages: int) -> str:
    """Such as “3 min” for so many pages."""
    return as_words(pages / EXPECTED_SPEED)
