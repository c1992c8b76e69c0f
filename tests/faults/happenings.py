"""What may happen to a process in the middle of its work. It runs in the process that it happens to."""

import builtins
import errno
import io
import os
import signal
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psycopg
from django.db import OperationalError, connections
from django.db.backends.signals import connection_created
from psycopg import errors

WRITES = ("INSERT", "UPDATE", "COPY", "CREATE", "WITH")
OTHERS = """
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend' AND backend_start >= %s
"""
BEGUN = time.time()


def kill() -> None:
    """kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)


def lose_connections() -> None:
    """Postgres ends all connections of this process, as when it is restarted."""
    _end_backends(lambda connection, pid: connection.execute("SELECT pg_terminate_backend(%s)", [pid]))


def crash_database() -> None:
    """A server process of Postgres is killed: it ends all others, and recovers from its log."""
    _end_backends(lambda connection, pid: os.kill(pid, signal.SIGKILL))


def fill_disk() -> None:
    """From now on nothing can be written, neither to the disk nor by Postgres."""
    full.set()


full = threading.Event()
HAPPENINGS: dict[str, Callable[[], None]] = {
    "kill": kill,
    "connections": lose_connections,
    "crash": crash_database,
    "disk": fill_disk,
}


def _end_backends(end: Callable[[psycopg.Connection[Any], int], object]) -> None:
    from procrastinate.contrib.django import connector_params

    with psycopg.connect(**connector_params(), autocommit=True) as connection:
        begun = connection.execute("SELECT to_timestamp(%s)", [BEGUN]).fetchone()
        assert begun
        for (pid,) in connection.execute(OTHERS, begun).fetchall():
            end(connection, pid)


def count_statements(number: int, happens: Callable[[], None]) -> Callable[[], int]:
    """It happens before that statement, from 1, of all that Django sends in this process. Returns a function
    that gives their number so far.
    """
    lock, seen = threading.Lock(), 0

    def counted(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        with lock:
            seen += 1
            due = seen == number
        if due:
            happens()
        return execute(sql, params, many, context)

    _wrap(counted)
    return lambda: seen


def watch_disk() -> None:
    """What asks for space on a full disk fails as it would."""

    def refused(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if full.is_set() and sql.lstrip().startswith(WRITES):
            raise OperationalError("could not extend file: No space left on device") from errors.DiskFull()
        return execute(sql, params, many, context)

    _wrap(refused)
    opened = builtins.open

    def full_open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if full.is_set() and set(mode) & set("wxa"):
            raise OSError(errno.ENOSPC, "No space left on device", str(file))
        return opened(file, mode, *args, **kwargs)

    builtins.open = io.open = full_open
    os_open = os.open

    def full_os_open(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if full.is_set() and flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return os_open(path, flags, *args, **kwargs)

    os.open = full_os_open


def _wrap(wrapper: Any) -> None:
    def wrapped(connection: Any, **_: Any) -> None:
        connection.execute_wrappers.append(wrapper)

    connection_created.connect(wrapped, weak=False)
    for connection in connections.all(initialized_only=True):
        connection.execute_wrappers.append(wrapper)


def set_clock(ahead: float) -> None:
    """The clock of this process alone, not of its database, as on a machine whose clock is wrong."""
    from django.utils import timezone
    from procrastinate import utils

    true_time, true_now, true_utcnow = time.time, timezone.now, utils.utcnow
    time.time = lambda: true_time() + ahead
    timezone.now = lambda: true_now() + timedelta(seconds=ahead)
    utils.utcnow = lambda: true_utcnow() + timedelta(seconds=ahead)
