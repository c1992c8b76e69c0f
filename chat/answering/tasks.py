"""The job of answering: retried when the worker dies or the model server is busy, stopped when asked to."""

import asyncio
from uuid import UUID

from procrastinate.contrib.django import app

from chat.answering.run import run_turn
from jobs.retry import Backoff
from jobs.runs import Stopped


@app.task(name="answer", queue="agent", retry=Backoff())
async def answer(turn_id: str) -> None:
    try:
        await run_turn(UUID(turn_id))
    except asyncio.CancelledError:  # tried again if the worker shuts down, not if a person stopped it
        raise Stopped from None
