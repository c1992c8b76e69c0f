"""The jobs of vectors: indexes that follow the size of a datasource, and another model's vectors."""

from contextlib import suppress

from django.db import transaction
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.exceptions import AlreadyEnqueued

from datasources.lanes import lane_of
from ingestion.indexes import reembedding, statistics, vector_index
from ingestion.models import VectorSpace
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit
from providers.protocols import ProviderError

SETTLE_SECONDS = 10  # changes of so long are followed together
INDEX_SECONDS = 6 * 3600  # for one build: 100,000 passages take some ten minutes
TIDY_SECONDS = 600
ONE_BUILD = "vector index"  # a lock: each build waits for the transactions of all others


def defer_maintain(datasource_id: int) -> None:
    """Queue what follows a change of a datasource's vectors; joins the caller's transaction."""
    task = maintain_vectors.configure(
        queueing_lock=f"maintain_vectors:{datasource_id}", schedule_in={"seconds": SETTLE_SECONDS}
    )
    with suppress(AlreadyEnqueued), transaction.atomic():
        task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


def defer_drop_orphans() -> None:
    """Queue what follows the deletion of a datasource; joins the caller's transaction."""
    drop_orphans.defer()


@app.task(queue="heavy", retry=Backoff(), task_middleware=[TimeLimit(TIDY_SECONDS)])
def drop_orphans() -> None:
    """Drop the indexes of spaces that are gone."""
    vector_index.drop_orphans()


@app.task(queue="heavy", lock=ONE_BUILD, retry=Backoff(), task_middleware=[TimeLimit(INDEX_SECONDS)])
def maintain_vectors(datasource_id: int) -> None:
    """Build or drop the indexes of a datasource's vectors."""
    statistics.refresh()
    for space in VectorSpace.objects.filter(datasource=datasource_id):
        vector_index.maintain(space)


@app.periodic(cron="*/10 * * * *")
@app.task(
    queue="heavy",
    lock="tidy_vectors",
    queueing_lock="tidy_vectors",
    task_middleware=[TimeLimit(TIDY_SECONDS)],
)
def tidy_vectors(timestamp: int) -> None:
    """Bring in order what was left behind by jobs that died, and by time.

    A build that has failed is not begun again before its job is forgotten, some days later.
    """
    reembedding.forget_old()
    vector_index.drop_orphans()
    failed = ProcrastinateJob.objects.filter(task_name=maintain_vectors.name, status="failed")
    given_up = set(failed.values_list("args__datasource_id", flat=True))
    for space in vector_index.unattended():
        if space.datasource_id not in given_up:
            defer_maintain(space.datasource_id)


@app.periodic(cron="* * * * *")
@app.task(queue="upkeep", lock="refresh_statistics", queueing_lock="refresh_statistics")
def refresh_statistics(timestamp: int) -> None:
    """Also of tables that were left out before, because an index of them was being built."""
    statistics.refresh()


@app.periodic(cron="* * * * *")
@app.task(queue="upkeep", queueing_lock="follow_model")
def follow_model(timestamp: int) -> None:
    """Let the datasources follow the embedding model that is set up."""
    with suppress(ProviderError):  # away; the next minute asks again
        reembedding.follow_configured()


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def fill_space(context: JobContext, space_id: int) -> None:
    """Embed a datasource's documents by another model and switch over."""
    reembedding.fill(space_id, context.should_abort)
