"""Clauses of a document that a newer document of its datasource says it changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q

from datasources.models import Document
from english.contracts.amendments import NAMES_OF_CHANGES, amends, changes_others
from english.contracts.clauses import (
    Clause,
    changed_clauses,
    changes,
    clauses_in,
    deletes,
    parts_of_change,
)
from english.contracts.instrument_days import Days
from ingestion.models import Page
from reader.beginnings import BEGINS, beginning_of
from reader.page_boxes import Box, lines

IN_THE_MARGIN = 9.0  # points before the lines of a clause
MOST = 300  # documents of a datasource whose beginnings are looked at: first those whose titles tell


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedClause:
    """number: of the clause. by: that of the clause of the newer document, if it has one; the document is
    `amendment`, and says these days of itself.
    """

    document: Document
    number: str
    amendment: Document
    by: str
    days: Days


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A changed clause, and where its lines begin and end on its page, in points; 0 where nobody knows."""

    clause: ChangedClause
    x: float
    y: float
    height: float


class ChangedClauses:
    """Of the documents of one datasource. Reads the text of amendments, and of what they amend, once each."""

    def __init__(self, datasource: int) -> None:
        self._datasource = datasource
        self._changing: dict[int, list[tuple[Clause, str]]] = {}
        self._changed: dict[int, list[tuple[ChangedClause, str]]] = {}
        self._places: dict[int, list[tuple[int, int, ChangedClause]]] = {}

    def within(self, document: Document | None, start: int | None, end: int | None) -> list[ChangedClause]:
        """Those of which a part stands in these characters of the document."""
        if document is None or start is None or end is None or not self._of(document):
            return []
        if document.pk not in self._places:
            self._places[document.pk] = list(self._placed(document))
        places = self._places[document.pk]
        return list(dict.fromkeys(changed for first, last, changed in places if first < end and start < last))

    def on(self, page: Page) -> list[Marked]:
        """Those that begin on a page of a document, in its order."""
        marked = []
        for clause in clauses_in(page.text) if self._of(page.document) else ():
            boxes = lines(page, clause.start, clause.end)
            marked += [_marked(changed, boxes) for changed in self._said_of(page.document, clause)]
        return marked

    def _placed(self, document: Document) -> Iterator[tuple[int, int, ChangedClause]]:
        for start, text in document.pages.order_by("number").values_list("start", "text"):
            for clause in clauses_in(text):
                for changed in self._said_of(document, clause):
                    yield start + clause.start, start + clause.end, changed

    def _said_of(self, document: Document, clause: Clause) -> Iterator[ChangedClause]:
        for changed, words in self._of(document):
            of_it = changed.number == clause.number
            if of_it and (changes(words, clause.text) or deletes(words, clause.number)):
                yield changed

    def _of(self, document: Document) -> list[tuple[ChangedClause, str]]:
        """What is changed in a document, each with the words that say so."""
        if document.pk not in self._changed:
            self._changed[document.pk] = list(self._read(document))
        return self._changed[document.pk]

    def _read(self, document: Document) -> Iterator[tuple[ChangedClause, str]]:
        for other, begins in self._amendments.items():
            if other == document or not amends(other.title, begins, document.title, self._begins(document)):
                continue
            days = Days.of(begins)
            for clause, number in self._clauses_of(other):
                changed = ChangedClause(
                    document=document, number=number, amendment=other, by=clause.number, days=days
                )
                yield changed, clause.text

    def _clauses_of(self, amendment: Document) -> list[tuple[Clause, str]]:
        """Its clauses that change others, with the numbers of these."""
        if amendment.pk not in self._changing:
            texts = amendment.pages.order_by("number").values_list("text", flat=True)
            self._changing[amendment.pk] = [
                (clause, number)
                for text in texts
                for clause in parts_of_change(text)
                for number in sorted(changed_clauses(clause.text))
            ]
        return self._changing[amendment.pk]

    def _begins(self, document: Document) -> str:
        if document not in self._beginnings:
            self._beginnings[document] = beginning_of(document.pk)
        return self._beginnings[document]

    @cached_property
    def _amendments(self) -> dict[Document, str]:
        """What names a contract that it changes, with how it begins."""
        told = self._beginnings.items()
        return {document: begins for document, begins in told if changes_others(document.title, begins)}

    @cached_property
    def _beginnings(self) -> dict[Document, str]:
        first = Page.objects.filter(document__datasource=self._datasource, number=1)
        current = first.filter(document__in=Document.objects.current().ready()).select_related("document")
        told = current.annotate(begins=BEGINS, is_told=Q(document__title__iregex=NAMES_OF_CHANGES))
        rows = told.defer("text", "boxes", "certainty", "layout").order_by("-is_told", "-document")
        return {each.document: each.begins for each in rows[:MOST]}


def _marked(clause: ChangedClause, boxes: list[Box]) -> Marked:
    if not boxes:
        return Marked(clause=clause, x=0, y=0, height=0)
    top, bottom = min(box.y for box in boxes), max(box.bottom for box in boxes)
    left = min(box.x for box in boxes) - IN_THE_MARGIN
    return Marked(clause=clause, x=round(max(left, 0.0), 1), y=top, height=round(bottom - top, 1))
