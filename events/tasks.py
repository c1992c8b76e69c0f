"""Upkeep of the event log."""

from procrastinate.contrib.django import app

from events import log


@app.periodic(cron="*/10 * * * *")
@app.task(queue="upkeep", queueing_lock="events.trim")
def trim_events(timestamp: int) -> None:
    """Every ten minutes; `timestamp` (seconds) is when it was due."""
    log.trim()
