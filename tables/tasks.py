"""The job that fills a table."""

import asyncio

from procrastinate.contrib.django import app

from jobs.retry import Backoff
from jobs.runs import Stopped
from tables.filling.run import carry_on

SLICE = 20.0  # seconds of a table until others of the queue have their turn


@app.task(name="fill_table", queue="upkeep", retry=Backoff())
async def fill_table(table_id: int) -> None:
    try:
        await carry_on(table_id, SLICE)
    except asyncio.CancelledError:  # tried again if the worker shuts down, not if a person stopped it
        raise Stopped from None
