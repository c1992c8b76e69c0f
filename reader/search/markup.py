"""Comments and tracked changes with the words of a query: what people have written beside the documents.

Searched only if somebody chooses to; no other search and no answer reads them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from operator import and_

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.http import urlencode

from datasources.models import Datasource, Document
from formats.base.annotations import AnnotationKind
from ingestion.models import Annotation
from reader.annotations import head_of
from reader.from_file import moment_in_words
from reader.search.asked import Asked
from reader.search.excerpts import excerpt
from reader.search.finding import scope_of
from retrieval.legs.mentions import SECONDS
from sql.time_limit import time_limit
from text.search.query_words import QueryWords
from text.search.stretches import Stretch

MOST = 200
LARGE = ("page__text", "page__boxes", "page__certainty", "page__layout")  # fields of a page


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One of them. head: “Comment by Ann Lee”. on: the words that it is on. `address`: of its page, with
    these words marked.
    """

    head: str
    when: str
    page: int
    address: str
    stretches: tuple[Stretch, ...]
    on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarks:
    """Those of one document, in its order."""

    document: Document
    datasource: Datasource
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """What was found. `is_cut`: there are more than MOST. counts: by document, of those that were not chosen
    too.
    """

    groups: tuple[Remarks, ...] = ()
    is_cut: bool = False
    counts: Mapping[int, int]

    @property
    def count(self) -> int:
        return sum(len(group.remarks) for group in self.groups)


def has_markup(datasources: Iterable[Datasource]) -> bool:
    """Whether any document that can be found there has a comment or a tracked change."""
    documents = Document.objects.current().ready().filter(datasource__in=datasources)
    return Annotation.objects.filter(page__document__in=documents).exists()


def markup_with(asked: Asked, datasources: Sequence[Datasource], person_id: int) -> Markup:
    """All that have every word of the query, in their own words, their author or what they are on. Raises
    TooSlow.
    """
    of = {datasource.pk: datasource for datasource in datasources}
    words = QueryWords(asked.words)
    with time_limit(SECONDS):
        anywhere = _matching(asked.without_documents, words, datasources, person_id)
        counts = dict(anywhere.order_by().values_list("page__document").annotate(Count("pk")))
        chosen = anywhere.filter(page__document__in=asked.documents) if asked.documents else anywhere
        found = list(chosen.select_related("page__document").defer(*LARGE)[: MOST + 1])
    groups = [
        Remarks(
            document=document,
            datasource=of[document.datasource_id],
            remarks=tuple(_remark(each, words) for each in each_of),
        )
        for document, each_of in groupby(found[:MOST], key=lambda each: each.page.document)
    ]
    return Markup(groups=tuple(groups), is_cut=len(found) > MOST, counts=counts)


def _matching(
    asked: Asked, words: QueryWords, datasources: Sequence[Datasource], person_id: int
) -> QuerySet[Annotation]:
    scopes = [scope_of(datasource, asked, person_id) for datasource in datasources]
    where = Q(page__document__in=[number for scope in scopes for number in scope.document_ids or ()])
    where |= Q(
        page__document__datasource__in=[scope.datasource_id for scope in scopes if scope.document_ids is None]
    )
    each = [
        Q(text__icontains=word) | Q(author__icontains=word) | Q(quote__icontains=word) for word in words.words
    ]
    if not each:
        return Annotation.objects.none()
    documents = Document.objects.current().ready()
    return Annotation.objects.filter(where, reduce(and_, each), page__document__in=documents).order_by(
        "page__document__title", "page__document", "page__number", "position"
    )


def _remark(annotation: Annotation, words: QueryWords) -> Remark:
    page = annotation.page
    reader = reverse("reader", args=[page.document.datasource_id, page.document_id])
    return Remark(
        head=head_of(AnnotationKind(annotation.kind), annotation.author),
        when=moment_in_words(annotation.made) if annotation.made else "",
        page=page.number,
        address=f"{reader}?{urlencode({'page': page.number, 'note': annotation.position})}",
        stretches=excerpt(annotation.text, words.held_by(annotation.text).spans).stretches,
        on=annotation.quote,
    )
