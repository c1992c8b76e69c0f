"""Whether a citation's words were read by OCR, and which of them are doubtful."""

from dataclasses import dataclass

from chat.models import Citation
from formats.ocr.certainty import doubtful_words, is_recognised


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """A quote that was read by OCR, wholly or in part. doubtful: its words that were hard to read."""

    doubtful: list[str]


def recognised(citation: Citation) -> Recognised | None:
    """None for a quote from a file's own text, or from a file that was deleted."""
    start, end = citation.start, citation.end
    if citation.document is None or citation.is_file_deleted or start is None or end is None:
        return None
    pages = citation.document.pages.recognised().filter(number__in=citation.pages).order_by("number")
    doubtful = [
        doubtful_words(page.text, bytes(page.certainty), max(0, start - page.start), end - page.start)
        for page in pages
        if is_recognised(bytes(page.certainty), start - page.start, end - page.start)
    ]
    return Recognised(doubtful=[word for words in doubtful for word in words]) if doubtful else None
