"""Which failures have a job tried again, and when."""

import pytest
from django.db import OperationalError
from django.utils import timezone
from procrastinate.jobs import Job

from formats import ExtractionError
from jobs.retry import Backoff
from jobs.runs import Stopped
from providers.protocols import ProviderError

BUSY = ProviderError("The model server is busy.", transient=True)


def job(attempts: int) -> Job:
    return Job(
        id=1,
        status="doing",
        queue="ingest",
        priority=0,
        lock=None,
        queueing_lock=None,
        task_name="read",
        attempts=attempts,
    )


def tried_again(error: BaseException, *, attempts: int = 0, retries: float = 3) -> bool:
    return Backoff(retries).get_retry_decision(exception=error, job=job(attempts)) is not None


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (BUSY, True),
        (OperationalError("the connection is lost"), True),
        (OSError("the disk stutters"), True),
        (Stopped(), True),
        (ProviderError("The key is refused."), False),
        (ExtractionError("corrupt"), False),
        (ValueError("a fault of ours"), False),
    ],
)
def test_what_may_succeed_later_is_tried_again(error: Exception, again: bool) -> None:
    assert tried_again(error) is again


def test_a_model_server_is_asked_so_often_and_storage_for_as_long_as_it_takes() -> None:
    assert tried_again(BUSY, attempts=2)
    assert not tried_again(BUSY, attempts=3)
    assert tried_again(OperationalError(), attempts=19)


@pytest.mark.parametrize(("asked", "waited"), [(0.5, 2), (6.2, 7), (7, 7), (1e9, 3600)])
def test_a_server_that_asks_for_a_longer_wait_gets_it(asked: float, waited: int) -> None:
    error = ProviderError("The model server is busy.", transient=True, retry_after=asked)
    decision = Backoff().get_retry_decision(exception=error, job=job(0))
    assert decision
    assert decision.retry_at
    assert round((decision.retry_at - timezone.now()).total_seconds()) == waited


def test_the_waits_double_up_to_about_a_minute() -> None:
    waits = []
    for attempts in range(8):
        decision = Backoff().get_retry_decision(exception=BUSY, job=job(attempts))
        assert decision
        assert decision.retry_at
        waits.append(round((decision.retry_at - timezone.now()).total_seconds()))
    assert waits == [2, 4, 8, 16, 32, 64, 64, 64]
