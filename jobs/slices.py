"""Long runs that take turns: each works for a while, then its job is queued again behind the others."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from jobs.runs import FencedRun, Stopped
from jobs.threads import Pool

SLICE = 20.0  # seconds of a run until others of its queue have their turn

Run = TypeVar("Run", bound=FencedRun[Any])


async def one_slice(carry_on: Callable[[int, float | None], Awaitable[None]], pk: int) -> None:
    """The body of a job that carries on with a row. It is tried again if the worker shuts down, and not if a
    person stopped it.
    """
    try:
        await carry_on(pk, SLICE)
    except asyncio.CancelledError:
        raise Stopped from None


async def work_a_slice(
    pool: Pool,
    begin: Callable[[], Run | None],
    body: Callable[[Run, float | None], Awaitable[None]],
    end: Callable[[Run], None],
    seconds: float | None,
) -> None:
    """Begin, do the work until the moment that `body` is given (None: to its end), and end.

    `begin` and `end` run in the pool. Raises what `FencedRun.settle` raises while another attempt may help,
    and CancelledError.
    """
    run = await pool.run(begin)
    if run is None:
        return
    try:
        await body(run, None if seconds is None else time.monotonic() + seconds)
        await pool.run(end, run)
    except Stopped:
        return
    except asyncio.CancelledError:
        await pool.run(run.forget_attempt)
        raise
    except Exception as error:  # noqa: BLE001 - settle tells them apart
        await pool.run(run.settle, error)


def is_over(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() > deadline


async def side_by_side(count: int, act: Callable[[], Awaitable[None]]) -> None:
    """Do it so many times at once. Raises the first exception that one of them raises."""

    async def once() -> None:
        await act()

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(once())
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
