"""The jobs of reading: one lock a document."""

import logging
from contextlib import closing
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_noop
from procrastinate import JobContext
from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from datasources.models import UNFINISHED, Datasource, Document, DocumentStatus
from datasources.storage.files import source_file
from events import log
from formats import DocumentInfo, ExtractionError, Limits
from formats.registry import format_of
from ingestion import pipeline, progress
from ingestion.indexes import embedding, search_index, statistics, vector_spaces, vectors_by_text
from ingestion.models import Chunk, ChunkEmbedding, VectorSpace
from ingestion.run import DocumentRun, is_paused, start
from ingestion.step import steps
from jobs.failures import STORAGE_ERRORS, Explained, Failure, detail_of, is_transient
from jobs.lanes import Lane
from jobs.retry import Backoff
from jobs.runs import FAILS_AGAIN, LATER, SEE_LOG, Stopped, fault
from localization.stored import sentences
from metrics.traces import part_of, span
from providers.embedders import embedder
from providers.protocols import Embedder

logger = logging.getLogger(__name__)

COUNTING_SECONDS = 5  # of the reader that counts: other files of the same person wait for it
COUNTING = 10  # priority: the pages of all files are known before a person's first one is read to its end
BYTES_A_SECOND = 20_000  # a file waits as if it had come so much later, so a person's small ones come first
INGEST_QUEUE = "ingest"
OCR_QUEUE = "ocr"  # of documents with pages for OCR: no file with text waits for one of these
RETRIES = 6  # of embedding passages, while the model server is away
PASSAGES_SAFE = gettext_noop("The passages are safe.")


def defer_ingest(document: Document, queue: str = INGEST_QUEUE) -> int:
    """Queue the reading of a document; returns the job's id. Joins the caller's transaction."""
    task = ingest.configure(queue=queue, lock=f"document:{document.pk}")
    place = _lane(document).place(handicap=document.size / BYTES_A_SECOND)
    with part_of("document", document.pk), span("upload"):
        return task.defer(document_id=document.pk, lane=place)


def defer_count_pages(document: Document) -> None:
    """Queue the counting of a document's pages; joins the caller's transaction."""
    task = count_pages.configure(priority=COUNTING)
    task.defer(document_id=document.pk, lane=_lane(document).place())


def _lane(document: Document) -> Lane:
    return lane_of(document.datasource_id, document.uploaded_by_id)


def defer_embed_passages(datasource_id: int) -> int:
    """Queue the embedding of all ready passages of a datasource that have no vector yet."""
    task = embed_passages.configure(lock=f"passages:{datasource_id}")
    return task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


@app.task(queue=INGEST_QUEUE, pass_context=True, retry=Backoff())
def ingest(context: JobContext, document_id: int) -> None:
    """Read one document to its end: ready, failed with a reason, queued for OCR, or left to the run that
    took over.
    """
    if run := start(document_id, context.should_abort, may_recognise=context.job.queue == OCR_QUEUE):
        run.carry_out(pipeline.run)


@app.task(queue=INGEST_QUEUE, retry=Backoff())
def count_pages(document_id: int) -> None:
    """Find out how many pages a file has before its turn comes, so that progress is told on one base.

    One that takes long to open is counted when it is read.
    """
    document = Document.objects.unfinished().filter(pk=document_id, page_count=None).first()
    if document is None:
        return
    limits = Limits(page_seconds=COUNTING_SECONDS, typesetting_seconds=COUNTING_SECONDS)
    try:
        with (
            source_file(document) as file,
            closing(format_of(document.mime).read(file, limits=limits)) as frames,
        ):
            info = next(frames)
    except ExtractionError:
        return  # its reading has more time, and will say why
    assert isinstance(info, DocumentInfo)
    if Document.objects.filter(pk=document_id, page_count=None).update(page_count=info.pages):
        document.refresh_from_db()
        progress.announce(document, "document_progressed", ephemeral=True)


@app.task(queue=INGEST_QUEUE, pass_context=True, retry=Backoff())
def embed_passages(context: JobContext, datasource_id: int) -> None:
    """Embed ready passages until none is left or reading is paused; each stored batch is ready at once.

    They end ready or failed with a reason, whatever happens: a job that just ended would leave them waiting.
    """
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None:
        return
    try:
        model = embedder(datasource)
        space = vector_spaces.claim(datasource, model)
        for _ in iter(lambda: _embed_passage_batch(datasource, space, model), 0):
            statistics.refresh()
            if context.should_abort():
                raise Stopped
    except Stopped:
        raise
    except Exception as error:
        if isinstance(error, STORAGE_ERRORS):
            raise
        if is_transient(error) and context.job.attempts < RETRIES:
            raise
        fail_passages(datasource, _waiting(datasource), _explain(error))
        return
    for step in steps():
        step.resume(datasource)


