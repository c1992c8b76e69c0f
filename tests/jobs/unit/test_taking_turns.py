"""Calls of several people in one pool of threads: nobody waits for all that another has asked for."""

import asyncio
import threading

import pytest

from jobs.threads import Pool, work_for


def test_people_take_turns_at_the_threads_of_a_pool() -> None:
    pool, free = Pool("single", 1), threading.Event()
    order: list[str] = []

    async def calls(person: int, count: int) -> None:
        work_for(person)
        await asyncio.gather(*(pool.run(order.append, f"{person}.{number}") for number in range(count)))

    async def both() -> None:
        busy = asyncio.create_task(pool.run(free.wait, 30))
        await asyncio.sleep(0.02)
        first = asyncio.create_task(calls(1, 4))
        await asyncio.sleep(0.02)
        second = asyncio.create_task(calls(2, 2))
        await asyncio.sleep(0.02)
        free.set()
        await asyncio.gather(busy, first, second)

    asyncio.run(both())
    assert order == ["1.0", "2.0", "1.1", "2.1", "1.2", "1.3"]


def test_a_call_that_nobody_waits_for_any_more_is_not_made() -> None:
    pool, free = Pool("single", 1), threading.Event()
    made: list[str] = []

    async def given_up() -> None:
        busy = asyncio.create_task(pool.run(free.wait, 30))
        await asyncio.sleep(0.02)
        late = asyncio.create_task(pool.run(made.append, "late"))
        await asyncio.sleep(0.02)
        late.cancel()
        with pytest.raises(asyncio.CancelledError):
            await late
        free.set()
        await busy
        await pool.run(made.append, "next")

    asyncio.run(given_up())
    assert made == ["next"]


def test_what_a_call_raises_is_raised_where_it_is_awaited() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(Pool("single", 1).run(lambda: 1 / 0))
