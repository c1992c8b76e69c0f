"""Thread pools: one kind of work never waits for another, and a lost database connection is replaced."""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection, connections

from jobs.threads import EVENT_READS, PAGE_EVENTS, RENDERING, TURN_WRITES, Pool

pytestmark = pytest.mark.django_db(transaction=True)


def backend() -> int:
    """The database's process behind this thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    return int(pid)


def terminate(pid: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    connection.close()


@pytest.fixture
def pool() -> Iterator[Pool]:
    """A pool of one thread."""
    pool = Pool("single", 1)
    yield pool
    asyncio.run(pool.run(connections.close_all))


def test_a_thread_keeps_its_connection_and_replaces_a_lost_one(pool: Pool) -> None:
    first = asyncio.run(pool.run(backend))
    assert asyncio.run(pool.run(backend)) == first
    terminate(first)
    assert asyncio.run(pool.run(backend)) != first


def test_a_call_that_loses_its_connection_fails_and_is_not_repeated(pool: Pool) -> None:
    calls = []

    def write() -> None:
        calls.append(backend())
        thread = threading.Thread(target=terminate, args=[calls[-1]])
        thread.start()
        thread.join()
        backend()

    with pytest.raises(OperationalError):
        asyncio.run(pool.run(write))
    assert len(calls) == 1
    assert asyncio.run(pool.run(backend)) != calls[0]


@pytest.mark.parametrize("busy", [RENDERING, PAGE_EVENTS], ids=["pictures", "pages"])
def test_busy_rendering_does_not_keep_event_streams_waiting(busy: Pool) -> None:
    free = threading.Event()

    async def both() -> str:
        rendering = [asyncio.create_task(busy.run(free.wait, 30)) for _ in range(10)]
        try:
            return await asyncio.wait_for(EVENT_READS.run(lambda: "read"), 5)
        finally:
            free.set()
            await asyncio.gather(*rendering)

    assert asyncio.run(both()) == "read"


@pytest.mark.skipif(sys.platform != "linux", reason="niceness is of threads on Linux alone")
def test_pictures_ahead_of_need_make_way_and_nothing_else_does() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, 0)

    assert asyncio.run(RENDERING.run(niceness)) == min(19, niceness() + 10)
    assert asyncio.run(TURN_WRITES.run(niceness)) == niceness()
