"""Splitting documents again into chunks of another size: their text stays, what comes after is made again."""

from django.db import transaction

from datasources import derived
from datasources.derived import Change
from datasources.models import UNFINISHED, Datasource, Document, DocumentQuerySet
from datasources.services import change_datasource
from ingestion.queueing import queue


def rechunkable(datasource: Datasource) -> DocumentQuerySet:
    """Ready documents; a ready passage is one chunk whatever the size."""
    return datasource.documents.ready().filter(passage=None)


def all_cut(datasource: Datasource) -> DocumentQuerySet:
    """All that are cut already: these, and those on their way to be ready that have chunks.

    A run that goes on with such chunks is fenced off.
    """
    on_their_way = datasource.documents.filter(status__in=UNFINISHED, passage=None, chunk_count__gt=0)
    return rechunkable(datasource) | on_their_way


@transaction.atomic
def rechunk(
    datasource: Datasource,
    *,
    size: int,
    overlap: int,
    chunking: str | None = None,
    only: Document | None = None,
) -> int:
    """Set how documents are cut, and queue those that are cut already, or `only` one that is ready, to be
    split again.

    They are not searched until they have been read again; people's decisions about the graph, answers and
    their quotes stay. Gives the number of documents. Raises ValidationError.
    """
    change_datasource(datasource, chunking=chunking, chunk_size=size, chunk_overlap=overlap)
    chosen = rechunkable(datasource).filter(pk=only.pk) if only else all_cut(datasource)
    documents = list(chosen.select_for_update().order_by("pk"))
    ids = [document.pk for document in documents]
    derived.apply(Change(datasource_id=datasource.pk, rechunked=ids))
    for document in documents:
        queue(document, chunk_count=0, ready_at=None, attempts=0)
    return len(documents)
