"""Threads for the blocking work of asynchronous code: one pool for each kind of work, so that none starves
another. In each pool people take turns, so that none waits for all that another has asked for.

They are few, so that database connections stay few however many turns and streams there are.
"""

import os
import select
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

P = ParamSpec("P")
R = TypeVar("R")

_person: ContextVar[int] = ContextVar("person", default=0)


def work_for(person: int) -> None:
    """Say for whom the running task works from now on, and whatever it starts."""
    _person.set(person)


class Pool:
    """Threads that keep their database connections between two calls."""

    def __init__(self, name: str, threads: int, *, niceness: int = 0) -> None:
        """`niceness`: how far its threads, and processes that they start, make way for others, on Linux."""
        self._executor = _TakingTurns(
            threads, thread_name_prefix=name, initializer=partial(_make_way, niceness)
        )

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Await a synchronous function. Whatever it reads and writes together belongs into one call."""
        call = partial(_with_connections, partial(function, *args, **kwargs))
        return await sync_to_async(call, thread_sensitive=False, executor=self._executor)()


class _TakingTurns(ThreadPoolExecutor):
    """Where calls of several people wait, a free thread takes one of each in rotation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lock = threading.Lock()
        self._waiting: OrderedDict[int, deque[tuple[Future[Any], Callable[[], Any]]]] = OrderedDict()

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future: Future[R] = Future()
        with self._lock:
            self._waiting.setdefault(_person.get(), deque()).append((future, partial(fn, *args, **kwargs)))
        super().submit(self._run_next)
        return future

    def _run_next(self) -> None:
        with self._lock:
            person, calls = self._waiting.popitem(last=False)
            future, call = calls.popleft()
            if calls:
                self._waiting[person] = calls  # behind the others
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
            future.set_exception(error)


def _make_way(niceness: int) -> None:
    """The calling thread, and it alone: elsewhere than on Linux niceness is of the whole process."""
    if niceness and sys.platform == "linux":
        thread = threading.get_native_id()
        own = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, min(19, own + niceness))


def _with_connections(call: Callable[[], R]) -> R:
    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and _is_lost(connection):
            connection.close()  # the call opens another
    try:
        return call()
    finally:
        if settings.DATABASE_POOL:
            connections.close_all()  # gives them back to psycopg's pool


def _is_lost(connection: BaseDatabaseWrapper) -> bool:
    """Whether Postgres has dropped it. It is asked only where it has sent something unasked, as then."""
    if connection.connection.closed:
        return True
    unread = select.poll()
    unread.register(connection.connection.fileno(), select.POLLIN)
    return bool(unread.poll(0)) and not connection.is_usable()


EVENT_READS = Pool("event-reads", 4)  # event streams and other waiting clients
PAGE_EVENTS = Pool("page-events", 2)  # events as HTML; opening a stream does not wait for it
TURN_STARTS = Pool("turn-starts", 2)  # what a turn does before its first event, and nothing that takes long
TURN_WRITES = Pool("turn-writes", 6)  # rows and events of running turns
# What keeps a processor busy makes way for pages and for what tells that a question is accepted and taken up.
CITATION_CHECKS = Pool("citation-checks", 4, niceness=3)  # quotes sought, and held against their claims
SEARCHES = Pool("searches", 6, niceness=3)  # tools of running turns
OUTSIDE = Pool("outside", 4)  # calls of other people's programs, which may take long to answer
QUOTING = Pool("quoting", os.cpu_count() or 1, niceness=3)  # passages chosen without a language model
# Page images made ahead of need: they keep a core busy each, and answers come before them.
RENDERING = Pool("rendering", 2, niceness=10)
