"""How many threads of MCP one person's searches may hold."""

import asyncio
import threading

import anyio
import pytest

from accounts.models import User
from exchange.mcp import threads
from exchange.mcp.tools import ask
from jobs.fair_slots import Busy
from tests.processes import PATIENCE


def test_one_person_s_searches_leave_threads_to_others() -> None:
    go_on, running, most = threading.Event(), list[int](), list[int]()

    def slow(person: User, number: int) -> int:
        running.append(number)
        most.append(len(running))
        go_on.wait(2 * PATIENCE)
        running.remove(number)
        return number

    async def act() -> None:
        many = threads.AT_ONCE + threads.WAITING
        calls = [asyncio.create_task(threads.search(User(pk=1), slow, n)) for n in range(many)]
        await asyncio.sleep(0.2)
        with pytest.raises(Busy):
            await threads.search(User(pk=1), slow, -1)
        other = await asyncio.wait_for(threads.search(User(pk=2), lambda person, n: n, 7), PATIENCE)
        assert other == 7
        go_on.set()
        assert await asyncio.wait_for(asyncio.gather(*calls), PATIENCE) == list(range(many))

    asyncio.run(act())
    assert max(most) == threads.AT_ONCE
    assert not threads._turns, "nobody is remembered"


def test_a_question_given_up_before_its_turn_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, asked = threading.Event(), list[ask.Ask]()
    monkeypatch.setattr(ask, "asked", lambda person, arguments: asked.append(arguments))

    async def progress(seconds: float, doing: str) -> None:
        """Nobody listens."""

    async def act() -> None:
        person = User(pk=1)
        before = [
            asyncio.create_task(threads.search(person, lambda person, event: event.wait(2 * PATIENCE), go_on))
            for _ in range(threads.AT_ONCE)
        ]
        await asyncio.sleep(0)
        with anyio.move_on_after(0.2) as scope:
            await ask.run(person, ask.Ask(question="How long are backups kept?"), progress)
        assert scope.cancelled_caught
        go_on.set()
        assert all(await asyncio.gather(*before))

    asyncio.run(act())
    assert not asked
    assert not threads._turns, "it has left the queue"


def test_what_runs_to_the_end_is_not_cut_off() -> None:
    ended = list[bool]()

    async def act() -> None:
        with anyio.move_on_after(0.1):
            slow = threading.Event()
            ended.append(
                await threads.search(
                    User(pk=1), lambda person, event: not event.wait(0.5), slow, to_the_end=True
                )
            )

    asyncio.run(act())
    assert ended == [True]
