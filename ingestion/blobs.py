"""Deleting stored files to which no row refers, also when the storage is away for a while."""

from collections.abc import Collection

from procrastinate.contrib.django import app

from datasources.storage.files import delete_stored
from jobs.retry import Backoff


def discard(names: Collection[str]) -> None:
    """Delete files that came to nothing; a job goes on where the storage refuses it."""
    try:
        delete_stored(names)
    except OSError:
        delete_unused.defer(names=list(names))


@app.task(queue="upkeep", retry=Backoff())
def delete_unused(names: list[str]) -> None:
    """Queue it in the transaction that takes the last reference away."""
    delete_stored(names)
