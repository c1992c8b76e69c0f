"""A busy server is asked more slowly, by everybody."""

import asyncio
from time import monotonic

import pytest

from providers import rate_limiter
from providers.rate_limiter import RateLimiter, limiter_of


def waited(limiter: RateLimiter) -> float:
    begun = monotonic()
    asyncio.run(limiter.enter())
    return monotonic() - begun


def test_an_idle_server_is_asked_at_once() -> None:
    limiter = RateLimiter()
    assert sum(waited(limiter) for _ in range(20)) < 1.0


def test_after_a_refusal_everybody_waits_as_long_as_the_server_says() -> None:
    limiter = RateLimiter()
    limiter.refused(monotonic(), retry_after=0.2)
    assert 0.15 < waited(limiter) < 2.0


def test_refusals_of_one_burst_slow_down_once() -> None:
    limiter = RateLimiter()
    entered = monotonic()
    for _ in range(5):
        limiter.refused(entered, retry_after=0.0)
    spacing = rate_limiter.FIRST_SPACING
    waited(limiter)
    assert waited(limiter) < 1.9 * spacing + 0.5, "five refusals of one burst double nothing"


def test_answers_make_it_fast_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limiter, "FIRST_SPACING", 0.3)
    limiter = RateLimiter()
    limiter.refused(monotonic(), retry_after=0.0)
    for _ in range(20):
        limiter.passed()
    waited(limiter)
    assert waited(limiter) < 0.2


def test_a_server_has_one_limiter_in_the_process() -> None:
    assert limiter_of("http://a.local/v1") is limiter_of("http://a.local/v1")
    assert limiter_of("http://a.local/v1") is not limiter_of("http://b.local/v1")
