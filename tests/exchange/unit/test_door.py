"""The address of MCP when its server does not start, or the database is away."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, ReadResourceRequestParams

from accounts.api_tokens import ENDED
from accounts.models import User
from chat.api.waiting import TokenEnded
from exchange.mcp.serving import door as doors
from exchange.mcp.serving import server
from exchange.mcp.tools.registry import TOOLS


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
        await send({"type": "http.response.body", "body": b""})


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
    assert [message["status"] for message in sent if "status" in message] == [200]


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_a_database_that_is_away_is_told_with_when_to_try_again(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def away(secret: str) -> None:
        raise error("the connection is closed")

    monkeypatch.setattr(doors, "token_of", away)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"authorization", b"Bearer svq_x")]
    asyncio.run(doors.Door()({"method": "POST", "headers": headers}, None, send))
    assert sent[0]["status"] == 503
    assert dict(sent[0]["headers"])[b"retry-after"] == b"5"
    assert json.loads(sent[1]["body"])["code"] == "unavailable"


def test_a_tool_and_a_resource_tell_that_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("the connection is closed")

    async def fails(*_: Any) -> Any:
        away()

    monkeypatch.setitem(server.TOOLS, "retrieve", replace(server.TOOLS["retrieve"], run=fails))
    monkeypatch.setattr(server.resources, "read", away)
    monkeypatch.setattr(server.resources, "listed", away)
    context = SimpleNamespace(
        request=SimpleNamespace(scope={"person": User()}), session=SimpleNamespace(report_progress=None)
    )
    called = CallToolRequestParams(name="retrieve", arguments={"query": "x"})
    answer = asyncio.run(server.call_tool(context, called))
    assert answer.is_error
    assert "cannot do this just now" in str(answer.content)
    with pytest.raises(MCPError, match="cannot do this just now"):
        asyncio.run(server.read_resource(context, ReadResourceRequestParams(uri="svq://documents/1")))
    with pytest.raises(MCPError, match="cannot do this just now"):
        asyncio.run(server.list_resources(context, None))


def test_a_program_that_hangs_up_is_no_error_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    headers = [(b"content-type", b"application/json"), (b"accept", b"application/json, text/event-stream")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "query_string": b"",
        "headers": headers,
        "person": User(),
    }

    async def gone() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    async def ask() -> None:
        sessions = server.sessions()
        async with sessions.run():
            await sessions.handle_request(scope, gone, send)

    asyncio.run(ask())
    assert not caplog.records


def test_a_call_whose_token_has_ended_is_told_so_and_nothing_of_datasources(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run(*given: Any) -> Any:
        raise TokenEnded

    ask = TOOLS["ask"]
    monkeypatch.setitem(server.TOOLS, "ask", replace(ask, run=run))
    over = asyncio.Event()
    request = SimpleNamespace(scope={"person": User(), "over": over})
    session = SimpleNamespace(report_progress=None)
    params = CallToolRequestParams(name="ask", arguments={"question": "How long?"})
    told: Any = asyncio.run(server.call_tool(SimpleNamespace(request=request, session=session), params))
    assert told.is_error
    assert told.content[0].text == "The token was taken back or has expired. Sign in again."
    assert over.is_set()


@pytest.mark.parametrize("has_begun", [True, False])
def test_a_token_that_has_ended_is_refused_for_as_long_as_nothing_was_sent(
    monkeypatch: pytest.MonkeyPatch, has_begun: bool
) -> None:
    monkeypatch.setattr(doors, "challenge", lambda headers, why: f"Bearer of=here {why}")
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def answer() -> None:
        over = asyncio.Event()
        held = doors._Held(send, over, {})
        await held({"type": "http.response.start", "status": 200, "headers": []})
        if has_begun:
            await held({"type": "http.response.body", "body": b"working", "more_body": True})
        over.set()
        await held({"type": "http.response.body", "body": b"the words of an error", "more_body": True})
        await held({"type": "http.response.body", "body": b""})

    asyncio.run(answer())
    head, *parts = sent
    if has_begun:
        assert head["status"] == 200
        assert [part["body"] for part in parts] == [b"working", b"the words of an error", b""]
    else:
        challenge = f"Bearer of=here {ENDED}".encode()
        assert (head["status"], dict(head["headers"])[b"www-authenticate"]) == (401, challenge)
        (part,) = parts
        assert json.loads(part["body"])["hint"] == "Sign in again."
