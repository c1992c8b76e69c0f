"""Threads for the blocking work of asynchronous code: one pool for each kind of work, so that none starves
another.

They are few, so that database connections stay few however many turns and streams there are.
"""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections

P = ParamSpec("P")
R = TypeVar("R")


class Pool:
    """Threads that keep their database connections between two calls."""

    def __init__(self, name: str, threads: int, *, niceness: int = 0) -> None:
        """`niceness`: how far its threads, and processes that they start, make way for others, on Linux."""
        self._executor = ThreadPoolExecutor(
            threads, thread_name_prefix=name, initializer=partial(_make_way, niceness)
        )

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Await a synchronous function. Whatever it reads and writes together belongs into one call."""
        call = partial(_with_connections, partial(function, *args, **kwargs))
        return await sync_to_async(call, thread_sensitive=False, executor=self._executor)()


def _make_way(niceness: int) -> None:
    """The calling thread, and it alone: elsewhere than on Linux niceness is of the whole process."""
    if niceness and sys.platform == "linux":
        thread = threading.get_native_id()
        own = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, min(19, own + niceness))


def _with_connections(call: Callable[[], R]) -> R:
    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and not connection.is_usable():
            connection.close()  # Postgres has dropped it since: the call opens another
    try:
        return call()
    finally:
        if settings.DATABASE_POOL:
            connections.close_all()  # gives them back to psycopg's pool


EVENT_READS = Pool("event-reads", 4)  # event streams and other waiting clients
TURN_WRITES = Pool("turn-writes", 6)  # rows and events of running turns
CITATION_CHECKS = Pool("citation-checks", 4)  # quotes sought in documents, held against their claims
SEARCHES = Pool("searches", 6)  # tools of running turns
# Page images made ahead of need: they keep a core busy each, and answers come before them.
RENDERING = Pool("rendering", 2, niceness=10)
