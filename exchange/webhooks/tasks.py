"""The jobs: looking into the event log, sending, forgetting."""

from contextlib import suppress

from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from datasources.lanes import lane_of
from exchange.webhooks import delivering
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit

DELIVERY_SECONDS = 2 * delivering.JOB_SECONDS  # it ends by itself long before


@app.periodic(cron="* * * * * */10")
@app.task(name="collect_for_webhooks", queue="upkeep", queueing_lock="collect_for_webhooks")
def collect(timestamp: int) -> None:
    """A job for each webhook, one after the other and in its owner's lane: a slow server keeps only its own
    messages waiting.
    """
    for number, datasource in delivering.collect().items():
        name = f"webhook:{number}"
        with suppress(AlreadyEnqueued):
            deliver.configure(lock=name, queueing_lock=name).defer(
                webhook=number, lane=lane_of(datasource).place()
            )


@app.task(
    name="deliver_to_webhook",
    queue="runs",
    retry=Backoff(),
    task_middleware=[TimeLimit(DELIVERY_SECONDS)],
)
def deliver(webhook: int) -> None:
    delivering.deliver(webhook)


@app.periodic(cron="23 3 * * *")
@app.task(name="forget_deliveries", queue="upkeep", queueing_lock="forget_deliveries")
def forget(timestamp: int) -> None:
    delivering.forget()
