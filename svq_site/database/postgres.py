"""The embedded Postgres for the settings: start it, share it between processes, stop it with the last one.

Nothing here knows Django: the settings call it before Django exists.
"""

import atexit
import fcntl
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from svq_site.database import postgres_places, postgres_server
from svq_site.database.postgres_places import PostgresError, Server

__all__ = ["PostgresError", "Server", "Status", "ensure_running", "places", "release", "status"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What `doctor` shows. The versions are None while the server does not answer."""

    running: bool
    version: str | None
    vector_version: str | None
    log: Path


def ensure_running(data_dir: Path) -> str:
    """Start the server of `data_dir` or join the running one; return the libpq URL of its database.

    The database and the extension `vector` exist on return, in `template1` too, so that a test database
    gets it. This process counts as a user of the server until `release()` or its exit.
    Raises PostgresError.
    """
    with _thread_guard:
        try:
            server = postgres_places.locate(data_dir)
            hold = _holds.get(data_dir.resolve()) or _take_hold(data_dir.resolve(), server)
            try:
                with _turn(hold.fd):
                    postgres_server.start_or_join(server)
                    postgres_server.prepare(server)
            except BaseException:
                del _holds[data_dir.resolve()]
                _drop(hold)
                raise
        except (OSError, psycopg.Error) as error:
            raise postgres_server.failure(data_dir, str(error)) from error
    return server.url()


def release(data_dir: Path) -> None:
    """Give up this process's hold; the last holder stops the server. Without a hold nothing happens.

    Raises PostgresError when the server does not stop.
    """
    with _thread_guard:
        hold = _holds.pop(data_dir.resolve(), None)
        if hold is not None:
            _drop(hold)


def status(data_dir: Path) -> Status:
    """Ask the server of `data_dir` for its versions; it is neither started nor held."""
    server = postgres_places.locate(data_dir)
    query = "SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'"
    try:
        with psycopg.connect(server.url(), connect_timeout=postgres_server.ANSWER_SECONDS) as connection:
            version, vector_version = connection.execute(query).fetchone() or (None, None)
    except psycopg.Error:
        return Status(running=False, version=None, vector_version=None, log=server.log)
    return Status(running=True, version=version, vector_version=vector_version, log=server.log)


def places(data_dir: Path) -> Server:
    """Where the server of `data_dir` is, running or not. Raises PostgresError."""
    return postgres_places.locate(data_dir)


# Holds ------------------------------------------------------------------------------------------------------
# One lock file beside the data directory. Byte 0 is the turn to start or stop the server, byte 1 is shared by
# all its users; whoever gets byte 1 alone is the last one. The kernel frees both when a process dies. These
# are POSIX locks because, unlike flock, a forked child does not inherit them. Their price: closing any
# descriptor of the file frees the locks of the whole process, so each process opens it only once.

_TURN_BYTE, _USERS_BYTE = 0, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hold:
    server: Server
    fd: int


_holds: dict[Path, _Hold] = {}  # by the data directory that was asked for
_thread_guard = threading.Lock()


def _take_hold(data_dir: Path, server: Server) -> _Hold:
    postgres_server.make_folder(server)
    lock_file = server.data_dir.with_name(server.data_dir.name + ".lock")
    fd = os.open(lock_file, os.O_RDWR | os.O_CREAT, 0o600)
    hold = _Hold(server=server, fd=fd)
    try:
        # Before the turn: a process that waits for its turn already keeps the server from being stopped.
        fcntl.lockf(fd, fcntl.LOCK_SH, 1, _USERS_BYTE)
    except BaseException:
        os.close(fd)
        raise
    _holds[data_dir] = hold
    return hold


@contextmanager
def _turn(fd: int) -> Iterator[None]:
    fcntl.lockf(fd, fcntl.LOCK_EX, 1, _TURN_BYTE)
    try:
        yield
    finally:
        fcntl.lockf(fd, fcntl.LOCK_UN, 1, _TURN_BYTE)


def _drop(hold: _Hold) -> None:
    try:
        with _turn(hold.fd):
            try:
                fcntl.lockf(hold.fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _USERS_BYTE)
            except (BlockingIOError, PermissionError):  # either may mean: others hold it
                return
            postgres_server.stop(hold.server)
    finally:
        os.close(hold.fd)


@atexit.register
def _release_all() -> None:
    for data_dir in list(_holds):
        try:
            release(data_dir)
        except PostgresError as error:
            sys.stderr.write(f"{error}\n")


def _forget_holds_of_parent() -> None:
    global _thread_guard
    _thread_guard = threading.Lock()  # another thread of the parent may have held it
    for hold in _holds.values():
        os.close(hold.fd)  # a copy: the parent keeps its locks
    _holds.clear()


os.register_at_fork(after_in_child=_forget_holds_of_parent)
