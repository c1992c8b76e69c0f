"""Clauses of a document that a newer document of its datasource says it changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.db.models.functions import Left
from django.utils import timezone

from datasources.models import Document
from english.contracts.amendments import BEGINNING, amends
from english.contracts.clauses import Clause, changed_clauses, changes, clauses_in
from english.contracts.instrument_days import day_made, day_of_effect
from ingestion.models import Page
from reader.page_boxes import Box, lines
from reader.page_images import pages_of

IN_THE_MARGIN = 9.0  # points before the lines of a clause
MOST = 300  # documents of a datasource, the last ones, whose beginnings are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedClause:
    """number: of the clause. by: that of the clause of the newer document, which is `amendment`. since: the
    day from which it has effect, if its first page says so.
    """

    document: Document
    number: str
    amendment: Document
    by: str
    since: date | None

    @property
    def is_ahead(self) -> bool:
        return self.since is not None and self.since > timezone.localdate()


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A changed clause, and where its lines begin and end on its page, in points; 0 where nobody knows."""

    clause: ChangedClause
    x: float
    y: float
    height: float

    @property
    def only(self) -> list[ChangedClause]:
        return [self.clause]


class ChangedClauses:
    """Of the documents of one datasource. Reads each document once, and only those that others change."""

    def __init__(self, datasource: int) -> None:
        self._datasource = datasource
        self._changes: dict[int, list[tuple[ChangedClause, str]]] = {}

    def within(self, document: Document | None, start: int | None, end: int | None) -> list[ChangedClause]:
        """Those of which a part stands in these characters of the document."""
        if document is None or start is None or end is None or not self._of(document):
            return []
        found: list[ChangedClause] = []
        for page in pages_of(document, start, end):
            for clause in clauses_in(page.text):
                if page.start + clause.start < end and start < page.start + clause.end:
                    found += self._said_of(document, clause)
        return list(dict.fromkeys(found))

    def on(self, page: Page) -> list[Marked]:
        """Those that begin on a page of a document, in its order."""
        marked = []
        for clause in clauses_in(page.text) if self._of(page.document) else ():
            boxes = lines(page, clause.start, clause.end)
            marked += [_marked(changed, boxes) for changed in self._said_of(page.document, clause)]
        return marked

    def _said_of(self, document: Document, clause: Clause) -> Iterator[ChangedClause]:
        for changed, words in self._of(document):
            if changed.number == clause.number and changes(words, clause.text):
                yield changed

    def _of(self, document: Document) -> list[tuple[ChangedClause, str]]:
        """What is changed in a document, each with the words that say so."""
        if document.pk not in self._changes:
            self._changes[document.pk] = list(self._read(document))
        return self._changes[document.pk]

    def _read(self, document: Document) -> Iterator[tuple[ChangedClause, str]]:
        own = next((text for each, text in self._beginnings if each == document), "")
        for other, text in self._beginnings:
            if other == document or not amends(other.title, text, document.title, own):
                continue
            since = day_of_effect(text) or day_made(text)
            for page in other.pages.order_by("number").values_list("text", flat=True):
                for clause in clauses_in(page):
                    for number in sorted(changed_clauses(clause.text)):
                        changed = ChangedClause(
                            document=document, number=number, amendment=other, by=clause.number, since=since
                        )
                        yield changed, clause.text

    @cached_property
    def _beginnings(self) -> list[tuple[Document, str]]:
        first = Page.objects.filter(document__datasource=self._datasource, number=1)
        current = first.filter(document__in=Document.objects.current().ready()).select_related("document")
        rows = current.annotate(begins=Left("text", BEGINNING)).defer("text", "boxes", "certainty", "layout")
        return [(each.document, each.begins) for each in rows.order_by("-document")[:MOST]]


def _marked(clause: ChangedClause, boxes: list[Box]) -> Marked:
    if not boxes:
        return Marked(clause=clause, x=0, y=0, height=0)
    top, bottom = min(box.y for box in boxes), max(box.bottom for box in boxes)
    left = min(box.x for box in boxes) - IN_THE_MARGIN
    return Marked(clause=clause, x=round(max(left, 0.0), 1), y=top, height=round(bottom - top, 1))
