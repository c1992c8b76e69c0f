"""The graph's jobs: embedding and drawing what changed, going on with a model's reading, judging names."""

from collections.abc import Callable
from functools import partial

from procrastinate import JobContext
from procrastinate.contrib.django import app

from datasources.models import Datasource
from events import log
from graph.aggregate import vectors
from graph.aggregate.queue import LAYOUT, defer_embed_graph, defer_lay_out_graph
from graph.aggregate.replacement import replace
from graph.curation.judging import judge
from graph.document_map import build
from graph.extraction.answers import extracted_by
from graph.extraction.extract import by_model
from graph.extraction.model_reading import read_chunks, reader_of
from graph.extraction.status import unlinked, unread
from graph.layout import node_positions
from graph.models import GraphExtractor, GraphSettings
from graph.services import resume_held
from ingestion import progress
from ingestion.indexes import statistics, vector_spaces
from ingestion.run import is_paused
from jobs.reports import report
from jobs.retry import Backoff
from jobs.runs import Stopped
from jobs.time_limit import TimeLimit
from providers.embedders import embedder

LAYOUT_SECONDS = 600
RETRIES = 6  # of embedding, while the model server is away
CHUNKS_AT_ONCE = 100  # whose mentions come into the graph in one step


@app.task(queue="ingest", pass_context=True, retry=Backoff(RETRIES))
def embed_graph(context: JobContext, datasource_id: int) -> None:
    """Embed until nothing is due. What is due stays marked, so a failure costs nothing but time."""
    defer_lay_out_graph(datasource_id)
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None:
        return
    model = embedder(datasource)
    space = vector_spaces.claim(datasource, model)
    while vectors.embed_due(space, model):
        if context.should_abort():
            raise Stopped
    statistics.refresh()
    log.append(progress.channel(datasource_id), "graph_changed", {}, ephemeral=True)


@app.task(queue="heavy", retry=Backoff(1), task_middleware=[TimeLimit(LAYOUT_SECONDS)])
def lay_out_graph(datasource_id: int, since: float = 0.0) -> None:
    """Find a place for each entity that is drawn, and for each document: at once if none has a place, else
    after the last file of an upload. It is tried again when the database or the disk fails; after any other
    failure, the next change or visit queues another.

    `since`: when what it follows began, see AfterUpload.
    """
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None or (node_positions.exist(datasource) and LAYOUT.waits(datasource, since)):
        return
    node_positions.lay_out(datasource_id)
    build.rebuild(datasource_id)


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def extract_unread(context: JobContext, datasource_id: int) -> None:
    """Read until nothing is left, the budget is used up, reading is paused or the rules are chosen."""
    if datasource := read_by_model(datasource_id):
        total = unread(datasource).count()
        while extract_portion(datasource, partial(go_on, context, datasource_id)):
            report(max(0, total - unread(datasource).count()), total)


@app.periodic(cron="*/10 * * * *")
@app.task(queue="upkeep", queueing_lock="resume_held_reading")
def resume_held_reading(timestamp: int) -> None:
    """Also where a month has turned, or a budget was changed in the admin."""
    resume_held()


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def judge_pairs(context: JobContext, datasource_id: int) -> None:
    """Ask about what is open. Pairs that get no answer stay with people until the next upload asks again."""
    datasource = read_by_model(datasource_id)
    if datasource and judge(datasource, partial(go_on, context, datasource_id)):
        defer_embed_graph(datasource_id)


def read_by_model(datasource_id: int) -> Datasource | None:
    """The datasource, if a model reads it."""
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    return datasource if datasource and by_model(datasource) else None


def go_on(context: JobContext, datasource_id: int) -> None:
    """Called now and then. Raises Stopped when reading is paused, the rules are chosen or the worker ends."""
    if context.should_abort() or is_paused(datasource_id) or not is_chosen(datasource_id):
        raise Stopped


def is_chosen(datasource_id: int) -> bool:
    """Whether the model still reads: its owner may have chosen the rules since."""
    return GraphSettings.objects.filter(datasource=datasource_id, extractor=GraphExtractor.MODEL).exists()


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
        replace(datasource.pk, extracted_by(reader, [*late, *chunks]))
