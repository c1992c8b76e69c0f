"""The connection of a client, which is cut off when a request takes too long.

Timeouts of clients are for each wait by itself: a server that sends a byte now and then, in the head of its
answer or between its parts, would never be over.
"""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any

import httpx


class TooSlow(Exception):
    """The request has taken all the time that it had."""


class Line:
    """Of a client that has one connection at a time."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._is_cut = False

    def note(self, event: str, told: Mapping[str, Any]) -> None:
        """What httpcore calls with all that a connection does, see its extension "trace"."""
        if event == "connection.connect_tcp.complete":
            self.close()
            self._socket = told["return_value"].get_extra_info("socket").dup()  # TLS replaces the first one
            if self._is_cut:
                self._cut()

    @contextmanager
    def cut_after(self, seconds: float) -> Iterator[None]:
        """Raises TooSlow when what is done within takes longer, whatever came of it: a file that ends with
        its connection would look whole.
        """
        self._is_cut = False
        timer = Timer(seconds, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        except (httpx.HTTPError, OSError):
            if not self._is_cut:
                raise
        finally:
            timer.cancel()
            timer.join()  # so that it does not cut the next request
        if self._is_cut:
            raise TooSlow

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _cut(self) -> None:
        self._is_cut = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
