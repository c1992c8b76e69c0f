"""Folders that readers of files were given, and that stayed behind when their worker was killed."""

from procrastinate.contrib.django import app

from formats.base import sandbox
from jobs.left_folders import remove_left_folders


@app.periodic(cron="37 4 * * *")
@app.task(queue="upkeep", queueing_lock="remove_reader_folders")
def remove_reader_folders(timestamp: int) -> None:
    """Those that no reader can be using any more."""
    remove_left_folders(sandbox.FOLDER, sandbox.LEFT_AFTER)
