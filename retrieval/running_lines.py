"""The heads and feet of pages that run through passages: they are nobody's words, and no quote has them."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from datasources.models import Document
from ingestion.models import Page, Table
from retrieval.evidence import Evidence
from text.running_lines import running_lines, running_places

MOST_PAGES = 400  # of a document, whose heads and feet are looked for
KEPT = 256  # documents whose heads and feet are remembered
PRINTED = "application/pdf"  # other files have no pages, or repeat on them what a reader must know

Places = tuple[tuple[int, int], ...]


def with_running_lines(passages: Sequence[Evidence]) -> list[Evidence]:
    """The passages, each with the places of the heads and feet in it."""
    printed = Document.objects.filter(pk__in={each.document_id for each in passages}, mime=PRINTED)
    places = {pk: _places(pk, ready) for pk, ready in printed.values_list("pk", "ready_at")}
    return [replace(each, running=_within(each, places.get(each.document_id, ()))) for each in passages]


@lru_cache(maxsize=KEPT)
def _places(document_id: int, _ready: datetime | None) -> Places:
    """In the document's text. A document that is read again is ready at another time."""
    pages = Page.objects.filter(document=document_id).order_by("number")
    rows = list(pages.values_list("start", "text")[:MOST_PAGES])
    running = running_lines(text for _, text in rows)
    found = (
        (start + first, start + last) for start, text in rows for first, last in running_places(text, running)
    )
    tables = list(Table.objects.filter(document=document_id).order_by("start").values_list("start", "end"))
    return tuple(place for place in found if not _overlaps(place, tables))


def _overlaps(place: tuple[int, int], tables: Sequence[tuple[int, int]]) -> bool:
    """Whether it is of a table, whose columns have their heads on each of its pages."""
    behind = bisect_left(tables, (place[1], 0))
    return behind > 0 and tables[behind - 1][1] > place[0]


def _within(passage: Evidence, places: Places) -> Places:
    first = bisect_left(places, (passage.start, 0))
    return tuple(_from(passage.start, _until(passage.end, places[max(0, first - 1) :])))


def _until(end: int, places: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    for start, stop in places:
        if start >= end:
            break
        yield start, min(stop, end)


def _from(begin: int, places: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    return ((max(0, start - begin), stop - begin) for start, stop in places if stop > begin)
