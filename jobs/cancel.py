"""Cancelling a queued or running job."""

from functools import partial

from django.db import transaction
from procrastinate.contrib.django import app


def cancel_on_commit(job_id: int | None) -> None:
    """Once the caller's transaction is committed, take the job off the queue or ask its worker to stop.

    Not before: what the transaction changes must be there to be seen when the job stops.
    """
    if job_id is not None:
        transaction.on_commit(partial(app.job_manager.cancel_job_by_id, job_id, abort=True))