def _waiting(datasource: Datasource) -> Any:
    """Passages to be embedded here: one that was retried alone may be in the hands of its own run."""
    return datasource.documents.filter(status__in=UNFINISHED, passage__isnull=False, run_token=None)


def _explain(error: Exception) -> Failure:
    if isinstance(error, Explained):
        return Failure(
            code=error.code,
            message=error.message,
            hint=sentences(PASSAGES_SAFE, LATER),
            detail=detail_of(error),
        )
    logger.error("Passages were not embedded", exc_info=error)
    return Failure(code="internal", message=fault(error), hint=sentences(PASSAGES_SAFE, SEE_LOG))


def fail_passages(datasource: Datasource, passages: Any, failure: Failure) -> None:
    if passages.update(status=DocumentStatus.FAILED, **failure.columns()):
        log_passages(datasource, "document_failed")


def _embed_passage_batch(datasource: Datasource, space: VectorSpace, model: Embedder) -> int:
    """Gives how many were looked at; 0 when none is left or reading is paused."""
    if is_paused(datasource.pk):
        return 0
    gave_up = Failure(
        code="gave_up",
        message=gettext_noop("This passage stopped the reader twice, so it is not read again by itself."),
        hint=sentences(PASSAGES_SAFE, FAILS_AGAIN),
    )
    exhausted = _waiting(datasource).filter(attempts__gte=DocumentRun.max_deaths)
    fail_passages(datasource, exhausted, gave_up)
    waiting = Chunk.objects.filter(document__in=_waiting(datasource)).without_vector(space)
    columns = waiting.order_by("pk").values_list("pk", "text", "document_id")
    # Those over which a worker died are read one by one, after all others: so the deadly one is found out.
    rows = list(columns.filter(document__attempts=0)[: embedding.CHUNKS_AT_ONCE * 4]) or list(columns[:1])
    if not rows:
        return 0
    vectors, counts = _vectors_and_counts(space, model, rows)
    with transaction.atomic():
        vector_spaces.hold(space)
        # A passage deleted meanwhile is left out, and one that was retried and embedded by a run of its own.
        passages = _waiting(datasource).filter(pk__in=[row[2] for row in rows]).select_for_update()
        alive = {passage.pk: passage for passage in passages.order_by("pk")}
        embedded = ChunkEmbedding.objects.filter(space=space, chunk__in=[row[0] for row in rows])
        done = set(embedded.values_list("chunk_id", flat=True))
        keep = [i for i, row in enumerate(rows) if row[2] in alive and row[0] not in done]
        embedding.copy_vectors(space, [rows[i][0] for i in keep], vectors[keep])
        search_index.index_documents([(alive[rows[i][2]], [rows[i][1]]) for i in keep])
        search_index.index_chunks(datasource.pk, [(rows[i][0], rows[i][2], rows[i][1]) for i in keep])
        Chunk.objects.bulk_update(
            [Chunk(pk=rows[i][0], token_count=counts[i]) for i in keep], ["token_count"]
        )
        ready = [rows[i][2] for i in keep]
        Document.objects.filter(pk__in=ready).update(status=DocumentStatus.READY, stage_done=1)
        pipeline.publish_passages(datasource.pk, ready)
    log_passages(datasource, "passages_progressed")
    return len(rows)


def _vectors_and_counts(
    space: VectorSpace, model: Embedder, rows: list[tuple[int, str, int]]
) -> tuple[Any, list[int]]:
    """The vectors and token counts of (chunk, text, document) rows; a worker that dies leaves an attempt."""
    documents = Document.objects.filter(pk__in=[row[2] for row in rows])
    texts = [row[1] for row in rows]
    documents.update(attempts=F("attempts") + 1)
    try:
        return vectors_by_text.embed(space, texts, model), model.count_tokens(texts)
    except BaseException:
        documents.update(attempts=F("attempts") - 1)
        raise


def log_passages(datasource: Datasource, kind: str) -> None:
    """Passages come by the thousand: one event a batch, with counts."""
    passages = datasource.documents.filter(passage__isnull=False)
    data = {
        "done": passages.filter(status=DocumentStatus.READY).count(),
        "total": passages.count(),
    }
    log.append(progress.channel(datasource.pk), kind, data, ephemeral=kind == "passages_progressed")
