"""The jobs of reading: one lock a document, retries with growing waits, and a definite state at the end."""

import logging
from typing import Any

from django.db import OperationalError, close_old_connections, transaction
from django.db.models import F
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import JobAborted
from procrastinate.job_context import AbortReason

from datasources.models import UNFINISHED, Datasource, Document, DocumentStatus
from events import log
from formats import ExtractionError
from ingestion import embedding, pipeline, progress
from ingestion.models import Chunk
from ingestion.run import Run, Stopped, is_paused, start
from ingestion.step import steps
from jobs.retry import Backoff, Transient
from providers.protocols import ProviderError
from providers.roles import embedder

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 6  # then a failing document is declared failed: 2 + 4 + 8 + 16 + 32 s of waiting


def defer_ingest(document_id: int) -> int:
    """Queue the reading of a document; returns the job's id. Joins the caller's transaction."""
    return ingest.configure(lock=f"document:{document_id}").defer(document_id=document_id)


def defer_embed_passages(datasource_id: int) -> int:
    """Queue the embedding of all ready passages of a datasource that have no vector yet."""
    return embed_passages.configure(lock=f"passages:{datasource_id}").defer(datasource_id=datasource_id)


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def ingest(context: JobContext, document_id: int) -> None:
    """Read one document to its end: ready, failed with a reason, or left to the run that took over."""
    close_old_connections()
    run = start(document_id, context.should_abort)
    if run is None:
        return
    if run.document.attempts > MAX_ATTEMPTS:
        fail(run, "gave_up", "Reading this file was tried several times and never came to an end.",
             "The file is safe. Retry it; if it fails again, the worker's log names the cause.")  # fmt: skip
        return
    try:
        pipeline.run(run)
    except Stopped:
        if context.abort_reason() is AbortReason.SHUTDOWN:
            forget_attempt(run)
            raise JobAborted from None
    except ExtractionError as error:
        fail(run, error.code, error.message, error.hint)
    except ProviderError as error:
        transient_or_fail(run, error, "model", error.message, transient=error.transient)
    except (OperationalError, OSError) as error:
        transient_or_fail(run, error, "storage", "The database or the file storage did not answer.")
    except Exception as error:  # a fault of ours must not leave the document in between
        logger.exception("reading document %s", document_id)
        fail(run, "internal", f"Reading stopped at a fault in SVQ ({type(error).__name__}).",
             "The file is safe. Retry it; the worker's log has the details.")  # fmt: skip


def forget_attempt(run: Run) -> None:
    """A worker that shuts down in good order says nothing against the file."""
    Document.objects.filter(pk=run.document.pk, run_token=run.token).update(attempts=F("attempts") - 1)


def transient_or_fail(run: Run, error: Exception, code: str, message: str, *, transient: bool = True) -> None:
    """Try again later while there are attempts left, else fail for good."""
    if transient and run.document.attempts < MAX_ATTEMPTS:
        raise Transient(str(error)) from error
    fail(run, code, message, "The file is safe. Retry it when the cause is mended.")


def fail(run: Run, code: str, message: str, hint: str) -> None:
    """Record a definite failure, unless the run has lost the document meanwhile."""
    changed = Document.objects.filter(pk=run.document.pk, run_token=run.token).update(
        status=DocumentStatus.FAILED, run_token=None, error_code=code,
        error_message=message[:500], error_hint=hint[:500],
    )  # fmt: skip
    if changed:
        run.document.refresh_from_db()
        progress.announce(run.document, "document_failed")


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def embed_passages(context: JobContext, datasource_id: int) -> None:
    """Embed ready passages until none is left or reading is paused; each stored batch is ready at once."""
    close_old_connections()
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None:
        return
    try:
        embedding.claim_dimensions(datasource, embedder())
        for _ in iter(lambda: _embed_passage_batch(datasource), 0):
            if context.should_abort():
                raise JobAborted
        for step in steps():
            step.resume(datasource)
    except ProviderError as error:
        if error.transient and context.job.attempts < MAX_ATTEMPTS:
            raise Transient(error.message) from error
        _waiting(datasource).update(
            status=DocumentStatus.FAILED, error_code="model", error_message=error.message[:500],
            error_hint="The passages are safe. Retry them when the cause is mended.",
        )  # fmt: skip
        log_passages(datasource, "document_failed")
    except OperationalError as error:
        raise Transient(str(error)) from error


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
    vectors = embedder().embed([text for _, text, _ in rows])
    counts = embedder().count_tokens([text for _, text, _ in rows])
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
