"""The threads on which tools and resources read the database, and a person's share of those that search."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import anyio

from accounts.models import User
from jobs.fair_slots import Busy
from jobs.threads import Pool

T = TypeVar("T")
R = TypeVar("R")

CALLS = Pool("programs", 4)
SEARCHING = Pool("programs-searching", 4)
AT_ONCE = 2  # searches of one person; the rest of the threads are for others
WAITING = 20  # calls of one person that wait their turn, without a thread


@dataclass(slots=True)
class _Turns:
    """A person's calls: those that run and those that wait."""

    calls: int = 0
    running: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))


_turns: dict[int, _Turns] = {}


async def search(
    person: User, function: Callable[[User, T], R], arguments: T, *, to_the_end: bool = False
) -> R:
    """What searches, in its person's turn. Raises Busy.

    `to_the_end`: once its turn has come, it is not cancelled; while it waits, it is.
    """
    async with _turn(person.pk):
        with anyio.CancelScope(shield=to_the_end):
            found = await SEARCHING.run(function, person, arguments)
        return found


@asynccontextmanager
async def _turn(person: int) -> AsyncIterator[None]:
    turns = _turns.setdefault(person, _Turns())
    if turns.calls >= AT_ONCE + WAITING:
        raise Busy
    turns.calls += 1
    try:
        async with turns.running:
            yield
    finally:
        turns.calls -= 1
        if not turns.calls:
            _turns.pop(person, None)
