"""Putting documents on the queue of reading."""

from datasources.models import Document, DocumentStatus
from ingestion import progress, tasks
from jobs.models import RELEASED

RESET = {"stage_done": 0, "stage_total": 0, **RELEASED}


def queue(document: Document, **values: object) -> None:
    """Queue the reading of a document, which the caller has locked or just made; joins its transaction.

    `values` are further columns to write with it.
    """
    job_id = tasks.defer_ingest(document.pk)
    document.write(status=DocumentStatus.QUEUED, job_id=job_id, **RESET, **values)
    progress.announce(document, "document_queued")


def queue_unfinished(documents: list[Document]) -> None:
    """Queue unfinished documents, which the caller has locked; they go on from what is stored."""
    for document in documents:
        if document.passage is None:
            queue(document, attempts=0)
    for datasource_id in {d.datasource_id for d in documents if d.passage is not None}:
        tasks.defer_embed_passages(datasource_id)
