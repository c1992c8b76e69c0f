"""Jobs that follow an upload as a whole: once after its last file, and rarely while files keep coming."""

import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from datasources.lanes import lane_of
from datasources.models import Datasource

SETTLE_SECONDS = 5  # changes of so long are followed together
QUIET_SECONDS = 10  # without a new file, after which an upload is over
LOOK_SECONDS = 10  # between two looks while files are coming
AT_MOST_SECONDS = 300  # that a change waits for files that come after it
PRIORITY = -10  # work that people wait for comes first


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterUpload:
    """A job of a datasource that each change of its documents queues; it waits while files are coming.

    The arguments of its task are `datasource_id` and `since`, the time.time of the first change that it
    follows. The task first asks `waits`.
    """

    task: str
    lock: str  # what its locks are called, before the number of the datasource

    def defer(self, datasource_id: int, *, since: float | None = None, seconds: int = SETTLE_SECONDS) -> None:
        """Queue it, unless it is queued already; joins the caller's transaction."""
        lock = f"{self.lock}:{datasource_id}"
        task = app.configure_task(
            self.task, lock=lock, queueing_lock=lock, schedule_in={"seconds": seconds}, priority=PRIORITY
        )
        begun = time.time() if since is None else since
        with suppress(AlreadyEnqueued), transaction.atomic():
            task.defer(datasource_id=datasource_id, since=begun, lane=lane_of(datasource_id).place())

    def waits(self, datasource: Datasource, since: float) -> bool:
        """Whether it is not its turn yet, as files are coming; it is then queued again."""
        waited = abs(time.time() - since)  # a clock that was set back does not make anybody wait
        if waited >= AT_MOST_SECONDS or not files_are_coming(datasource):
            return False
        self.defer(datasource.pk, since=since, seconds=LOOK_SECONDS)
        return True


def files_are_coming(datasource: Datasource) -> bool:
    """Whether some are being read, or one has just been added and others may follow."""
    lately = timezone.now() - timedelta(seconds=QUIET_SECONDS)
    return is_reading(datasource) or datasource.documents.filter(created__gt=lately).exists()


def is_reading(datasource: Datasource) -> bool:
    """Whether documents are being read, or wait for that; none are while reading is paused."""
    return not datasource.paused and datasource.documents.unfinished().exists()
