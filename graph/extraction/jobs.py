"""Going on with what a model has not read yet: once the budget is raised, after a retry, after a choice."""

from collections.abc import Callable, Iterable
from decimal import Decimal

from django.db import OperationalError, close_old_connections, transaction
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import JobAborted

from datasources.models import Datasource, GraphExtractor
from graph.extraction.extract import by_model, found_by, read_chunks, reader_of, unlinked, unread
from graph.extraction.llm import budget
from graph.mention_replacement import replace
from graph.models import ChunkExtraction, ExtractionState
from graph.tasks import defer_judging
from ingestion.models import Chunk
from ingestion.run import Stopped, is_paused
from jobs.retry import Backoff, Transient

AT_ONCE = 100  # chunks whose mentions come into the graph in one step


@transaction.atomic
def set_budget(datasource: Datasource, *, tokens: int | None, money: Decimal | None) -> None:
    """Limit what the graph may cost in all (None: no limit), and go on reading where that allows it.

    Raises ValidationError, see budget.set_limits.
    """
    budget.set_limits(datasource, tokens=tokens, money=money)
    read_on(datasource)


@transaction.atomic
def choose_extractor(datasource: Datasource, extractor: GraphExtractor) -> None:
    """Choose who reads. The model begins at once with what is there; what it has read stays in the graph."""
    datasource.graph_extractor = extractor
    datasource.save(update_fields=["graph_extractor", "updated"])
    read_on(datasource)


@transaction.atomic
def retry_chunks(datasource: Datasource, chunks: Iterable[Chunk] | None = None) -> int:
    """Have these failed chunks read again, by default all; gives how many."""
    failed = ChunkExtraction.objects.filter(datasource=datasource, state=ExtractionState.FAILED)
    if chunks is not None:
        failed = failed.filter(chunk__in=[chunk.pk for chunk in chunks])
    count = failed.update(state=ExtractionState.WAITING, error="")
    read_on(datasource)
    return count


def read_on(datasource: Datasource) -> None:
    """Queue what the model has not read and not judged; joins the caller's transaction."""
    if by_model(datasource):
        defer_judging(datasource.pk)
        extract_unread.configure(lock=f"extraction:{datasource.pk}").defer(datasource_id=datasource.pk)


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def extract_unread(context: JobContext, datasource_id: int) -> None:
    """Read until nothing is left, the budget is used up, reading is paused or the rules are chosen."""
    close_old_connections()
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None or not by_model(datasource):
        return

    def go_on(_: int) -> None:
        if context.should_abort():
            raise JobAborted
        if is_paused(datasource_id) or not is_chosen(datasource_id):
            raise Stopped

    try:
        while extract_portion(datasource, go_on):
            pass
    except Stopped:
        return
    except OperationalError as error:
        raise Transient(str(error)) from error


def is_chosen(datasource_id: int) -> bool:
    """Whether the model still reads: its owner may choose the rules meanwhile."""
    return Datasource.objects.filter(pk=datasource_id, graph_extractor=GraphExtractor.MODEL).exists()


def extract_portion(datasource: Datasource, go_on: Callable[[int], None]) -> bool:
    """Read some chunks and bring them into the graph; False when there is nothing more to do now."""
    reader = reader_of(datasource)
    chunks = list(unread(datasource)[:AT_ONCE])
    late = list(unlinked(datasource, reader)[:AT_ONCE])
    if not (chunks or late):
        return False
    go_on(0)
    try:
        return read_chunks(datasource, reader, chunks, go_on)
    finally:  # what was read before a stop is paid for, so it belongs in the graph
        replace(datasource.pk, found_by(reader, [*late, *chunks]))
