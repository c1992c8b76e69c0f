"""A job is ended only by the worker that does it: the fence of jobs.runs, for the job's own row.

A worker that was frozen comes back to a job that another one was given meanwhile. If it could end that job,
nobody would take it over from the second worker when that dies, and its document would never be read.
"""

from datetime import datetime
from typing import Any

from procrastinate.exceptions import UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.utils import utcnow

from jobs.sql import statements


class OwnRuns(JobManager):
    """Ends a job only while the job is in the same run as when it was fetched."""

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        await self._end("finish_own_run", job, status=status.value, delete_job=delete_job)

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """End it instead where the same has been queued meanwhile: a queueing lock lets only one wait."""
        try:
            await self._end(
                "retry_own_run", job, retry_at=retry_at or utcnow(), priority=priority, queue=queue, lock=lock
            )
        except UniqueViolation:
            await self.finish_job(job, Status.ABORTED, delete_job=False)

    async def _end(self, name: str, job: Job, **values: Any) -> None:
        await self.connector.execute_query_async(
            query=statements[name],
            job_id=job.id,
            worker_id=job.worker_id,
            attempts=job.attempts,
            **values,
        )
