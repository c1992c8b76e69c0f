"""The job that fills a table."""

from procrastinate.contrib.django import app

from jobs.retry import Backoff
from jobs.slices import one_slice
from tables.filling.run import carry_on


@app.task(name="fill_table", queue="runs", retry=Backoff())
async def fill_table(table_id: int) -> None:
    await one_slice(carry_on, table_id)
