"""GET /livez and /readyz of a web server, for what starts and balances processes.

Live: the event loop turns. Ready: this process can answer people. Unlike /healthz, neither looks at workers,
whose absence is no reason to take a web server out of service, and neither minds by which name it is asked.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping

import psycopg
from procrastinate.contrib.django import connector_params

from svq_site.host.health import OK, PATIENCE, model_state, pages_state
from svq_site.serving.static_app import Receive, Scope, Send, security

KEPT = 1.0  # seconds for which an answer of the database does for all: anybody may ask, as often as they like


class Service:
    """Whether this process still takes requests."""

    ends = False


service = Service()


class Kept:
    """What `ask` answers, asked once a second at most, however many want to know."""

    def __init__(self, ask: Callable[[], Awaitable[str]]) -> None:
        self._ask = ask
        self._one = asyncio.Lock()
        self._answer: tuple[float, str] | None = None

    async def now(self) -> str:
        async with self._one:
            if self._answer is None or time.monotonic() - self._answer[0] >= KEPT:
                answer = await self._ask()
                self._answer = time.monotonic(), answer
            return self._answer[1]


async def livez(scope: Scope, receive: Receive, send: Send) -> None:
    await _answer(send, {"web": OK})


async def readyz(scope: Scope, receive: Receive, send: Send) -> None:
    await _answer(
        send,
        {
            "web": "ends" if service.ends else OK,
            "pages": pages_state(),
            "model": model_state(),
            "database": await _database.now(),
        },
    )


async def database_state(parameters: Mapping[str, object]) -> str:
    """Whether it answers, within PATIENCE."""
    try:
        async with asyncio.timeout(PATIENCE):
            connected = await psycopg.AsyncConnection.connect(**parameters, autocommit=True)  # type: ignore[arg-type]
            async with connected as connection:
                await connection.execute("SELECT 1")
    except (psycopg.Error, OSError, TimeoutError):
        return "does not answer"
    return OK


_database = Kept(lambda: database_state(connector_params()))


def answer_of(parts: Mapping[str, str]) -> tuple[int, bytes]:
    """The status and the body of an answer with these parts."""
    is_fine = all(state == OK for state in parts.values())
    body = {"status": "ok" if is_fine else "unavailable", **parts}
    return 200 if is_fine else 503, json.dumps(body).encode()


async def _answer(send: Send, parts: Mapping[str, str]) -> None:
    status, body = answer_of(parts)
    headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store"), *security()]
    encoded = [(name.encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
