"""What jobs say of themselves while they run, and why they failed: procrastinate keeps neither."""

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from procrastinate import JobContext
from procrastinate.exceptions import JobAborted
from procrastinate.jobs import Job
from procrastinate.worker import Worker

from jobs.failures import STORAGE_ERRORS, Explained
from jobs.sql import statements
from metrics.traces import part_of, span

SUBJECTS = {"turn_id": "turn", "document_id": "document"}  # arguments of jobs, and whose trace they are of
EVERY = 1.0  # seconds between two reports of a job

_reporter: ContextVar["_Reporter | None"] = ContextVar("reporter", default=None)


class _Reporter:
    def __init__(self, job_id: int) -> None:
        self.job_id = job_id
        self.last = 0.0


def report(done: float, total: float) -> None:
    """How far the running job is; outside of jobs nothing happens. In a transaction nobody sees it."""
    reporter = _reporter.get()
    if reporter and time.monotonic() - reporter.last > EVERY:
        reporter.last = time.monotonic()
        statements.rows("report_progress", job_id=reporter.job_id, done=float(done), total=float(total))


def current_job() -> int | None:
    """The number of the running job; None outside of jobs."""
    reporter = _reporter.get()
    return reporter.job_id if reporter else None


async def reporting(job: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker) -> Any:
    """The middleware of a worker that lets its jobs report, and writes down why one has failed."""
    _reporter.set(_Reporter(context.job.id or 0))
    try:
        with _traced(context.job):
            return await job()
    except JobAborted:
        raise
    except Exception as error:
        await context.app.connector.execute_query_async(
            statements["report_failure"], job_id=context.job.id, message=in_words(error)
        )
        raise


@contextmanager
def _traced(job: Job) -> Iterator[None]:
    """A job is a span, in the trace of the question or document that it works on."""
    of = next((name for name in SUBJECTS if name in job.task_kwargs), None)
    subject = part_of(SUBJECTS[of], job.task_kwargs[of]) if of else nullcontext()
    with subject, span(f"job {job.task_name}", queue=job.queue, job=job.id or 0, attempt=job.attempts + 1):
        yield


def in_words(error: Exception) -> str:
    """Without what an error of a library says: that may have words of documents."""
    if isinstance(error, Explained):
        return error.message[:500]
    if isinstance(error, STORAGE_ERRORS):
        return "The database or the file storage did not answer."
    if isinstance(error, MemoryError):
        return "It needed more memory than a worker may have."
    return f"It stopped at a fault in SVQ ({type(error).__name__}). The worker's log has the details."
