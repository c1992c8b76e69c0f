"""Putting documents on the queue of reading."""

from collections.abc import Collection

from datasources.models import Document, DocumentStatus
from ingestion import progress, tasks
from ingestion.models import ChunkEmbedding
from jobs.models import RELEASED

RESET = {"stage_done": 0, "stage_total": 0, **RELEASED}


def queue(document: Document, name: str = tasks.INGEST_QUEUE, **values: object) -> None:
    """Queue the reading of a document, which the caller has locked or just made; joins its transaction.

    `name`: of the queue; `values` are further columns to write with it.
    """
    enqueue(document, name, **values)
    progress.announce(document, "document_queued")


def enqueue(document: Document, name: str = tasks.INGEST_QUEUE, **values: object) -> None:
    """The same without an event: who writes one to the channel of a datasource makes others wait."""
    job_id = tasks.defer_ingest(document, name)
    document.write(status=DocumentStatus.QUEUED, job_id=job_id, **RESET, **values)


def queue_for_ocr(document: Document) -> None:
    """Queue the rest of its reading where scans wait for each other alone; as `queue`."""
    queue(document, tasks.OCR_QUEUE, attempts=0)


def queue_unfinished(documents: list[Document]) -> None:
    """Queue unfinished documents, which the caller has locked; they go on from what is stored."""
    together = passages_to_embed([document.pk for document in documents if document.passage is not None])
    for document in documents:
        if document.pk not in together:
            queue(document, attempts=0)
    for datasource_id in {document.datasource_id for document in documents if document.pk in together}:
        tasks.defer_embed_passages(datasource_id)


def passages_to_embed(passages: Collection[int]) -> set[int]:
    """Those of the passages that are read together. One that has its vector already goes on with a job of its
    own: it had been retried alone, and was stopped before it was published.
    """
    embedded = ChunkEmbedding.objects.filter(chunk__document__in=passages, space__status="current")
    return set(passages) - set(embedded.values_list("chunk__document_id", flat=True))
