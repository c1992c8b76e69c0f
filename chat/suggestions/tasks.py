"""The job that introduces a datasource, and how a change of its documents queues it."""

from contextlib import suppress

from django.db import transaction
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from chat.suggestions.introducing import introduce as make
from chat.suggestions.introducing import is_outdated
from datasources.lanes import lane_of
from datasources.models import Datasource
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit

SETTLE_SECONDS = 5  # changes of so long are followed together
BUSY_SECONDS = 30  # between two looks at a datasource whose documents are still being read
RETRIES = 4  # while the server of the embeddings is away
INTRODUCTION_SECONDS = 1800
PRIORITY = -10  # whatever people wait for comes first


def defer_introduction(datasource_id: int, seconds: int = SETTLE_SECONDS) -> None:
    """Queue it, unless it is queued already; joins the caller's transaction."""
    task = app.configure_task(
        "chat.suggestions.tasks.introduce",
        lock=f"introduction:{datasource_id}",
        queueing_lock=f"introduction:{datasource_id}",
        schedule_in={"seconds": seconds},
        priority=PRIORITY,
    )
    with suppress(AlreadyEnqueued), transaction.atomic():
        task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


@app.task(queue="heavy", retry=Backoff(RETRIES), task_middleware=[TimeLimit(INTRODUCTION_SECONDS)])
def introduce(datasource_id: int) -> None:
    """As soon as there is a document, again once no more are being read, and rarely in between."""
    datasource = Datasource.objects.select_related("introduction").filter(pk=datasource_id).first()
    if datasource is None:
        return
    is_busy = not datasource.paused and datasource.documents.unfinished().exists()
    if is_busy:
        defer_introduction(datasource_id, BUSY_SECONDS)
        if datasource.questions or not is_outdated(datasource):
            return
    make(datasource)
