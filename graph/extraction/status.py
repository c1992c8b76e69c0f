"""How far a model is with a datasource, what it has cost, and what holds it up: for pages and REST."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet
from procrastinate.contrib.django.models import ProcrastinateJob

from datasources.models import Datasource, DocumentStatus
from graph.extraction.answers import OVER_BUDGET
from graph.extraction.extract import by_model
from graph.extraction.llm import cache
from graph.extraction.llm.budget import Estimate, Spend, estimate_texts, spend
from graph.extraction.llm.extractor import ModelReader
from graph.extraction.model_reading import has_room_for, reader_of
from graph.extraction.rules.extractor import Rules
from graph.extraction.sent_text import sent_texts
from graph.models import ChunkExtraction, EntityMention, ExtractionState
from ingestion.models import Chunk
from providers.roles import ModelRole, endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionStatus:
    """`read`, `left` and `failed` count chunks; `documents_held` wait for a larger budget."""

    by_model: bool
    model: str  # empty when none is set
    read: int
    left: int
    failed: int
    documents_held: int
    is_reading: bool
    is_paused: bool
    spend: Spend

    @property
    def total(self) -> int:
        return self.read + self.left + self.failed

    @property
    def is_held(self) -> bool:
        """Whether the budget has stopped it."""
        return self.documents_held > 0 and not self.is_reading


def extraction_status(datasource: Datasource) -> ExtractionStatus:
    """Counted now."""
    chunks = ChunkExtraction.objects.filter(datasource=datasource)
    chosen = by_model(datasource)
    server = endpoint(datasource, ModelRole.EXTRACTION)
    return ExtractionStatus(
        by_model=chosen,
        model=server.model if server else "",
        read=chunks.filter(state=ExtractionState.DONE).count(),
        left=unread(datasource).count() if chosen else 0,
        failed=failed_chunks(datasource).count(),
        documents_held=documents_held(datasource),
        is_reading=chosen and not datasource.paused and is_at_work(datasource),
        is_paused=datasource.paused,
        spend=spend(datasource),
    )


def is_at_work(datasource: Datasource) -> bool:
    """Whether a job reads what is left, or a document is being read for the graph for the first time."""
    jobs = ProcrastinateJob.objects.filter(lock=f"extraction:{datasource.pk}", status__in=("todo", "doing"))
    return jobs.exists() or datasource.documents.filter(status=DocumentStatus.LINKING).exists()


def documents_held(datasource: Datasource) -> int:
    """How many documents have chunks that wait for a larger budget."""
    if not by_model(datasource):
        return 0
    waiting = ChunkExtraction.objects.filter(
        datasource=datasource,
        state=ExtractionState.WAITING,
        error=OVER_BUDGET,
        document__in=datasource.documents.current(),
    )
    return waiting.values("document").distinct().count()


def has_room(datasource: Datasource) -> bool:
    """Whether the budgets allow the next chunk that waits to be read."""
    following = unread(datasource).first()
    return following is not None and has_room_for(datasource, following)


def failed_chunks(datasource: Datasource) -> QuerySet[ChunkExtraction]:
    """Chunks that the model could not read, with their errors, in reading order."""
    failed = ChunkExtraction.objects.filter(
        datasource=datasource, state=ExtractionState.FAILED, document__in=datasource.documents.current()
    )
    return failed.select_related("chunk", "document").order_by("document__title", "document", "chunk__index")


def unread(datasource: Datasource) -> QuerySet[Chunk]:
    """Chunks of ready documents that the model has neither read nor failed at."""
    settled = ChunkExtraction.objects.filter(
        datasource=datasource, state__in=[ExtractionState.DONE, ExtractionState.FAILED]
    )
    ready = Chunk.objects.filter(datasource=datasource, document__status=DocumentStatus.READY)
    return ready.exclude(pk__in=settled.values("chunk_id")).order_by("document_id", "index")


def unlinked(datasource: Datasource, reader: ModelReader) -> QuerySet[Chunk]:
    """Chunks that the model has read while the graph still says of them what the rules found: the worker was
    killed in between.
    """
    read = ChunkExtraction.objects.filter(
        datasource=datasource,
        state=ExtractionState.DONE,
        cached__prompt=reader.prompt_hash,
        cached__model=reader.model.name,
    )
    ruled = EntityMention.objects.filter(datasource=datasource, extractor=Rules.name, live=True)
    ready = Chunk.objects.filter(datasource=datasource, document__status=DocumentStatus.READY)
    both = ready.filter(pk__in=read.values("chunk_id")).filter(pk__in=ruled.values("chunk_id"))
    return both.order_by("document_id", "index")


def estimate(datasource: Datasource, chunks: QuerySet[Chunk] | None = None) -> Estimate:
    """What it will cost to have these chunks read by the model, by default all that are not yet."""
    reader = reader_of(datasource)
    rows = unread(datasource) if chunks is None else chunks
    texts = sent_texts(rows.only("document_id", "start", "end", "text"))
    known = cache.cached(texts, reader.prompt_hash, reader.model.name)
    missing = [text for text in dict.fromkeys(texts) if cache.content_hash(text) not in known]
    return estimate_texts(datasource, missing, chunks=len(texts), cached=len(known), overhead=reader.overhead)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How far the model is with a datasource; `errors` are the reasons of failures with their counts."""

    done: int
    waiting: int
    failed: int
    errors: tuple[tuple[str, int], ...]


def report(datasource: Datasource) -> Report:
    rows = ChunkExtraction.objects.filter(datasource=datasource)
    counts = dict(rows.values_list("state").annotate(count=Count("pk")))
    failed = rows.filter(state=ExtractionState.FAILED).values_list("error").annotate(count=Count("pk"))
    return Report(
        done=counts.get(ExtractionState.DONE, 0),
        waiting=counts.get(ExtractionState.WAITING, 0),
        failed=counts.get(ExtractionState.FAILED, 0),
        errors=tuple(failed.order_by("-count", "error")),
    )
