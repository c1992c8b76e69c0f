"""Upkeep of the event log."""

from django.db import close_old_connections
from procrastinate.contrib.django import app

from events import log


@app.periodic(cron="*/10 * * * *")
@app.task(queue="upkeep", queueing_lock="events.trim")
def trim_events(timestamp: int) -> None:
    """Every ten minutes; `timestamp` (seconds) is when it was due."""
    close_old_connections()
    log.trim()
