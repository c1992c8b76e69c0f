"""The whole texts of documents, from their pages."""

from collections.abc import Collection, Iterator
from itertools import groupby
from operator import itemgetter

from ingestion.chunks.chunking import PAGE_JOINER
from ingestion.models import Page


def texts_of(documents: Collection[int]) -> Iterator[tuple[int, str]]:
    """(document, text) of those that have pages, one after the other, in one statement."""
    pages = Page.objects.filter(document__in=documents).order_by("document", "number")
    rows = pages.values_list("document", "text").iterator()
    for document, some in groupby(rows, key=itemgetter(0)):
        yield document, PAGE_JOINER.join(text for _, text in some)
