"""The job of a check."""

import asyncio

from procrastinate.contrib.django import app

from compliance.checks.run import carry_on
from jobs.retry import Backoff
from jobs.runs import Stopped

SLICE = 20.0  # seconds of a check until others of the queue have their turn


@app.task(name="assess", queue="upkeep", retry=Backoff())
async def assess(check_id: int) -> None:
    try:
        await carry_on(check_id, SLICE)
    except asyncio.CancelledError:  # tried again if the worker shuts down, not if a person stopped it
        raise Stopped from None
