"""How far a model is with a datasource, what it has cost, and what holds it up: for pages and REST."""

from dataclasses import dataclass

from django.db.models import QuerySet
from procrastinate.contrib.django.models import ProcrastinateJob

from datasources.models import Datasource, DocumentStatus
from graph.extraction.extract import OVER_BUDGET, by_model, unread
from graph.extraction.llm.budget import Spend, spend
from graph.models import ChunkExtraction, ExtractionState
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


def failed_chunks(datasource: Datasource) -> QuerySet[ChunkExtraction]:
    """Chunks that the model could not read, with their errors, in reading order."""
    failed = ChunkExtraction.objects.filter(
        datasource=datasource, state=ExtractionState.FAILED, document__in=datasource.documents.current()
    )
    return failed.select_related("chunk", "document").order_by("document__title", "document", "chunk__index")
