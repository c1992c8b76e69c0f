"""What is done with the things of a batch: until when, and what failures mean."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from batches.budget import Budget, UsedUp
from batches.run import BatchRun, each
from jobs.threads import Pool
from providers.protocols import ProviderError, UnreadableReply
from providers.spending.models import Purpose

POOL = Pool("test-batches", 1)


class Run(BatchRun[Any]):
    purpose = Purpose.TABLES


def run() -> Run:
    row: Any = SimpleNamespace(
        run_token="one", budget_left=Budget(), dearest_tokens=0, dearest_money=0, count=None
    )
    return Run(row, person=1, datasource=1, reply=10, prices=[])


def test_a_batch_fails_with_the_third_failure_in_a_row_and_a_success_begins_to_count_anew() -> None:
    batch, error = run(), ProviderError("No.")
    for _ in range(2):
        batch.failed(error)
        batch.failed(error)
        batch.succeeded()
    batch.failed(error)
    batch.failed(error)
    with pytest.raises(ProviderError):
        batch.failed(error)


def test_what_passes_with_time_is_for_another_attempt_but_not_an_answer_that_nobody_can_read() -> None:
    with pytest.raises(ProviderError):
        run().failed(ProviderError("Busy.", transient=True))
    run().failed(UnreadableReply("It wrote a poem."))


def test_a_batch_ends_where_its_budget_does() -> None:
    batch, seen = run(), []

    async def act(thing: int) -> None:
        if thing == 3:
            raise UsedUp
        seen.append(thing)

    asyncio.run(each(batch, POOL, range(6), act, None, total=6))
    assert (seen, batch.is_held) == ([0, 1, 2], True)


def test_the_page_of_background_work_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("batches.run.report", lambda *how_far: told.append(how_far))

    async def act(thing: int) -> None:
        pass

    asyncio.run(each(run(), POOL, range(3), act, None, total=6))
    assert told == [(4, 6), (5, 6), (6, 6)]


def test_what_is_left_half_done_for_another_turn_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("batches.run.report", lambda *how_far: told.append(how_far))

    async def act(thing: int) -> bool:
        return thing < 2

    asyncio.run(each(run(), POOL, range(3), act, None, total=6))
    assert told == [(4, 6), (5, 6)]


def test_when_its_time_is_over_it_makes_way_and_is_not_held() -> None:
    batch, seen = run(), []

    async def act(thing: int) -> None:
        seen.append(thing)

    asyncio.run(each(batch, POOL, range(6), act, time.monotonic() - 1, total=6))
    assert (seen, batch.is_held) == ([], False)
