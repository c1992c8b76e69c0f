"""Cancelling queued or running jobs."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction

from sql import rows


def cancel_on_commit(*job_ids: int | None) -> None:
    """Once the caller's transaction is committed, take the jobs off the queue or ask their workers to stop.

    Not before: what the transaction changes must be there to be seen when a job stops.
    """
    if present := [pk for pk in job_ids if pk is not None]:
        transaction.on_commit(partial(_cancel, present))


def _cancel(job_ids: Iterable[int]) -> None:
    rows("SELECT procrastinate_cancel_job_v1(id, true, false) FROM unnest(%s::bigint[]) AS id", job_ids)
