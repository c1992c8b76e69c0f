"""Folders in which packs were written, and that stayed behind when their process was killed."""

import shutil

from procrastinate.contrib.django import app

from exchange.packs.writing import FOLDER, LEFT_AFTER
from jobs.left_folders import remove_left_folders


@app.periodic(cron="47 * * * *")
@app.task(name="packs.tasks.remove_pack_folders", queue="upkeep", queueing_lock="remove_pack_folders")
def remove_pack_folders(timestamp: int) -> None:
    """What is in them may have been deleted from SVQ since."""
    remove_left_folders(FOLDER, LEFT_AFTER, shutil.rmtree)
