"""Every passage with the very words of a query, counted to the last one: nothing ranked or left out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db import connection, transaction
from django.db.models import Q
from django.db.utils import OperationalError
from psycopg.errors import QueryCanceled

from datasources.models import Datasource
from ingestion.models import Chunk, ChunkQuerySet
from reader.search.asked import Asked
from reader.search.finding import scope_of
from text.very_words import pattern_for_postgres

PER_PAGE = 50
SECONDS = 10  # for one count; after that the person is told


class TooSlow(Exception):
    """The texts were not looked through in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One page of the passages, in the order of the documents. `counts`: of all of them, by document."""

    chunks: tuple[Chunk, ...] = ()
    counts: Mapping[int, int] = field(default_factory=dict)
    page: int = 1

    @property
    def count(self) -> int:
        return sum(self.counts.values())

    @property
    def documents(self) -> int:
        return len(self.counts)

    @property
    def pages(self) -> int:
        return max(1, -(-self.count // PER_PAGE))


def list_all(asked: Asked, datasources: Sequence[Datasource], person_id: int) -> Listed:
    """Raises TooSlow."""
    if not asked.text or not datasources:
        return Listed()
    scopes = [scope_of(datasource, asked, person_id) for datasource in datasources]
    searched = [
        Q(datasource_id=scope.datasource_id)
        if scope.document_ids is None
        else Q(datasource_id=scope.datasource_id, document_id__in=scope.document_ids)
        for scope in scopes
    ]
    chunks = Chunk.objects.searchable().filter(reduce(or_, searched))
    chunks = chunks.filter(text__iregex=pattern_for_postgres(asked.text))
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(SECONDS * 1000)])
        try:
            return _page(chunks, asked.page)
        except OperationalError as error:
            if isinstance(error.__cause__, QueryCanceled):
                raise TooSlow from error
            raise


def _page(chunks: ChunkQuerySet, page: int) -> Listed:
    in_order = chunks.order_by("datasource__name", "document__title", "document_id", "index")
    found = list(in_order.values_list("pk", "document_id"))
    page = min(page, max(1, -(-len(found) // PER_PAGE)))
    ids = [pk for pk, _ in found[(page - 1) * PER_PAGE : page * PER_PAGE]]
    rows = Chunk.objects.select_related("document").in_bulk(ids)
    return Listed(
        chunks=tuple(rows[pk] for pk in ids),
        counts=Counter(document for _, document in found),
        page=page,
    )
