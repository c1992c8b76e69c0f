"""Turns filters into the documents to search, so that every leg applies them before ranking."""

from datetime import date
from typing import Any

from django.db.models import Q, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce, Left, NullIf

from datasources.in_use.tags import spellings
from datasources.models import Document
from datasources.models.documents import DocumentQuerySet
from datasources.models.tags import TAGS
from datasources.numbers import number_in
from retrieval.query import Filters, Scope

# When a mail was sent; of other files when they were made. Empty where the file does not say.
WRITTEN = Coalesce(
    NullIf(KT("file_properties__sent"), Value("")),
    NullIf(KT("file_properties__created"), Value("")),
    Value(""),
)


def filtered(scope: Scope, filters: Filters) -> Scope:
    """The part of the scope whose documents pass the filters."""
    if filters == Filters():
        return scope
    documents = Document.objects.ready().filter(datasource_id=scope.datasource_id)
    if scope.document_ids is not None:
        documents = documents.filter(pk__in=scope.document_ids)
    if filters.document_ids is not None:
        documents = documents.filter(pk__in=filters.document_ids)
    if filters.types:
        endings = Q()
        for ending in filters.types:
            endings |= Q(filename__iendswith=f".{ending.lower().removeprefix('.')}")
        documents = documents.filter(endings)
    if filters.since:
        documents = documents.filter(created__date__gte=filters.since)
    if filters.until:
        documents = documents.filter(created__date__lte=filters.until)
    if filters.languages:
        documents = documents.filter(search_terms__language__in=filters.languages)
    if filters.tags:
        tagged = Q()
        for tag in {*filters.tags, *spellings(scope.datasource_id, filters.tags)}:
            tagged |= Q(metadata__contains={TAGS: [tag]}) | Q(metadata__contains={TAGS: tag})
        documents = documents.filter(tagged)
    documents = _written(documents, filters)
    for key, value in filters.metadata.items():
        documents = documents.filter(has(key, value))
    return scope.only(frozenset(documents.values_list("pk", flat=True)))


def _written(documents: DocumentQuerySet, filters: Filters) -> DocumentQuerySet:
    """By what their files say of themselves."""
    if by := filters.written_by:
        said = Q(file_properties__author__icontains=by) | Q(file_properties__sender__icontains=by)
        documents = documents.filter(said)
    if to := filters.sent_to:
        documents = documents.filter(file_properties__recipients__icontains=to)
    if filters.written_since or filters.written_until:
        # Days are compared as ISO 8601 writes them, which sorts like time.
        since, until = filters.written_since or date.min, filters.written_until or date.max
        documents = documents.alias(written=Left(WRITTEN, len("2024-01-31"))).filter(
            written__gte=since.isoformat(), written__lte=until.isoformat()
        )
    return documents


def has(key: str, value: Any) -> Q:
    """Metadata has the value, or a list with it; digits are also the number that they write."""
    same = [value, [value]]
    if isinstance(value, str) and (number := number_in(value)) is not None:
        same += [number, [number]]
    either = Q()
    for each in same:
        either |= Q(metadata__contains={key: each})
    return either
