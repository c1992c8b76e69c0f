"""OAuth as other people's agents do it: the SDK's own client, a real web server, a browser that says yes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import httpx2
import pytest
from django.db import connection
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from accounts.models import ApiToken, AuditEntry, User
from accounts.programs.models import Grant
from datasources.models import Datasource, Document
from tests.browser import Live, wait_until
from tests.exchange.oauth_program import link_of
from tests.factories import add_passages

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db(transaction=True)
CALLBACK = "http://127.0.0.1:43117/callback"
ALL = {"grant": "yes", "scopes": ["read", "ask"], "reach": "all"}


class Memory:
    """Where the client keeps what it got: a TokenStorage."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.known: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.known

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.known = client_info


class Answers:
    """A person's browser: opens what the client shows, and sends the form. `asked`: how often."""

    def __init__(self, live: Live, person: User, **form: Any) -> None:
        cookie = live.session_of(person)
        self.form = form or ALL
        self.browser = httpx.Client(base_url=live.base_url, cookies={cookie["name"]: cookie["value"]})
        self.asked = 0
        self.led_to = ""
        self.auth: OAuthClientProvider | None = None

    async def open(self, address: str) -> None:
        self.asked += 1
        page = await asyncio.to_thread(self.browser.get, address)
        assert page.status_code == 200, page.text
        csrf = page.text.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
        form = {**self.form, "csrfmiddlewaretoken": csrf}
        answer = await asyncio.to_thread(self.browser.post, address, data=form)
        self.led_to = link_of(answer)

    async def returned(self) -> AuthorizationCodeResult:
        given = httpx.QueryParams(urlsplit(self.led_to).query)
        return AuthorizationCodeResult(code=given["code"], state=given["state"], iss=given["iss"])


def use(live: Live, memory: Memory, answers: Answers, act: Callable[[Client], Awaitable[Any]]) -> Any:
    """What `act` gives, as a program that comes with nothing but the address of MCP."""

    async def connected() -> Any:
        auth = OAuthClientProvider(
            server_url=f"{live.base_url}/mcp",
            client_metadata=OAuthClientMetadata(client_name="Notebook", redirect_uris=[AnyUrl(CALLBACK)]),
            storage=memory,
            redirect_handler=answers.open,
            callback_handler=answers.returned,
        )
        answers.auth = auth
        http = httpx2.AsyncClient(auth=auth, timeout=60)
        async with http, Client(streamable_http_client(f"{live.base_url}/mcp", http_client=http)) as client:
            return await act(client)

    with answers.browser:
        return asyncio.run(connected())


def expire() -> None:
    """All tokens, on a thread of its own."""
    ApiToken.objects.update(expires="2020-01-01T00:00:00Z")
    connection.close()


async def names(client: Client) -> list[str]:
    return sorted(tool.name for tool in (await client.list_tools()).tools)


def test_a_program_with_nothing_but_the_address_is_let_in(
    live: Live, contracts: Datasource, alice: User
) -> None:
    add_passages(
        contracts, alice, [{"title": "Keeper", "text": "Orrin Vale kept the lighthouse of Saltmere."}]
    )
    wait_until(lambda: Document.objects.ready().count() == 1, "the reading")
    memory, answers = Memory(), Answers(live, alice)

    async def search(client: Client) -> Any:
        return await names(client), await client.call_tool("retrieve", {"query": "Who kept the lighthouse?"})

    tools, found = use(live, memory, answers, search)
    assert tools == ["ask", "list_datasources", "query_graph", "read_page", "retrieve"]
    assert "Orrin Vale" in found.structured_content["passages"][0]["text"]
    assert answers.asked == 1
    grant = Grant.objects.with_names().get()
    assert (grant.program.name, grant.token.user) == ("Notebook", alice)
    assert grant.token.last_used is not None
    noted = AuditEntry.objects.filter(address="MCP retrieve").get()
    assert (noted.person, noted.token) == (alice, grant.token.beginning)


def test_the_client_renews_its_token_without_the_person(
    live: Live, contracts: Datasource, alice: User
) -> None:
    """Less was given than was asked: the tool for that is not offered, before and after."""
    memory, answers = Memory(), Answers(live, alice, grant="yes", scopes=["read"], reach="all")

    async def later(client: Client) -> Any:
        offered = await names(client)
        assert answers.auth
        answers.auth.context.token_expiry_time = 1.0
        await asyncio.to_thread(expire)
        return offered, memory.tokens, await names(client)

    before, first, after = use(live, memory, answers, later)
    assert before == after
    assert "ask" not in before
    assert memory.tokens is not None
    assert memory.tokens.access_token != first.access_token
    assert answers.asked == 1


def test_a_program_that_was_ended_asks_again(live: Live, contracts: Datasource, alice: User) -> None:
    memory = Memory()
    use(live, memory, Answers(live, alice), names)
    ApiToken.objects.all().delete()
    answers = Answers(live, alice)
    assert "ask" in use(live, memory, answers, names)
    assert answers.asked == 1
    assert Grant.objects.count() == 1


def test_a_stranger_is_refused_with_the_way_to_ask(live: Live) -> None:
    answer = httpx.post(f"{live.base_url}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert answer.status_code == 401
    where = f'resource_metadata="{live.base_url}/.well-known/oauth-protected-resource/mcp"'
    assert where in answer.headers["WWW-Authenticate"]
    read = httpx.get(f"{live.base_url}/.well-known/oauth-protected-resource/mcp").json()
    assert read["resource"] == f"{live.base_url}/mcp"
