"""Deleting for good: a document or a datasource with all that was made from it, files included."""

from collections.abc import Iterator
from functools import partial

from django.db import transaction

from datasources import derived
from datasources.derived import Change
from datasources.files import delete_files
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import loss_of
from ingestion import progress
from jobs.cancel import cancel_on_commit


@transaction.atomic
def purge(document: Document) -> None:
    """Delete a document and its earlier versions for good."""
    document = Document.objects.select_for_update().get(pk=document.pk)
    documents = [document, *_earlier_versions(document)]
    ids = [version.pk for version in documents]
    _stop_reading(documents)
    derived.apply(Change(datasource_id=document.datasource_id, purged=ids))
    Document.objects.filter(pk__in=ids).delete()
    progress.announce(document, "document_deleted", pk=ids[0])
    transaction.on_commit(partial(delete_files, documents))


@transaction.atomic
def purge_datasource(datasource: Datasource) -> str:
    """Delete a datasource with all that it holds; returns a sentence that names the loss."""
    loss = str(loss_of(datasource))
    documents = list(datasource.documents.all())
    _stop_reading(documents)
    derived.purge_datasource(datasource)
    datasource.delete()
    transaction.on_commit(partial(delete_files, documents))
    return loss


def _earlier_versions(document: Document) -> Iterator[Document]:
    """A version that is still in use stays: its replacement never came to be read."""
    while document.replaces and document.replaces.status == DocumentStatus.SUPERSEDED:
        document = document.replaces
        yield document


def _stop_reading(documents: list[Document]) -> None:
    for document in documents:
        if document.is_unfinished:
            cancel_on_commit(document.job_id)
