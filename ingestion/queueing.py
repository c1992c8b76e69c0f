"""Putting documents on the queue of reading."""

from datasources.models import Document, DocumentStatus
from ingestion import progress, tasks


def queue(document: Document) -> None:
    """Queue the reading of a document; joins the caller's transaction."""
    document.status = DocumentStatus.QUEUED
    document.stage_done = document.stage_total = 0
    document.release()
    document.job_id = tasks.defer_ingest(document.pk)
    document.save()
    progress.announce(document, "document_queued")


def queue_unfinished(documents: list[Document]) -> None:
    """Queue unfinished documents whose jobs are gone; they go on from what is stored."""
    for document in documents:
        if document.passage is None:
            document.attempts = 0
            queue(document)
    for datasource_id in {d.datasource_id for d in documents if d.passage is not None}:
        tasks.defer_embed_passages(datasource_id)
