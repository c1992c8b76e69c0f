"""The jobs: which folders are due, a look at one, and what looks that were killed have left behind."""

from procrastinate import JobContext
from procrastinate.contrib.django import app

from exchange.connectors import following, services
from exchange.connectors.sources.held_folder import remove_left
from exchange.connectors.sources.repository import FOLDER
from jobs.retry import Backoff
from jobs.slices import SLICE
from jobs.time_limit import TimeLimit


@app.periodic(cron="* * * * *")
@app.task(name="queue_looks", queue="upkeep", queueing_lock="queue_looks")
def queue_looks(timestamp: int) -> None:
    services.queue_due()


@app.task(
    name="look_at_folder",
    queue="runs",
    pass_context=True,
    retry=Backoff(),
    task_middleware=[TimeLimit(following.LOOK_SECONDS)],
)
def look_at_folder(context: JobContext, connector: int) -> None:
    following.carry_on(connector, context.should_abort, SLICE)


@app.periodic(cron="* * * * *")
@app.task(name="connectors.tasks.remove_git_folders", queue="upkeep", queueing_lock="remove_git_folders")
def remove_git_folders(timestamp: int) -> None:
    remove_left(FOLDER)
