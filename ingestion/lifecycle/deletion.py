"""Deleting documents with a way back: hidden and not searchable at once, purged a little later."""

from django.core.exceptions import ValidationError
from django.db import transaction
from procrastinate.contrib.django import app

from datasources import derived
from datasources.derived import Change
from datasources.models import GONE, UNFINISHED, Document, DocumentStatus
from ingestion import progress
from ingestion.lifecycle.purging import purge
from ingestion.queueing import queue_unfinished
from jobs.cancel import cancel_on_commit
from jobs.retry import Backoff

UNDO_SECONDS = 10


@transaction.atomic
def delete(document: Document) -> None:
    """Hide a document everywhere; a job purges it after UNDO_SECONDS. Twice is the same as once."""
    document = Document.objects.select_for_update().get(pk=document.pk)
    if document.status in GONE:
        return
    if document.is_unfinished:
        cancel_on_commit(document.job_id)
    document.status_before, document.status = document.status, DocumentStatus.DELETED
    document.run_token = None
    document.job_id = defer_purge(document.pk)
    document.save(update_fields=["status_before", "status", "run_token", "job_id"])
    derived.apply(Change(datasource_id=document.datasource_id, withdrawn=[document.pk]))
    progress.announce(document, "document_removed")


@transaction.atomic
def restore(document: Document) -> None:
    """Bring a deleted document back as it was. Raises ValidationError when that is no longer possible."""
    deleted = Document.objects.select_for_update().removed().filter(pk=document.pk).first()
    if deleted is None or not deleted.status_before:
        raise ValidationError("That document has been deleted for good. Add the file again.", code="gone")
    if deleted.datasource.documents.current().filter(sha256=deleted.sha256).exists():
        raise ValidationError(
            f"“{deleted.title}” has been added again since. That copy stays; nothing is missing.",
            code="added_again",
        )
    cancel_on_commit(deleted.job_id)
    deleted.status, deleted.status_before, deleted.job_id = deleted.status_before, "", None
    deleted.save(update_fields=["status", "status_before", "job_id"])
    if deleted.status == DocumentStatus.READY:
        derived.apply(Change(datasource_id=deleted.datasource_id, published=[deleted.pk]))
    if deleted.status in UNFINISHED:
        queue_unfinished([deleted])
    progress.announce(deleted, "document_restored")


def defer_purge(document_id: int) -> int:
    """Queue the purge for when nobody has undone the deletion; returns the job's id."""
    later = purge_deleted.configure(lock=f"document:{document_id}", schedule_in={"seconds": UNDO_SECONDS})
    return later.defer(document_id=document_id)


@app.task(queue="upkeep", retry=Backoff())
def purge_deleted(document_id: int) -> None:
    """Purge what was deleted and not restored. From its first line on it can't be undone any more."""
    if Document.objects.removed().filter(pk=document_id).update(status_before=""):
        purge(Document.objects.get(pk=document_id))
