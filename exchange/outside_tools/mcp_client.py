"""Speaks to MCP servers over streamable HTTP. Programs are not started on this machine: there is no stdio.

Each exchange is a connection of its own, with a time limit in all, and nothing is kept of it. No connection
to the database, of which there are few, is held meanwhile: a stranger takes his time. The server can ask for
nothing: SVQ offers it no model, no files and no questions to people.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2
import mcp.types as protocol
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from exchange.outside_tools.failures import NO_CONNECTION, NO_MCP, TOO_SLOW, OutsideFailure
from exchange.outside_tools.guarded_transport import LARGEST, GuardedTransport
from exchange.outside_tools.offers import Offer, offer_of
from localization.stored import said
from sql.let_go import let_go

# Of what can't be read it would write the whole into the log, and that is a stranger's, or from documents.
logging.getLogger("mcp.client").setLevel(logging.CRITICAL)

SECONDS = 20  # of an exchange in all
MOST_TOOLS, MOST_PAGES = 100, 5

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Where a server is, and how it is reached."""

    address: str
    token: str = ""
    is_private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What a call gave; `offers` are the server's tools at that moment. `result` None: the tool is not what
    it was, and was not called.
    """

    offers: Sequence[Offer]
    result: protocol.CallToolResult | None = None


def list_tools(line: Line, seconds: float = SECONDS) -> Sequence[Offer]:
    """What the server offers now. Raises OutsideFailure."""
    return _exchange(line, _offers, seconds)


def call_tool(
    line: Line, name: str, fingerprint: str, arguments: Mapping[str, Any], seconds: float = SECONDS
) -> Called:
    """Call it, if it is still what the fingerprint is of. Raises OutsideFailure."""

    async def called(client: Client) -> Called:
        offers = await _offers(client)
        if not any(each.name == name and each.fingerprint == fingerprint for each in offers):
            return Called(offers=offers)
        # Not Client.call_tool, which holds the result against a schema of the server's making: a pattern in
        # it could keep this process busy for as long as it likes.
        request = protocol.CallToolRequest(
            params=protocol.CallToolRequestParams(name=name, arguments=dict(arguments))
        )
        result = await client.session.send_request(request, protocol.CallToolResult)
        return Called(offers=offers, result=result)

    return _exchange(line, called, seconds)


async def _offers(client: Client) -> Sequence[Offer]:
    offers: list[Offer] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await client.session.list_tools(params=protocol.PaginatedRequestParams(cursor=cursor))
        offers += [offer_of(tool.name, tool.description or "", tool.input_schema) for tool in page.tools]
        cursor = page.next_cursor
        if not cursor or len(offers) >= MOST_TOOLS:
            break
    return list({offer.name: offer for offer in reversed(offers[:MOST_TOOLS])}.values())[::-1]


def _exchange(line: Line, act: Callable[[Client], Awaitable[Given]], seconds: float) -> Given:
    """Raises OutsideFailure, whatever the server does."""
    transport = GuardedTransport(public_only=not line.is_private)
    let_go()

    async def connected() -> Given:
        headers = {"Authorization": f"Bearer {line.token}"} if line.token else {}
        # One limit, below: the SDK would call a limit of the connection's own, met first, a lost connection.
        web = httpx2.AsyncClient(headers=headers, timeout=None, transport=transport, trust_env=False)
        async with asyncio.timeout(seconds), web:
            stream = streamable_http_client(line.address, http_client=web, max_sse_event_size=LARGEST)
            async with Client(stream, cache=None, client_info=_WHO) as client:
                return await act(client)

    try:
        return asyncio.run(connected())
    except Exception as error:  # of the SDK, made by what a stranger sent: it need not end a turn
        if transport.failure:
            raise transport.failure from None
        raise _failure(error, seconds) from error


_WHO = protocol.Implementation(name="svq", version="1")


def _failure(error: BaseException, seconds: float) -> OutsideFailure:
    if isinstance(error, BaseExceptionGroup):
        return _failure(error.exceptions[0], seconds)
    if isinstance(error, TimeoutError):
        return OutsideFailure(said(TOO_SLOW, seconds=round(seconds)))
    if isinstance(error, MCPError) and error.error.code == protocol.CONNECTION_CLOSED:
        return OutsideFailure(NO_CONNECTION)
    if isinstance(error, MCPError) and error.error.code != protocol.PARSE_ERROR:
        return OutsideFailure(
            said("The server refused it (error {code} of MCP).", code=str(error.error.code))
        )
    return OutsideFailure(NO_MCP)
