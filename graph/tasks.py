"""The jobs that follow a change of the graph: embedding what it has learned, laying out its drawing."""

from contextlib import suppress

from django.db import OperationalError, close_old_connections, transaction
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued, JobAborted

from graph import node_positions, vectors
from graph.document_map import build
from jobs.retry import Backoff, Transient
from providers.protocols import ProviderError
from providers.roles import ModelRole, embedder, endpoint

MAX_ATTEMPTS = 6
JUDGING = "graph.resolution.tasks.judge_pairs"  # by name: it queues embedding in its turn
SETTLE_SECONDS = 4  # changes of so long are drawn together


def defer_embed_graph(datasource_id: int) -> int:
    """Queue what follows a change: embedding, and judging names; joins the caller's transaction."""
    defer_judging(datasource_id)
    return embed_graph.configure(lock=f"graph:{datasource_id}").defer(datasource_id=datasource_id)


def defer_judging(datasource_id: int) -> None:
    """Queue the question whether names mean one thing, where there is a chat model to ask."""
    if endpoint(None, ModelRole.JUDGE):
        task = app.configure_task(JUDGING, lock=f"judging:{datasource_id}")
        task.defer(datasource_id=datasource_id)


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


def defer_lay_out_graph(datasource_id: int) -> None:
    """Queue the layout of the graph's drawing, unless that waits in the queue already."""
    later = lay_out_graph.configure(
        lock=f"layout:{datasource_id}",
        queueing_lock=f"layout:{datasource_id}",
        schedule_in={"seconds": SETTLE_SECONDS},
    )
    with suppress(AlreadyEnqueued), transaction.atomic():
        later.defer(datasource_id=datasource_id)


@app.task(queue="upkeep")
def lay_out_graph(datasource_id: int) -> None:
    """Find a place for each entity that is drawn, and for each document.

    When it fails, the next change or visit queues another.
    """
    close_old_connections()
    node_positions.lay_out(datasource_id)
    build.rebuild(datasource_id)
