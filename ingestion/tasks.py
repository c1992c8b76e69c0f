"""The jobs of reading: one lock a document."""

from typing import Any

from django.db import transaction
from procrastinate import JobContext
from procrastinate.contrib.django import app

from datasources.models import UNFINISHED, Datasource, DocumentStatus
from events import log
from ingestion import embedding, pipeline, progress
from ingestion.models import Chunk
from ingestion.run import is_paused, start
from ingestion.step import steps
from jobs.failures import Failure
from jobs.retry import Backoff
from jobs.runs import Stopped
from providers.protocols import ProviderError
from providers.roles import embedder

RETRIES = 6  # of embedding passages, while the model server is away


def defer_ingest(document_id: int) -> int:
    """Queue the reading of a document; returns the job's id. Joins the caller's transaction."""
    return ingest.configure(lock=f"document:{document_id}").defer(document_id=document_id)


def defer_embed_passages(datasource_id: int) -> int:
    """Queue the embedding of all ready passages of a datasource that have no vector yet."""
    return embed_passages.configure(lock=f"passages:{datasource_id}").defer(datasource_id=datasource_id)


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def ingest(context: JobContext, document_id: int) -> None:
    """Read one document to its end: ready, failed with a reason, or left to the run that took over."""
    if run := start(document_id, context.should_abort):
        run.carry_out(pipeline.run)


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def embed_passages(context: JobContext, datasource_id: int) -> None:
    """Embed ready passages until none is left or reading is paused; each stored batch is ready at once."""
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None:
        return
    try:
        embedding.claim_dimensions(datasource, embedder(datasource))
        for _ in iter(lambda: _embed_passage_batch(datasource), 0):
            if context.should_abort():
                raise Stopped
    except ProviderError as error:
        if error.transient and context.job.attempts < RETRIES:
            raise
        failure = Failure(
            code=error.code, message=error.message, hint="The passages are safe. Retry them later."
        )
        _waiting(datasource).update(status=DocumentStatus.FAILED, **failure.columns())
        log_passages(datasource, "document_failed")
        return
    for step in steps():
        step.resume(datasource)


def _waiting(datasource: Datasource) -> Any:
    return datasource.documents.filter(status__in=UNFINISHED, passage__isnull=False)


def _embed_passage_batch(datasource: Datasource) -> int:
    if is_paused(datasource.pk):
        return 0
    rows = list(
        Chunk.objects.filter(document__in=_waiting(datasource), embedding=None)
        .order_by("pk")
        .values_list("pk", "text", "document_id")[: embedding.CHUNKS_AT_ONCE * 4]
    )
    if not rows:
        return 0
    vectors = embedder(datasource).embed([text for _, text, _ in rows])
    counts = embedder(datasource).count_tokens([text for _, text, _ in rows])
    with transaction.atomic():
        # A passage deleted meanwhile takes its chunk along.
        alive = set(
            Chunk.objects.select_for_update().filter(pk__in=[r[0] for r in rows]).values_list("pk", flat=True)
        )
        keep = [i for i, row in enumerate(rows) if row[0] in alive]
        embedding.copy_vectors(datasource.pk, [rows[i][0] for i in keep], vectors[keep])
        Chunk.objects.bulk_update(
            [Chunk(pk=rows[i][0], token_count=counts[i]) for i in keep], ["token_count"]
        )
        ready = [rows[i][2] for i in keep]
        _waiting(datasource).filter(pk__in=ready).update(status=DocumentStatus.READY, stage_done=1)
        pipeline.publish_passages(datasource.pk, ready)
    log_passages(datasource, "passages_progressed")
    return len(rows)


def log_passages(datasource: Datasource, kind: str) -> None:
    """Passages come by the thousand: one event a batch, with counts."""
    passages = datasource.documents.filter(passage__isnull=False)
    data = {
        "done": passages.filter(status=DocumentStatus.READY).count(),
        "total": passages.count(),
    }
    log.append(progress.channel(datasource.pk), kind, data, ephemeral=kind == "passages_progressed")
