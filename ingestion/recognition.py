"""Which pages of a document OCR is to read and by what, how long that takes, and how that is told."""

from collections.abc import Sequence
from functools import partial

from django.db.models import Q
from django.utils.translation import gettext as _

from datasources.models import Datasource, Document, DocumentStatus, Recognition, ScanReader
from datasources.scan_readers import why_not
from formats.base.doubts import DoubtKind
from formats.base.errors import ExtractionError
from formats.ocr import tesseract
from formats.ocr.by_words import Engine
from formats.ocr.reader import ScannedPage
from formats.registry import format_of
from ingestion.models import Doubt, Page, PageQuerySet
from ingestion.page_numbers import named
from ingestion.throughput import as_words
from localization.numbers import numeral
from providers.protocols import PictureRefused, TextRecogniser
from providers.text_recognisers import text_recogniser
from text.pictures import PictureText

EXPECTED_SPEED = 0.2  # pages a second, before any was read
MOST_READ_AGAIN = 50  # pages of a document that have text and print beside it: each takes seconds
SURE = 0.85  # mean certainty of a page; one with less is hard to read


def pages_to_read(document: Document) -> list[ScannedPage]:
    """Those that the datasource's setting, or a person's wish, leaves to OCR, in order."""
    rows = _chosen(document).annotate(blank=Q(text__regex=r"^\s*$")).order_by("number")
    regions = _unread_regions(document)
    always = document.datasource.recognition == Recognition.ALWAYS
    beside = always and format_of(document.mime).is_typeset
    return [
        ScannedPage(
            number=number,
            has_text=suspect and not always,
            only_pictures=beside and not blank,
            regions=() if always or suspect or blank or picture else tuple(regions.get(number, ())),
        )
        for number, suspect, blank, picture in rows.values_list("number", "suspect", "blank", "picture")
    ]


def _unread_regions(document: Document) -> dict[int, list[tuple[float, float, float, float]]]:
    """Parts of pages with print that is not in the text, by page, as parts of its sides."""
    found = Doubt.objects.filter(page__document=document, kind=DoubtKind.UNREAD, script="")
    regions: dict[int, list[tuple[float, float, float, float]]] = {}
    for number, box in found.order_by("position").values_list("page__number", "box"):
        if box:
            x0, y0, x1, y1 = (side / 1000 for side in box)
            regions.setdefault(number, []).append((x0, y0, x1, y1))
    return regions


def _chosen(document: Document) -> PageQuerySet:
    """What SVQ has typeset from a file's text is never read in place of that. None where the chosen reader
    is not there.
    """
    pages = Page.objects.filter(document=document)
    if why_not(document.datasource.scan_reader, document.datasource):
        return pages.none()
    if document.datasource.recognition == Recognition.ALWAYS:
        is_typeset = format_of(document.mime).is_typeset
        return pages.without_text() | pages.untried().filter(pictured=True) if is_typeset else pages.untried()
    if document.datasource.recognition == Recognition.OFF and not document.recognise:
        return pages.none()
    unread = Doubt.objects.filter(page__document=document, kind=DoubtKind.UNREAD)
    some = unread.order_by("page__number").values_list("page", flat=True).distinct()[:MOST_READ_AGAIN]
    return pages.without_text() | pages.untried().filter(Q(suspect=True) | Q(pk__in=list(some)))


def engine_of(datasource: Datasource) -> Engine | None:
    """What reads a picture in place of SVQ's own reader; None for that one."""
    match datasource.scan_reader:
        case ScanReader.TESSERACT:
            return partial(tesseract.read, chosen=datasource.scan_languages)
        case ScanReader.SERVER if server := text_recogniser(datasource):
            return partial(_read_by, server, datasource.scan_languages)
    return None


def _read_by(server: TextRecogniser, languages: Sequence[str], picture: bytes) -> PictureText:
    """Raises ProviderError, ExtractionError for a picture that the server cannot read."""
    try:
        return server.read(picture, languages)
    except PictureRefused as error:
        raise ExtractionError("corrupt", error.message) from error


def expected_time(pages: int) -> str:
    """Such as “3 min” for so many pages."""
    return as_words(pages / EXPECTED_SPEED)


def waits_for_recognition(document: Document) -> bool:
    """Whether OCR of its pictures would help, and nobody has tried that."""
    if document.status == DocumentStatus.FAILED:
        return document.error_code == "needs_ocr"
    return document.status == DocumentStatus.READY and document.pages_without_text > 0


def offer(document: Document) -> str:
    """What a button says that has its pictures read: “Read 3 pages by OCR: 2, 5 and 9; about 20 s”.

    Empty where there are none.
    """
    if not waits_for_recognition(document):
        return ""
    pictures = Page.objects.filter(document=document).without_text().order_by("number")
    return offer_of(list(pictures.values_list("number", flat=True)))


def offer_of(numbers: Sequence[int]) -> str:
    """The same of pages with these numbers, ascending."""
    if not numbers:
        return ""
    time = expected_time(len(numbers))
    if len(numbers) == 1:
        told = _("Read page {number} by OCR; about {time}")
        return told.format(number=numeral(numbers[0]), time=time)
    return _("Read {n} pages by OCR: {pages}; about {time}").format(
        n=numeral(len(numbers)), pages=named(numbers, in_a_sentence=True), time=time
    )
