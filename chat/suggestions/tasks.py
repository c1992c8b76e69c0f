"""The jobs that try questions: those that introduce a datasource, and those that lead on from an answer."""

from contextlib import suppress

from procrastinate.contrib.django import app

from chat.models import Turn
from chat.queue_places import others_wait
from chat.suggestions.follow_ups import make_follow_ups
from chat.suggestions.introducing import introduce as make
from chat.suggestions.introducing import is_outdated
from datasources.lanes import lane_of
from datasources.models import Datasource
from ingestion.lifecycle.uploads import AfterUpload, is_reading
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit
from providers.protocols import ProviderError

RETRIES = 4  # while the server of the embeddings is away
INTRODUCTION_SECONDS = 1800
FOLLOW_UP_SECONDS = 60

INTRODUCTION = AfterUpload(task="chat.suggestions.tasks.introduce", lock="introduction")


def defer_introduction(datasource_id: int) -> None:
    """Queue it, unless it is queued already; joins the caller's transaction."""
    INTRODUCTION.defer(datasource_id)


@app.task(queue="heavy", retry=Backoff(RETRIES), task_middleware=[TimeLimit(INTRODUCTION_SECONDS)])
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


def defer_follow_ups(turn: Turn) -> None:
    """Queue making the questions that lead on from an answer."""
    conversation = turn.conversation
    lane = lane_of(conversation.datasource_id, conversation.user_id).place()
    job = app.configure_task("chat.suggestions.tasks.lead_on", lock=f"follow-ups:{turn.pk}")
    job.defer(turn_id=str(turn.pk), lane=lane)


@app.task(queue="heavy", task_middleware=[TimeLimit(FOLLOW_UP_SECONDS)])
def lead_on(turn_id: str) -> None:
    """Each question is tried as if it were asked, so none while people's questions wait."""
    turn = Turn.objects.select_related("conversation__datasource").filter(pk=turn_id).first()
    if turn is None or others_wait():
        return
    with suppress(ProviderError):
        make_follow_ups(turn)
