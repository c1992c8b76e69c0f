"""What a worker answers at a port of its own: GET /livez, /readyz, and /metrics with the token.

A few lines of HTTP/1.1, for a worker has no web server: one request each, without a body, and no others.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from http import HTTPStatus

from django.conf import settings
from prometheus_client import CONTENT_TYPE_LATEST
from psycopg import Error

from jobs.direct import direct_parameters
from jobs.processes import last_heartbeats
from metrics import counted
from svq_site.host.health import OK
from svq_site.monitoring.exposition import is_bearer
from svq_site.monitoring.probes import Kept, answer_of, database_state

SECONDS = 5.0  # in which a request has to arrive and its answer to be taken
LARGEST = 8192  # bytes of it
JSON = "application/json"


class Probes:
    """Answers for the worker that is this process; `ends` says whether it takes no more jobs."""

    def __init__(self, pid: int, ends: Callable[[], bool]) -> None:
        self._pid = pid
        self._ends = ends
        self._heartbeat = Kept(self._heartbeat_state)
        self._database = Kept(lambda: database_state(direct_parameters()))

    @asynccontextmanager
    async def served(self, host: str, port: int) -> AsyncIterator[None]:
        """While the block runs. Raises OSError where the port is taken."""
        server = await asyncio.start_server(self._serve, host, port, limit=LARGEST)
        async with server:
            yield

    async def answer(self, path: str, authorization: str) -> tuple[int, str, bytes]:
        """The status, kind and body of an answer."""
        if path == "/livez":
            return 200, JSON, answer_of({"worker": OK})[1]
        if path == "/readyz":
            status, body = answer_of({"worker": await self._state(), "database": await self._database.now()})
            return status, JSON, body
        if path == "/metrics" and settings.METRICS_TOKEN:
            if not is_bearer(authorization, settings.METRICS_TOKEN):
                return 401, "text/plain", b""
            return 200, CONTENT_TYPE_LATEST, counted()
        return 404, "text/plain", b""

    async def _state(self) -> str:
        return "ends" if self._ends() else await self._heartbeat.now()

    async def _heartbeat_state(self) -> str:
        try:
            return OK if await last_heartbeats([self._pid]) else "has not begun to work"
        except (Error, OSError, TimeoutError):
            return "unknown without the database"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            try:
                async with asyncio.timeout(SECONDS):
                    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                    writer.write(_written(*await self.answer(*_read(head))))
                    await writer.drain()
            except OSError:  # also where the time is over: what nobody takes would keep the connection open
                writer.transport.abort()


def _written(status: int, kind: str, body: bytes) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _read(head: str) -> tuple[str, str]:
    """The path and the Authorization header of a request. Raises ValueError."""
    first, *lines = head.split("\r\n")
    method, target, _ = first.split(" ")
    if method != "GET":
        return "", ""
    headers = dict(line.partition(":")[::2] for line in lines)
    authorization = next((value for name, value in headers.items() if name.lower() == "authorization"), "")
    return target.partition("?")[0], authorization.strip()
