"""The address of MCP when its server does not start."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

import pytest

from accounts.models import User
from exchange.mcp.serving import door as doors


class Sessions:
    """Fails to start so many times, then answers."""

    failures = 0

    @asynccontextmanager
    async def run(self) -> Any:
        if Sessions.failures:
            Sessions.failures -= 1
            raise RuntimeError("no port")
        yield

    async def handle_request(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})


def test_a_server_that_does_not_start_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def admitted(method: str, headers: dict[str, str]) -> User:
        return User()

    monkeypatch.setattr(doors, "admitted", admitted)
    monkeypatch.setattr(doors, "import_module", lambda name: type("Server", (), {"sessions": Sessions}))
    monkeypatch.setattr(Sessions, "failures", 2)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def knock() -> None:
        door = doors.Door()
        scope = {"method": "POST", "headers": []}
        for _ in range(2):
            with pytest.raises(RuntimeError, match="no port"):
                await asyncio.wait_for(door(dict(scope), None, send), 5)
        await asyncio.wait_for(door(dict(scope), None, send), 5)
        await door.close()

    asyncio.run(knock())
    assert [message["status"] for message in sent] == [200]
