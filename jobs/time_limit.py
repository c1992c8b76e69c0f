"""How long a job may take. One that is not done by then fails with words, and holds nothing up any longer."""

import time
from collections.abc import Callable
from threading import Timer
from typing import Any, ClassVar

from django.db import OperationalError, connection
from procrastinate import JobContext
from procrastinate.jobs import Job
from procrastinate.worker import Worker
from psycopg.pq import TransactionStatus

from jobs.sql import statements
from localization.stored import Said, said, said_of

OVERRUN = 60.0  # seconds over its limit that a job has to end by itself; then its process ends
END_PROCESS = "end_process"  # of a worker's context: what ends the process


class TooLong(Exception):
    """The job took longer than it may."""

    code: ClassVar[str] = "too_long"
    transient: ClassVar[bool] = False

    def __init__(self, seconds: float) -> None:
        self.message = said("This took longer than {time} and was stopped.", time=duration(seconds))
        self.hint = ""
        super().__init__(self.message)


def duration(seconds: float) -> Said:
    """Such as 10 minutes."""
    if seconds >= 2 * 3600:
        return said_of("{n} hour", "{n} hours", round(seconds / 3600))
    if seconds >= 2 * 60:
        return said_of("{n} minute", "{n} minutes", round(seconds / 60))
    return said_of("{n} second", "{n} seconds", round(seconds))


class TimeLimit:
    """For the `task_middleware` of a task that is not a coroutine.

    Past the limit the next statement raises TooLong, and one that runs is stopped by the database. A job that
    uses no database sees it in nothing: it fails, and its process ends, OVERRUN seconds later. The other jobs
    of that process go on elsewhere, as after kill -9.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, carry_out: Callable[[], Any], context: JobContext, worker: Worker) -> Any:
        watchdog = Timer(self.seconds + OVERRUN, _overran, [context.job, self, context.additional_context])
        watchdog.daemon = True
        watchdog.start()
        bound = _Bound(self.seconds)
        try:
            with connection.execute_wrapper(bound):
                return carry_out()
        except OperationalError as error:
            if bound.left() > 0:
                raise
            raise TooLong(self.seconds) from error  # the database has stopped the statement
        finally:
            watchdog.cancel()
            bound.lift()


def limit_of(task: Any) -> float | None:
    """The seconds that a task may take; None without a limit."""
    limits = (each.seconds for each in task.task_middleware if isinstance(each, TimeLimit))
    return next(limits, None)


class _Bound:
    """Wraps each statement of a job: none begins after the deadline, but those that clean up after it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._raised = False
        self._allowed: tuple[Any, float] = (None, 0.0)  # the connection, and its statement_timeout

    def left(self) -> float:
        return self._deadline - time.monotonic()

    def __call__(
        self, execute: Callable[..., Any], sql: Any, parameters: Any, many: bool, context: Any
    ) -> Any:
        if self.left() <= 0 and not self._raised:
            self._raised = True
            raise TooLong(self._seconds)
        self._allow(max(self.left(), 1.0) if not self._raised else OVERRUN)
        return execute(sql, parameters, many, context)

    def _allow(self, seconds: float) -> None:
        """Only now and then: a statement ends at most a tenth of the time left after the deadline."""
        raw, before = connection.connection, self._allowed[1]
        if raw is self._allowed[0] and 0.9 * before <= seconds <= before:
            return
        if raw.info.transaction_status != TransactionStatus.INERROR:  # then only a rollback is listened to
            raw.execute(f"SET statement_timeout = {int(seconds * 1000)}")
            self._allowed = (raw, seconds)

    def lift(self) -> None:
        raw = connection.connection
        if raw is None or raw is not self._allowed[0]:
            return
        if raw.info.transaction_status in (TransactionStatus.IDLE, TransactionStatus.INTRANS):
            raw.execute("RESET statement_timeout")


def _overran(job: Job, limit: TimeLimit, worker_context: dict[str, Any]) -> None:
    """In a thread of its own, as the job's hangs."""
    end_process = worker_context.get(END_PROCESS)
    if end_process is None:
        return
    try:
        statements.rows("report_failure", job_id=job.id, message=str(TooLong(limit.seconds)))
        statements.rows(
            "finish_own_run",
            job_id=job.id,
            worker_id=job.worker_id,
            attempts=job.attempts,
            status="failed",
            delete_job=False,
        )
    finally:
        end_process(
            f"The job {job.task_name} took longer than {duration(limit.seconds)}, so this worker ends."
        )
