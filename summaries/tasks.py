"""The job that has summaries written, and how it is queued."""

from contextlib import suppress

from django.db import transaction
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from datasources.lanes import lane_of
from datasources.models import Datasource
from ingestion.run import is_paused
from jobs.reports import report
from jobs.retry import Backoff
from jobs.runs import Stopped
from jobs.time_limit import TimeLimit
from summaries.models import SummarySettings
from summaries.writing import count_left, write

SETTLE_SECONDS = 5  # changes of so long are followed together
PAUSED_SECONDS = 60  # between two looks at a datasource whose reading is paused
SUMMARIES_SECONDS = 24 * 3600  # a model server may be slow; what is written stays
PRIORITY = -10  # work that people wait for comes first


def defer_summaries(datasource_id: int, seconds: int | None = None) -> None:
    """Queue the writing where it is switched on, unless it waits already; joins the caller's transaction."""
    if not SummarySettings.objects.switched_on(datasource_id):
        return
    task = app.configure_task(
        "summaries.tasks.summarise",
        lock=f"summaries:{datasource_id}",
        queueing_lock=f"summaries:{datasource_id}",
        schedule_in={"seconds": SETTLE_SECONDS if seconds is None else seconds},
        priority=PRIORITY,
    )
    with suppress(AlreadyEnqueued), transaction.atomic():
        task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


@app.task(queue="heavy", pass_context=True, retry=Backoff(), task_middleware=[TimeLimit(SUMMARIES_SECONDS)])
def summarise(context: JobContext, datasource_id: int) -> None:
    """Until nothing is left; if something stops it, the settings of the datasource say what."""
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None or not SummarySettings.objects.switched_on(datasource_id):
        return
    if is_paused(datasource_id):
        return defer_summaries(datasource_id, PAUSED_SECONDS)
    written, most = 0, count_left(datasource)

    def go_on(count: int) -> None:
        nonlocal written
        written += count
        report(written, most)
        _go_on(context, datasource_id)

    problem = write(datasource, go_on)
    SummarySettings.objects.filter(datasource=datasource).update(problem=problem[:500])


def _go_on(context: JobContext, datasource_id: int) -> None:
    """Raises Stopped when reading is paused, summaries are switched off or the worker ends."""
    if (
        context.should_abort()
        or is_paused(datasource_id)
        or not SummarySettings.objects.switched_on(datasource_id)
    ):
        raise Stopped
