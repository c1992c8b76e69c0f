"""Deleting documents with a way back: hidden and not searchable at once, gone for good a little later."""

from django.core.exceptions import ValidationError
from django.db import transaction

from datasources.models import GONE, UNFINISHED, Document, DocumentStatus
from graph.aggregate import update
from graph.aggregate.queue import defer_embed_graph
from ingestion import progress, services, tasks
from jobs.cancel import cancel_on_commit

UNDO_SECONDS = 10


@transaction.atomic
def remove(document: Document) -> None:
    """Hide a document everywhere; a job deletes it after UNDO_SECONDS. Twice is the same as once."""
    document = Document.objects.select_for_update().get(pk=document.pk)
    if document.status in GONE:
        return
    if document.is_unfinished:
        cancel_on_commit(document.job_id)
    document.status_before, document.status = document.status, DocumentStatus.DELETED
    document.run_token = None
    document.job_id = tasks.defer_deletion(document.pk, UNDO_SECONDS)
    document.save(update_fields=["status_before", "status", "run_token", "job_id"])
    update.change(document.datasource_id, withdrawn=[document.pk])
    progress.announce(document, "document_removed")


@transaction.atomic
def restore(document: Document) -> None:
    """Bring a removed document back as it was. Raises ValidationError when that is no longer possible."""
    found = Document.objects.select_for_update().removed().filter(pk=document.pk).first()
    if found is None or not found.status_before:
        raise ValidationError("That document is deleted for good by now. Add the file again.", code="gone")
    if found.datasource.documents.current().filter(sha256=found.sha256).exists():
        raise ValidationError(
            f"“{found.title}” has been added again meanwhile. That copy stays; nothing is missing.",
            code="added_again",
        )
    cancel_on_commit(found.job_id)
    found.status, found.status_before, found.job_id = found.status_before, "", None
    found.save(update_fields=["status", "status_before", "job_id"])
    if found.status == DocumentStatus.READY:
        update.change(found.datasource_id, added=[found.pk])
        defer_embed_graph(found.datasource_id)
    if found.status in UNFINISHED:
        services.read_on([found])
    progress.announce(found, "document_restored")
