"""The jobs: which folders are due, a look at one, and what looks that were killed have left behind."""

import shutil

from procrastinate import JobContext
from procrastinate.contrib.django import app

from connectors import following, services
from connectors.sources.repository import FOLDER
from jobs.left_folders import remove_left_folders
from jobs.retry import Backoff
from jobs.slices import SLICE
from jobs.time_limit import TimeLimit

LEFT_AFTER = following.LOOK_SECONDS + 300  # seconds; a turn of a look is ended before


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


@app.periodic(cron="*/10 * * * *")
@app.task(queue="upkeep", queueing_lock="remove_git_folders")
def remove_git_folders(timestamp: int) -> None:
    remove_left_folders(FOLDER, LEFT_AFTER, shutil.rmtree)
