"""How many threads of MCP one person's searches may hold."""

import asyncio
import threading

import pytest

from accounts.models import User
from exchange.mcp import threads
from jobs.fair_slots import Busy


def test_one_person_s_searches_leave_threads_to_others() -> None:
    go_on, running, most = threading.Event(), list[int](), list[int]()

    def slow(person: User, number: int) -> int:
        running.append(number)
        most.append(len(running))
        go_on.wait(10)
        running.remove(number)
        return number

    async def act() -> None:
        many = threads.AT_ONCE + threads.WAITING
        calls = [asyncio.create_task(threads.search(User(pk=1), slow, n)) for n in range(many)]
        await asyncio.sleep(0.2)
        with pytest.raises(Busy):
            await threads.search(User(pk=1), slow, -1)
        other = await asyncio.wait_for(threads.search(User(pk=2), lambda person, n: n, 7), 5)
        assert other == 7
        go_on.set()
        assert await asyncio.wait_for(asyncio.gather(*calls), 20) == list(range(many))

    asyncio.run(act())
    assert max(most) == threads.AT_ONCE
    assert not threads._turns, "nobody is remembered"
