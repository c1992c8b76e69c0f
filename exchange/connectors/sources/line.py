"""The connection of a client, which is cut off when a request takes too long, or when nobody waits for it.

Timeouts of clients are for each wait by itself: a server that sends a byte now and then, in the head of its
answer or between its parts, would never be over.
"""

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any

LOOKED_AFTER = 0.5  # seconds between two questions whether anybody still waits


class TooSlow(Exception):
    """The request has taken all the time that it had."""


class Line:
    """Of a client that has one connection at a time."""

    def __init__(self, should_stop: Callable[[], bool]) -> None:
        self._should_stop = should_stop
        self._socket: socket.socket | None = None
        self._is_cut = False

    def note(self, event: str, details: Mapping[str, Any]) -> None:
        """What httpcore calls with all that a connection does, see its extension "trace"."""
        if event == "connection.connect_tcp.complete":
            self.hold(details["return_value"].get_extra_info("socket"))

    def hold(self, made: socket.socket) -> None:
        """The connection that is made by now, before TLS, which replaces the socket."""
        self.close()
        self._socket = made.dup()
        if self._is_cut:
            self._cut()

    @contextmanager
    def cut_after(self, seconds: float) -> Iterator[None]:
        """Raises TooSlow when what is done within takes longer, or is to stop, whatever came of it: a file
        that ends with its connection would look whole.
        """
        self._is_cut, done = False, Event()
        watch = Thread(target=self._watch, args=(done, time.monotonic() + seconds), daemon=True)
        watch.start()
        try:
            yield
        except Exception:
            if not self._is_cut:
                raise
        finally:
            done.set()
            watch.join()  # so that it does not cut the next request
        if self._is_cut:
            raise TooSlow

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _watch(self, done: Event, end: float) -> None:
        while not done.wait(max(0.0, min(LOOKED_AFTER, end - time.monotonic()))):
            if time.monotonic() >= end or self._should_stop():
                self._cut()
                return

    def _cut(self) -> None:
        self._is_cut = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
