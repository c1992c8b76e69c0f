"""The job that introduces a datasource with questions that were tried."""

from procrastinate.contrib.django import app

from answering.suggestions.introducing import introduce as make
from answering.suggestions.introducing import is_outdated
from datasources.models import Datasource
from ingestion.lifecycle.uploads import AfterUpload, is_reading
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit

RETRIES = 4  # while the server of the embeddings is away
INTRODUCTION_SECONDS = 1800

NAME = "chat.suggestions.tasks.introduce"  # in the queue, also of workers of the version before
INTRODUCTION = AfterUpload(task=NAME, lock="introduction")


def defer_introduction(datasource_id: int) -> None:
    """Queue it, unless it is queued already; joins the caller's transaction."""
    INTRODUCTION.defer(datasource_id)


@app.task(name=NAME, queue="heavy", retry=Backoff(RETRIES), task_middleware=[TimeLimit(INTRODUCTION_SECONDS)])
def introduce(datasource_id: int, since: float = 0.0) -> None:
    """Once after the last file of an upload; during one that takes long ever more seldom.

    `since`: when what it follows began, see AfterUpload.
    """
    datasource = Datasource.objects.select_related("introduction").filter(pk=datasource_id).first()
    if datasource is None or INTRODUCTION.waits(datasource, since):
        return
    if is_reading(datasource):
        INTRODUCTION.defer(datasource_id)
        if not is_outdated(datasource):
            return
    make(datasource)
