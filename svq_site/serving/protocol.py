"""HTTP/1.1 as uvicorn speaks it, with a deadline for headers and a limit to the connections of an address.

Its parser ends a request whose address and headers exceed 64 KB.
"""

import asyncio
from http import HTTPStatus
from typing import Any

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

from svq_site.serving.connections import Admission, connections

LINGER_SECONDS = 1.0  # in which a client that was refused may read why
MOST_LINGERING = 64
RETRY_SECONDS = 5

TOO_SLOW = "The request did not arrive in time. Nothing was done. Send it again."
WORDS = {
    Admission.TOO_MANY_OF_ADDRESS: (
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many connections are open from your address. Nothing is lost. Close some, or try again in a few"
        " seconds.",
    ),
    Admission.FULL: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "All connections of this server are busy. Nothing is lost. Try again in a few seconds.",
    ),
}
lingering: set["BoundedProtocol"] = set()


class BoundedProtocol(H11Protocol):
    """One connection. Without a complete header in time it ends; an address with too many gets no more."""

    admitted = False
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        admission = connections.admit(self, self.client[0] if self.client else None)
        self.admitted = admission is Admission.ADMITTED
        if self.admitted:
            self._note()
        else:
            self._turn_away(*WORDS[admission])

    def data_received(self, data: bytes) -> None:
        if self.admitted:
            super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        self._note()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        connections.forget(self)
        lingering.discard(self)
        super().connection_lost(exc)

    def give_way(self) -> None:
        self.transport.abort()

    def _note(self) -> None:
        """Whether a request is under way now; while there is none, the next header is due."""
        waits = self.cycle is None or self.cycle.response_complete
        if self.transport.is_closing() or waits == (self.deadline is not None):
            return
        if waits:
            self.deadline = self.loop.call_later(settings.HEADER_SECONDS, self._too_late)
            connections.waits(self)
        else:
            self._stop_timer()
            connections.works(self)

    def _stop_timer(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _too_late(self) -> None:
        began = bool(self.conn.trailing_data[0])
        if began and self.conn.our_state is h11.IDLE and not self.transport.is_closing():
            self.transport.write(plain(HTTPStatus.REQUEST_TIMEOUT, TOO_SLOW))
        self.transport.close()

    def _turn_away(self, status: HTTPStatus, words: str) -> None:
        """Say why, and end soon after. What the client sends meanwhile is read by nobody."""
        if len(lingering) >= MOST_LINGERING:
            self.transport.abort()
            return
        lingering.add(self)
        self.transport.write(plain(status, words))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


def plain(status: HTTPStatus, words: str) -> bytes:
    """A whole response that ends its connection."""
    body = words.encode()
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body)}",
        f"Retry-After: {RETRY_SECONDS}",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body
