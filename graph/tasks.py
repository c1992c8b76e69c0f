"""The graph's jobs: embedding and drawing what changed, going on with a model's reading, judging names."""

from collections.abc import Callable

from django.db import OperationalError, close_old_connections
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import JobAborted

from datasources.models import Datasource, GraphExtractor
from graph.aggregate import vectors
from graph.aggregate.queue import defer_embed_graph, defer_lay_out_graph
from graph.aggregate.replacement import replace
from graph.curation.judging import judge
from graph.document_map import build
from graph.extraction.extract import by_model, found_by, read_chunks, reader_of, unlinked, unread
from graph.layout import node_positions
from ingestion.run import Stopped, is_paused
from jobs.retry import Backoff, Transient
from providers.protocols import ProviderError
from providers.roles import embedder

MAX_ATTEMPTS = 6
CHUNKS_AT_ONCE = 100  # whose mentions come into the graph in one step


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def embed_graph(context: JobContext, datasource_id: int) -> None:
    """Embed until nothing is due. What is due stays marked, so a failure costs nothing but time."""
    close_old_connections()
    defer_lay_out_graph(datasource_id)
    try:
        while vectors.embed_due(datasource_id, embedder()):
            if context.should_abort():
                raise JobAborted
    except ProviderError as error:
        if error.transient and context.job.attempts < MAX_ATTEMPTS:
            raise Transient(error.message) from error
        raise
    except OperationalError as error:
        raise Transient(str(error)) from error


@app.task(queue="upkeep")
def lay_out_graph(datasource_id: int) -> None:
    """Find a place for each entity that is drawn, and for each document.

    When it fails, the next change or visit queues another.
    """
    close_old_connections()
    node_positions.lay_out(datasource_id)
    build.rebuild(datasource_id)


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def extract_unread(context: JobContext, datasource_id: int) -> None:
    """Read until nothing is left, the budget is used up, reading is paused or the rules are chosen."""

    def extract(datasource: Datasource, go_on: Callable[[], None]) -> None:
        while extract_portion(datasource, go_on):
            pass

    with_model(context, datasource_id, extract)


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def judge_pairs(context: JobContext, datasource_id: int) -> None:
    """Ask about what is open. Pairs that get no answer stay with people until the next upload asks again."""

    def ask(datasource: Datasource, go_on: Callable[[], None]) -> None:
        if judge(datasource, go_on):
            defer_embed_graph(datasource_id)

    with_model(context, datasource_id, ask)


def with_model(
    context: JobContext, datasource_id: int, work: Callable[[Datasource, Callable[[], None]], None]
) -> None:
    """Do what needs the model, if the model reads this datasource.

    `work` calls what it is given now and then: that ends it when reading is paused or the rules are chosen.
    """
    close_old_connections()
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None or not by_model(datasource):
        return

    def go_on() -> None:
        if context.should_abort():
            raise JobAborted
        if is_paused(datasource_id) or not is_chosen(datasource_id):
            raise Stopped

    try:
        work(datasource, go_on)
    except Stopped:
        return
    except OperationalError as error:
        raise Transient(str(error)) from error


def is_chosen(datasource_id: int) -> bool:
    """Whether the model still reads: its owner may choose the rules meanwhile."""
    return Datasource.objects.filter(pk=datasource_id, graph_extractor=GraphExtractor.MODEL).exists()


def extract_portion(datasource: Datasource, go_on: Callable[[], None]) -> bool:
    """Read some chunks and bring them into the graph; False when there is nothing more to do now."""
    reader = reader_of(datasource)
    chunks = list(unread(datasource)[:CHUNKS_AT_ONCE])
    late = list(unlinked(datasource, reader)[:CHUNKS_AT_ONCE])
    if not (chunks or late):
        return False
    go_on()
    try:
        return read_chunks(datasource, reader, chunks, lambda _: go_on())
    finally:  # what was read before a stop is paid for, so it belongs in the graph
        replace(datasource.pk, found_by(reader, [*late, *chunks]))
