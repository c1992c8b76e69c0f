"""Deleting for good: the rows of documents or of a datasource with all that was made from them.

The receipt is written in the same transaction, and the job queued that deletes the files (`finishing`).

Whoever deletes or restores locks the datasource, then receipts, then documents, as far as it locks them.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from datasources import derived
from datasources.derived import Change
from datasources.models import Datasource, Deletion, DeletionQuerySet, Document, DocumentStatus
from ingestion import progress
from ingestion.adding.naming import name_in_receipt
from ingestion.lifecycle import belonging, finishing
from jobs.cancel import cancel_on_commit

if TYPE_CHECKING:
    from accounts.models import User

lock_of = finishing.lock_of


def receipts(
    documents: Sequence[Document], batch: UUID, by: "User | None", *, is_named: bool = True
) -> list[Deletion]:
    """New receipts of documents of one datasource, with nothing removed yet."""
    datasource = documents[0].datasource
    return Deletion.objects.bulk_create(
        Deletion(
            batch=batch,
            owner_id=datasource.owner_id,
            deleted_by=by,
            datasource=datasource.pk,
            datasource_name=datasource.name,
            document=document.pk,
            document_name=name_in_receipt(document) if is_named else "",
        )
        for document in documents
    )


def lock_receipts(chosen: DeletionQuerySet, *, at_most: int | None = None) -> list[Deletion]:
    """Those of these receipts whose documents are not purged, locked to the end of the transaction."""
    return list(chosen.undoable().select_for_update().order_by("document")[:at_most])


@transaction.atomic
def purge(document: Document, by: "User | None" = None) -> Deletion:
    """Delete a document, its earlier versions and what is attached to it for good; gives its receipt."""
    pending = lock_receipts(Deletion.objects.filter(document=document.pk))
    documents = Document.objects.select_for_update(of=("self",)).select_related("datasource")
    document = documents.get(pk=document.pk)
    batch = pending[0].batch if pending else uuid4()
    going = [document] * (not pending) + belonging.going_with([document])
    pending += receipts(going, batch, by) if going else []
    purge_rows(document.datasource_id, pending)
    return pending[0]


@transaction.atomic
def purge_datasource(datasource: Datasource, by: "User | None" = None) -> Deletion:
    """Delete a datasource with all that it holds; gives the receipt. Twice is the same as once."""
    rows = Datasource.objects.filter(pk=datasource.pk)
    # No reading begins from here on. What is being written goes on to its commit, for which it needs the
    # datasource and its document, so they are locked for good in the second step only.
    if not rows.select_for_update(no_key=True):
        return Deletion.objects.filter(datasource=datasource.pk, document=None)[0]
    pending = lock_receipts(Deletion.objects.filter(datasource=datasource.pk))
    list(datasource.documents.select_for_update().order_by("pk").values_list("pk"))
    list(rows.select_for_update())  # and no upload comes in, so the documents below are all
    purge_rows(datasource.pk, pending)
    documents = list(datasource.documents.all())
    _stop_reading(documents)
    receipt = Deletion(
        batch=uuid4(),
        owner_id=datasource.owner_id,
        deleted_by=by,
        datasource=datasource.pk,
        datasource_name=datasource.name,
    )
    _fill(receipt, documents)
    receipt.save(force_insert=True)
    derived.purge_datasource(datasource)
    datasource.delete()
    finishing.defer([receipt])
    return receipt


def purge_rows(datasource_id: int, deletions: Sequence[Deletion], *, more_follows: bool = False) -> None:
    """Delete the documents of these receipts, which are locked, and write down what there was of each."""
    if not deletions:
        return
    chosen = [deletion.document for deletion in deletions]
    present = Document.objects.select_for_update().order_by("pk").in_bulk(chosen)
    gone: dict[int, Document] = {}
    for deletion in deletions:
        document = present.get(deletion.document or 0)
        versions = [document, *_earlier_versions(document)] if document else []
        _fill(deletion, versions)
        gone |= {version.pk: version for version in versions}
    _stop_reading(list(gone.values()))
    derived.apply(Change(datasource_id=datasource_id, purged=list(gone), more_follows=more_follows))
    Document.objects.filter(pk__in=gone).delete()
    Deletion.objects.bulk_update(deletions, ["removed", "purged", "versions", "files", "contents"])
    finishing.defer(deletions)
    progress.announce_all(datasource_id, "documents_deleted", [pk for pk in chosen if pk])


def _fill(deletion: Deletion, documents: Sequence[Document]) -> None:
    """Say what is found of the documents, and by what it is found once the rows are gone."""
    deletion.versions = [document.pk for document in documents]
    deletion.files = sorted({str(document.file.name) for document in documents if document.file.name})
    deletion.contents = sorted({document.content for document in documents})
    deletion.removed = finishing.counted([deletion])
    deletion.purged = timezone.now()


def _earlier_versions(document: Document) -> Iterator[Document]:
    """A version that is still in use stays: its replacement never came to be read."""
    while document.replaces and document.replaces.status == DocumentStatus.SUPERSEDED:
        document = document.replaces
        yield document


def _stop_reading(documents: Sequence[Document]) -> None:
    cancel_on_commit(*(document.job_id for document in documents if document.is_unfinished))
