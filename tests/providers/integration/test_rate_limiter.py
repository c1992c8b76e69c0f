"""A busy server is asked more slowly, by everybody."""

import itertools
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, time

import pytest
from asgiref.sync import async_to_sync

from providers import rate_limiter
from providers.connections.models import ServerPace
from providers.connections.tasks import forget_server_paces
from providers.rate_limiter import RateLimiter
from tests.processes import url_of_test_database

ROOT = Path(__file__).resolve().parents[3]
ADDRESS = "http://a.local/v1"


@pytest.fixture
def limiter(db: None) -> RateLimiter:
    return RateLimiter(address=ADDRESS)


def enter(limiter: RateLimiter) -> float:
    return async_to_sync(limiter.enter)()


def refuse(limiter: RateLimiter, entered: float, retry_after: float | None) -> None:
    async_to_sync(limiter.refused)(entered, retry_after)


def waited(limiter: RateLimiter) -> float:
    begun = monotonic()
    enter(limiter)
    return monotonic() - begun


def test_a_server_that_was_never_busy_is_asked_at_once(limiter: RateLimiter) -> None:
    for _ in range(20):
        enter(limiter)
        async_to_sync(limiter.passed)()
    assert not ServerPace.objects.exists()


def test_after_a_refusal_everybody_waits_as_long_as_the_server_says(limiter: RateLimiter) -> None:
    refuse(limiter, time(), retry_after=0.2)
    assert waited(RateLimiter(address=ADDRESS)) > 0.15


def test_another_server_is_not_waited_for(limiter: RateLimiter) -> None:
    refuse(limiter, time(), retry_after=600)
    enter(RateLimiter(address="http://b.local/v1"))


def test_refusals_of_one_burst_slow_down_once(limiter: RateLimiter) -> None:
    entered = enter(limiter)
    for _ in range(5):
        refuse(limiter, entered, retry_after=0.0)
    assert ServerPace.objects.get().spacing == rate_limiter.FIRST_SPACING
    refuse(limiter, enter(limiter), retry_after=0.0)
    assert ServerPace.objects.get().spacing == 2 * rate_limiter.FIRST_SPACING


def test_a_refusal_without_a_time_waits_twice_as_long_each_time(
    limiter: RateLimiter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limiter, "FIRST_WAIT", 0.2)
    refuse(limiter, enter(limiter), None)
    refuse(limiter, enter(limiter), None)
    pace = ServerPace.objects.get()
    assert 0.35 < (pace.next - pace.refused).total_seconds() < 0.5


def test_answers_make_it_fast_again(limiter: RateLimiter) -> None:
    refuse(limiter, time(), retry_after=0.0)
    for _ in range(20):
        async_to_sync(limiter.passed)()
    pace = ServerPace.objects.get()
    assert (pace.spacing, pace.refusals) == (0, 0)


def test_what_is_known_of_a_server_is_forgotten(limiter: RateLimiter) -> None:
    refuse(limiter, time(), retry_after=0.0)
    forget_server_paces(0)
    assert ServerPace.objects.exists()
    refuse(RateLimiter(address="http://b.local/v1"), time(), retry_after=-2 * 3600)
    forget_server_paces(0)
    assert ServerPace.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_obey_the_limit_of_a_server_together() -> None:
    limiter = RateLimiter(address=ADDRESS)
    refuse(limiter, time(), retry_after=1.0)
    refused = ServerPace.objects.get().refused.timestamp()
    command = [sys.executable, "-m", "tests.providers.asking", ADDRESS, "5"]
    environment = os.environ | {"DATABASE_URL": url_of_test_database()}
    asking = [
        subprocess.Popen(
            command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    for process in asking:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    turns = sorted(float(line) for process in asking for line in process.communicate()[0].split())
    assert len(turns) == 10
    assert turns[0] >= refused + 1.0
    between = [later - earlier for earlier, later in itertools.pairwise(turns)]
    assert min(between) > 0.8 * rate_limiter.FIRST_SPACING
