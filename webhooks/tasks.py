"""The jobs: looking into the event log, sending, forgetting."""

from contextlib import suppress

from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from jobs.retry import Backoff
from webhooks import delivering


@app.periodic(cron="* * * * * */10")
@app.task(name="collect_for_webhooks", queue="upkeep", queueing_lock="collect_for_webhooks")
def collect(timestamp: int) -> None:
    """A job for each webhook: a slow server keeps only its own messages waiting."""
    for number in delivering.collect():
        with suppress(AlreadyEnqueued):
            deliver.configure(queueing_lock=f"webhook:{number}").defer(webhook=number)


@app.task(name="deliver_to_webhook", queue="runs", retry=Backoff())
def deliver(webhook: int) -> None:
    delivering.deliver(webhook)


@app.periodic(cron="23 3 * * *")
@app.task(name="forget_deliveries", queue="upkeep", queueing_lock="forget_deliveries")
def forget(timestamp: int) -> None:
    delivering.forget()
