"""A stretch of a document's text, from its pages."""

from ingestion.chunking import PAGE_JOINER
from ingestion.models import Page


def text_between(document: int, start: int, end: int) -> str:
    """The text of the document from one offset to another."""
    pages = list(Page.objects.filter(document=document, start__lt=end).order_by("number"))
    around = [page for page in pages if page.start + len(page.text) >= start]
    if not around:
        return ""
    begin = around[0].start
    return PAGE_JOINER.join(page.text for page in around)[max(0, start - begin) : end - begin]
