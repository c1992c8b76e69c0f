"""The job of a check."""

from procrastinate.contrib.django import app

from compliance.checks.run import carry_on
from jobs.retry import Backoff
from jobs.slices import one_slice


@app.task(name="assess", queue="runs", retry=Backoff())
async def assess(check_id: int) -> None:
    await one_slice(carry_on, check_id)
