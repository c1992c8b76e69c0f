"""When a failed job is tried again."""

from math import ceil, inf

from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.exceptions import JobAborted
from procrastinate.jobs import Job

from jobs.failures import STORAGE_ERRORS, is_transient, wait_asked_for

LONGEST_WAIT = 3600  # seconds that a server can ask a job to wait


class Backoff(BaseRetryStrategy):
    """Wait 2, 4, 8 ... 64 seconds after a transient failure, or longer if the server that failed asks for it;
    a worker that shuts down costs no wait.

    `retries` limits how often a model server is asked again; a fenced run has no limit here, its row counts
    the attempts. A job without a strategy that covers shutdown would be lost with it.
    """

    def __init__(self, retries: float = inf) -> None:
        self.retries = retries

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if isinstance(exception, JobAborted):  # procrastinate asks only when its worker shuts down
            return RetryDecision(retry_in={"seconds": 0})
        used_up = job.attempts >= self.retries and not isinstance(exception, STORAGE_ERRORS)
        if used_up or not is_transient(exception):
            return None
        asked_for = min(ceil(wait_asked_for(exception)), LONGEST_WAIT)
        return RetryDecision(retry_in={"seconds": max(2 ** min(job.attempts + 1, 6), asked_for)})
