"""Lanes: each person's jobs wait in lanes of their own, one a datasource, and the lanes take turns.

However many jobs a person queues, another one's next job is taken before their second. See
fetch_known_job_in_turn.
"""

import json
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from procrastinate.jobs import Job
from procrastinate.manager import JobManager

from jobs.sql import statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """Where a job waits, by the numbers of the person who asked for it and of the datasource."""

    person: int
    datasource: int

    def place(self, *, handicap: float = 0) -> dict[str, Any]:
        """A place in the lane now, as the argument `lane` of a job that is queued; its task never sees it.

        `handicap`, in seconds: what is queued up to so much later comes before it. Large work gets one, so
        that small work overtakes it, and none waits for ever.
        """
        due = round((time.time() + handicap) * 1000)
        return {"person": self.person, "datasource": self.datasource, "due": due}


def before(job_ids: Collection[int]) -> dict[int, int]:
    """Of those of the jobs that wait: how many others of the same person and task are to be taken before."""
    return dict(statements.rows("before", jobs=[*job_ids])) if job_ids else {}


def ahead(job_ids: Collection[int]) -> dict[int, int]:
    """Of those of the jobs that wait: how many others of their queue, of all people, are likely to be taken
    before.
    """
    return dict(statements.rows("ahead", jobs=[*job_ids])) if job_ids else {}


class TakingTurns(JobManager):
    """Fetches the next job from the lane that was served least recently. `tasks`: those that it can do, by
    their names; it leaves alone all others. None: it can do all.
    """

    tasks: Collection[str] | None = None

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        rows = await self.connector.execute_query_all_async(
            query=statements["fetch"],
            queues=queues and list(queues),
            worker_id=worker_id,
            limits=json.dumps(settings.JOB_LIMITS),
            known=None if self.tasks is None else list(self.tasks),
        )
        return Job.from_row(rows[0]) if rows else None
