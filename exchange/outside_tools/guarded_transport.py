"""How the SDK's client reaches a server: public addresses alone unless allowed, and so many bytes at most.

It remembers what went wrong, as the SDK tells only that the connection ended.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from exchange.outside_tools.failures import (
    NO_CONNECTION,
    PACKED,
    PRIVATE,
    REDIRECTED,
    REFUSED,
    TOO_LARGE,
    OutsideFailure,
    answered_with,
)
from localization.stored import said
from providers.http.clients import tls
from providers.http.public_addresses import NotPublic, pinned
from providers.http.size_limit import AS_IT_IS

LARGEST = 1_000_000  # bytes of all answers of one exchange together


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """`failure` is the first thing that went wrong."""

    def __init__(self, *, public_only: bool) -> None:
        super().__init__(verify=tls())
        self.failure: OutsideFailure | None = None
        self.left = LARGEST
        self._public_only = public_only

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers.update(AS_IT_IS)
        try:
            if self._public_only:
                await _pin(request)
            response = await super().handle_async_request(request)
        except NotPublic:
            raise self.note(OutsideFailure(PRIVATE)) from None
        except (httpx2.TransportError, OSError, ValueError):
            raise self.note(OutsideFailure(NO_CONNECTION)) from None
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise self.note(OutsideFailure(PACKED))
        self._note_status(request, response.status_code)
        response.stream = _Bounded(response.stream, self)
        return response

    def note(self, failure: OutsideFailure) -> OutsideFailure:
        self.failure = self.failure or failure
        return failure

    def _note_status(self, request: httpx2.Request, status: int) -> None:
        """What to say of it in the end. Other refusals may be of one revision of the protocol alone."""
        if status in (401, 403):
            self.note(OutsideFailure(said(REFUSED, status=status)))
        elif 300 <= status < 400:
            self.note(OutsideFailure(REDIRECTED))
        elif status >= 500 or status == 429 or (status == 404 and request.method == "POST"):
            self.note(answered_with(status))


async def _pin(request: httpx2.Request) -> None:
    """To the address that its name has now. Raises NotPublic, OSError."""
    loop = asyncio.get_running_loop()
    rows = await loop.getaddrinfo(request.url.host, request.url.port, type=socket.SOCK_STREAM)
    pinned(request, [row[4][0] for row in rows])


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: Any, transport: GuardedTransport) -> None:
        self._stream, self._transport = stream, transport

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._transport.left -= len(piece)
            if self._transport.left < 0:
                raise self._transport.note(OutsideFailure(TOO_LARGE))
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
