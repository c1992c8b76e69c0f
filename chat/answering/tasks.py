"""The job of answering: retried when the worker dies or the model server is busy, stopped when asked to."""

import asyncio
from uuid import UUID

from procrastinate.contrib.django import app

from chat.answering.models import answer_model
from chat.answering.run import run_turn
from chat.citations.judge import judge_of
from chat.models import Turn
from datasources.models import Datasource
from jobs.retry import Backoff
from jobs.runs import Stopped
from jobs.threads import TURN_WRITES
from providers.roles import embedder


@app.task(name="answer", queue="agent", retry=Backoff())
async def answer(turn_id: str) -> None:
    try:
        datasource = await TURN_WRITES.run(_datasource_of, UUID(turn_id))
        model, judge = answer_model(datasource), judge_of(datasource)
        await run_turn(UUID(turn_id), model, embedder(datasource), judge)
    except asyncio.CancelledError:  # tried again if the worker shuts down, not if a person stopped it
        raise Stopped from None


def _datasource_of(turn_id: UUID) -> Datasource | None:
    turn = Turn.objects.select_related("conversation__datasource").filter(pk=turn_id).first()
    return turn.conversation.datasource if turn else None
