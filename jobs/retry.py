"""When a failed job is tried again."""

from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.exceptions import JobAborted
from procrastinate.jobs import Job


class Transient(Exception):
    """Worth another try: a model server that is busy, a database that restarts, a disk that stutters."""


class Backoff(BaseRetryStrategy):
    """Wait 2, 4, 8 ... 64 seconds after a transient failure; a worker that shuts down costs no wait.

    A job without a strategy that covers shutdown would be lost with it.
    """

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if isinstance(exception, JobAborted):
            return RetryDecision(retry_in={"seconds": 0})
        if isinstance(exception, Transient):
            return RetryDecision(retry_in={"seconds": 2 ** min(job.attempts + 1, 6)})
        return None
