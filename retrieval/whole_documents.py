"""Whole documents: which ones a question may mean, and all of their passages in reading order."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum
from django.db.models.functions import Length

from datasources.models import Document
from retrieval.evidence import Evidence, evidence_of
from retrieval.query import Scope
from retrieval.tables import with_tables

MOST_LISTED = 2_000  # documents; in a larger datasource one is found by choosing it


@dataclass(frozen=True, slots=True, kw_only=True)
class Readable:
    """A document that a question may search; `pages` is 0 where it has none."""

    id: int
    title: str
    pages: int


def readable(scope: Scope) -> list[Readable]:
    """The newest versions of read documents, by title; none where there are more than MOST_LISTED."""
    documents = Document.objects.current().ready().filter(datasource=scope.datasource_id)
    if scope.document_ids is not None:
        documents = documents.filter(pk__in=scope.document_ids)
    rows = documents.order_by("title", "pk").values_list("pk", "title", "page_count")[: MOST_LISTED + 1]
    listed = [Readable(id=number, title=title, pages=pages or 0) for number, title, pages in rows]
    return listed if len(listed) <= MOST_LISTED else []


def characters_of(scope: Scope, documents: Sequence[int]) -> int:
    """How long their passages are together."""
    chunks = scope.only(frozenset(documents)).chunks()
    return chunks.order_by().aggregate(all=Sum(Length("text")))["all"] or 0


def passages_of(scope: Scope, documents: Sequence[int]) -> list[Evidence]:
    """Document by document as they are given, each from its beginning to its end."""
    chunks = scope.only(frozenset(documents)).chunks().select_related("document").order_by("start")
    place = {document: index for index, document in enumerate(documents)}
    ordered = sorted(chunks, key=lambda chunk: place[chunk.document_id])
    return with_tables([evidence_of(chunk, 1.0) for chunk in ordered])
