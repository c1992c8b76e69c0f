"""The jobs of turns: answering, stopped when asked to, and making follow-up questions."""

import asyncio
from contextlib import suppress
from uuid import UUID

from procrastinate.contrib.django import app

from chat.models import Turn
from chat.queue_places import others_wait
from chat.turns.follow_ups import make_follow_ups
from chat.turns.run import run_turn
from datasources.lanes import lane_of
from jobs.retry import Backoff
from jobs.runs import Stopped
from jobs.time_limit import TimeLimit
from providers.protocols import ProviderError

LEAD_ON = "chat.suggestions.tasks.lead_on"  # in the queue, also of workers of the version before
FOLLOW_UP_SECONDS = 60


@app.task(name="answer", queue="agent", retry=Backoff())
async def answer(turn_id: str) -> None:
    try:
        await run_turn(UUID(turn_id))
    except asyncio.CancelledError:  # tried again if the worker shuts down, not if a person stopped it
        raise Stopped from None


def defer_follow_ups(turn: Turn) -> None:
    """Queue making the questions that lead on from an answer."""
    conversation = turn.conversation
    lane = lane_of(conversation.datasource_id, conversation.user_id).place()
    job = app.configure_task(LEAD_ON, lock=f"follow-ups:{turn.pk}")
    job.defer(turn_id=str(turn.pk), lane=lane)


@app.task(name=LEAD_ON, queue="heavy", task_middleware=[TimeLimit(FOLLOW_UP_SECONDS)])
def lead_on(turn_id: str) -> None:
    """Each question is tried as if it were asked, so none while people's questions wait."""
    turn = Turn.objects.select_related("conversation__datasource").filter(pk=turn_id).first()
    if turn is None or others_wait():
        return
    with suppress(ProviderError):
        make_follow_ups(turn)
