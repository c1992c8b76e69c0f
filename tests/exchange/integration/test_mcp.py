"""MCP as other people's agents use it: the SDK's own client against a real web server and worker."""

import asyncio
import re
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from django.db import connection
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from accounts.api_tokens import make_token
from accounts.models import AuditEntry, TokenScope, User
from chat.models import Turn, TurnStatus
from datasources.models import Datasource, Document, DocumentStatus, Membership
from datasources.services import create_datasource
from graph.models import Entity
from ingestion.adding.upload import accept_upload
from tests.browser import Live, wait_until
from tests.factories import SAMPLE, add_passages, make_document

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db(transaction=True)

READ, ASK, WRITE = TokenScope.READ, TokenScope.ASK, TokenScope.WRITE
EVERY = [READ, ASK, WRITE]
PASSAGES = [
    {"title": "Keeper", "text": "Orrin Vale kept the lighthouse of Saltmere for forty years."},
    {"title": "Town", "text": "Saltmere is a harbour town. Its mayor is Petra Lindqvist."},
]
OTHERS = [{"title": "Soup", "text": "Quetzalcoatl soup is boiled with tarragon for an hour."}]
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture
def town(live: Live, contracts: Datasource, alice: User, charlie: User) -> Datasource:
    """Alice's passages, read by the worker; charlie has others."""
    add_passages(contracts, alice, PASSAGES)
    add_passages(create_datasource(charlie, "Recipes"), charlie, OTHERS)
    wait_until(lambda: Document.objects.ready().count() == 3, "the reading")
    return contracts


@pytest.fixture
def town_hall(town: Datasource, alice: User) -> Datasource:
    """The same with a PDF of two pages."""
    with SAMPLE.open("rb") as file:
        accept_upload(town, alice, SAMPLE.name, file)
    wait_until(lambda: Document.objects.ready().count() == 4, "the reading of the PDF")
    return town


def secret(person: User, scopes: list[TokenScope] = EVERY, only: list[int] | None = None) -> str:
    name = f"Agent {person.api_tokens.count()}"
    return make_token(person, name=name, scopes=scopes, datasource_ids=only, days=1)[1]


async def _unnoted(response: httpx2.Response) -> None:
    pass


def use(
    live: Live,
    token: str,
    act: Callable[[Client], Awaitable[Any]],
    mode: str = "auto",
    note: Callable[[httpx2.Response], Awaitable[None]] = _unnoted,
) -> Any:
    """What `act` gives, as a client that carries the token. note: sees each response."""

    async def connected() -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        hooks = {"response": [note]}
        async with httpx2.AsyncClient(headers=headers, timeout=60, event_hooks=hooks) as http:
            transport = streamable_http_client(f"{live.base_url}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                return await act(client)

    return asyncio.run(connected())


def call(live: Live, token: str, tool: str, **arguments: Any) -> Any:
    return use(live, token, lambda client: client.call_tool(tool, arguments))


def read(live: Live, token: str, uri: str) -> str:
    """Raises MCPError, which the client's groups of tasks would wrap."""

    async def act(client: Client) -> Any:
        try:
            return (await client.read_resource(uri)).contents[0]
        except MCPError as error:
            return error

    found = use(live, token, act)
    if isinstance(found, MCPError):
        raise found
    return str(found.text)


def closing(read: Callable[..., Any], *given: Any) -> Any:
    """On a thread of its own."""
    try:
        return read(*given)
    finally:
        connection.close()


def words(answer: Any) -> str:
    return "\n".join(part.text for part in answer.content if part.type == "text")


# --- tools -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_clients_of_both_ages_of_the_protocol_are_served(
    live: Live, town: Datasource, alice: User, mode: str
) -> None:
    async def act(client: Client) -> Any:
        tools = await client.list_tools()
        return tools, await client.call_tool("retrieve", {"query": "Who kept the lighthouse?"})

    tools, answer = use(live, secret(alice), act, mode)
    assert {tool.name for tool in tools.tools} == {
        "list_datasources",
        "retrieve",
        "ask",
        "read_page",
        "query_graph",
    }
    assert all(tool.description and tool.input_schema["type"] == "object" for tool in tools.tools)
    assert "Orrin Vale" in words(answer)


def test_results_are_described_and_are_as_described(live: Live, town: Datasource, alice: User) -> None:
    """The SDK's client checks each result against the schema."""

    async def act(client: Client) -> Any:
        described = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        document = Document.objects.filter(title="Keeper").values_list("pk", flat=True)
        number = (await asyncio.to_thread(closing, list, document))[0]
        return described, [
            await client.call_tool("list_datasources", {"datasource": town.pk}),
            await client.call_tool("retrieve", {"query": "lighthouse"}),
            await client.call_tool("read_page", {"document": number}),
            await client.call_tool("query_graph", {"query": "Saltmere"}),
            await client.call_tool("ask", {"question": "Who kept the lighthouse of Saltmere?"}),
        ]

    described, results = use(live, secret(alice), act)
    assert all(schema and schema["properties"] for schema in described.values())
    assert not [result for result in results if result.is_error]


def test_prompts_are_offered_and_filled(live: Live, alice: User) -> None:
    async def act(client: Client) -> Any:
        offered = await client.list_prompts()
        filled = await client.get_prompt("answer_with_proof", {"question": "How long {document}?"})
        refused = []
        for name, arguments in (
            ("answer_with_proof", {}),
            ("answer_with_proof", {"question": "x" * 5000}),
            ("nothing", {}),
        ):
            try:
                await client.get_prompt(name, arguments)
            except MCPError as error:
                refused.append(error.message)
        return offered.prompts, filled.messages[0].content, refused

    prompts, text, refused = use(live, secret(alice), act)
    assert [prompt.name for prompt in prompts] == [
        "answer_with_proof",
        "summarise_document",
        "where_documents_differ",
    ]
    assert all(prompt.description and prompt.arguments for prompt in prompts)
    assert "from my documents in SVQ: How long {document}?" in text.text
    assert len(refused) == 3


def test_passages_come_with_what_it_takes_to_cite_them(live: Live, town: Datasource, alice: User) -> None:
    answer = call(live, secret(alice), "retrieve", query="Who kept the lighthouse of Saltmere?", limit=3)
    best = answer.structured_content["passages"][0]
    keeper = Document.objects.get(title="Keeper")
    assert (best["n"], best["document"], best["title"], best["pages"]) == (1, keeper.pk, "Keeper", [1])
    assert "forty years" in best["text"]
    assert f"/d/{town.pk}/documents/{keeper.pk}/?page=1&chunk={best['chunk']}" in best["link"]
    assert best["link"].startswith("http")
    assert "[1] Keeper, page 1" in words(answer)
    assert best["link"] in words(answer)
    assert best["resource"] in [part.uri for part in answer.content if part.type == "resource_link"]


def test_an_answer_comes_with_checked_quotes_and_links(live: Live, town: Datasource, alice: User) -> None:
    token = secret(alice)
    answer = call(live, token, "ask", question="Who kept the lighthouse of Saltmere?")
    assert not answer.is_error
    told = answer.structured_content
    turn = Turn.objects.get(pk=told["turn"])
    assert turn.conversation.user == alice
    assert told["status"] == "quotes"
    cited = told["citations"][0]
    assert "forty years" in cited["quote"]
    assert cited["on_page"] == "exact"
    assert f"/turn/{turn.pk}/source/1/" in cited["link"]
    assert cited["link"] in words(answer)
    again = call(live, token, "ask", question="And its mayor?", conversation=told["conversation"])
    assert again.structured_content["conversation"] == told["conversation"]
    assert turn.conversation.turns.count() == 2


def test_all_documents_with_the_words_are_named_and_linked(live: Live, town: Datasource, alice: User) -> None:
    answer = call(live, secret(alice), "ask", question="Which documents mention Saltmere?")
    holding = town.documents.current().filter(chunks__text__icontains="Saltmere").distinct()
    assert holding.count() > 1
    for document in holding:
        assert f"{document.title} (" in words(answer)
        assert f"svq://documents/{document.pk}/pages/1" in str(answer.content)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_question_whose_program_gives_up_is_stopped(
    live: Live, contracts: Datasource, alice: User, mode: str
) -> None:
    make_document(contracts)
    live.stop_worker()  # so that nobody answers

    async def act(client: Client) -> None:
        asking = asyncio.create_task(client.call_tool("ask", {"question": "How long are backups kept?"}))
        while not asking.done() and not await asyncio.to_thread(closing, Turn.objects.exists):
            await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    use(live, secret(alice), act, mode)
    wait_until(lambda: Turn.objects.get().status == TurnStatus.STOPPED, "the stop")
    assert "Traceback" not in live.log("web")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_program_whose_permission_ends_while_it_asks_is_told_to_sign_in_again(
    live: Live, contracts: Datasource, alice: User, mode: str
) -> None:
    make_document(contracts)
    live.stop_worker()  # so that nobody answers
    seen: list[httpx2.Response] = []

    async def note(response: httpx2.Response) -> None:
        seen.append(response)
        if response.is_error:
            await response.aread()

    async def act(client: Client) -> Any:
        asking = asyncio.create_task(client.call_tool("ask", {"question": "How long are backups kept?"}))
        while not asking.done() and not await asyncio.to_thread(closing, Turn.objects.exists):
            await asyncio.sleep(0.05)
        await asyncio.to_thread(closing, alice.api_tokens.all().delete)
        with pytest.raises(Exception):  # noqa: B017, PT011 - as the SDK says it
            await asking

    use(live, secret(alice), act, mode, note)
    refused = next(response for response in seen if response.status_code == 401)
    assert refused.headers["www-authenticate"].startswith("Bearer")
    told = refused.json()
    assert told["code"] == "not_signed_in"
    assert "was taken back or has expired" in told["message"]
    assert "datasource" not in refused.text
    assert "Traceback" not in live.log("web")


def test_nothing_found_is_said_and_is_no_error(live: Live, town: Datasource, alice: User) -> None:
    answer = call(live, secret(alice), "ask", question="Which giraffe won the 1923 Zanzibar marathon?")
    assert not answer.is_error
    assert answer.structured_content["status"] == "not_found"
    assert "general knowledge" in words(answer)


def test_a_page_is_read_and_linked(live: Live, town_hall: Datasource, alice: User) -> None:
    document = Document.objects.get(filename=SAMPLE.name)
    answer = call(live, secret(alice), "read_page", document=document.pk, page=2)
    page = document.pages.get(number=2)
    assert answer.structured_content["text"] == page.text
    assert answer.structured_content["pages"] == 2
    noted = AuditEntry.objects.get(act="saw")
    assert (noted.person, noted.number, noted.address) == (alice, str(document.pk), "MCP read_page, page 2")
    assert f"/documents/{document.pk}/?page=2" in words(answer)
    missing = call(live, secret(alice), "read_page", document=document.pk, page=3)
    assert missing.is_error
    assert "2 pages" in words(missing)


def test_datasources_and_their_documents_are_listed(live: Live, town_hall: Datasource, alice: User) -> None:
    token = secret(alice)
    (row,) = call(live, token, "list_datasources").structured_content["datasources"]
    assert (row["id"], row["name"], row["documents"]) == (town_hall.pk, "Contracts", 3)
    (full,) = call(live, token, "list_datasources", datasource=town_hall.pk).structured_content["datasources"]
    assert {each["title"] for each in full["document_list"]} >= {"Keeper", "Town"}
    (some,) = call(live, token, "list_datasources", datasource=town_hall.pk, title="keep").structured_content[
        "datasources"
    ]
    assert [each["title"] for each in some["document_list"]] == ["Keeper"]


def test_the_graph_tells_what_is_connected_and_where_it_says_so(
    live: Live,
    town: Datasource,
    alice: User,
) -> None:
    named = Entity.objects.filter(datasource=town)
    wait_until(lambda: named.exists() and not named.filter(vector_due=True).exists(), "the vectors of names")
    answer = call(live, secret(alice), "query_graph", query="Orrin Vale")
    told = answer.structured_content
    vale = next(each for each in told["entities"] if "Orrin Vale" in each["name"])
    proof = next(each for each in told["passages"] if each["n"] == vale["passages"][0])
    assert "Orrin Vale" in proof["text"]
    assert proof["link"] in words(answer)


# --- resources -------------------------------------------------------------------------------------------
def test_documents_and_pages_are_resources(live: Live, town_hall: Datasource, alice: User) -> None:
    document = Document.objects.get(filename=SAMPLE.name)

    async def act(client: Client) -> Any:
        listed = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        uri = next(each.uri for each in listed if each.uri.endswith(f"/{document.pk}"))
        whole = await client.read_resource(uri)
        return listed, templates, whole, await client.read_resource(f"{uri}/pages/2")

    listed, templates, whole, page = use(live, secret(alice), act)
    assert {each.title for each in listed} == {"Keeper", "Town", document.title}
    assert {each.uri_template for each in templates} == {
        "svq://documents/{document}",
        "svq://documents/{document}/pages/{page}",
    }
    texts = list(document.pages.order_by("number").values_list("text", flat=True))
    assert whole.contents[0].text == "\n\n".join(texts)
    assert page.contents[0].text == texts[1]


def test_long_lists_of_resources_come_in_parts(live: Live, contracts: Datasource, alice: User) -> None:
    for number in range(103):
        make_document(contracts, f"Letter {number}", f"Letter {number}.")

    async def act(client: Client) -> list[str]:
        first = await client.list_resources()
        rest = await client.list_resources(cursor=first.next_cursor)
        assert rest.next_cursor is None
        return [each.uri for each in (*first.resources, *rest.resources)]

    uris = use(live, secret(alice), act)
    assert len(uris) == len(set(uris)) == 103


def test_a_long_document_says_where_it_goes_on(live: Live, contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "Long", "a" * 90_000, page_count=3)
    for number in (2, 3):
        document.pages.create(number=number, text="b" * 90_000)
    uri = f"svq://documents/{document.pk}"
    text = read(live, secret(alice), uri)
    assert len(text) < 200_000
    assert f"{uri}/pages/3" in text


# --- who may what ----------------------------------------------------------------------------------------
def calls_for(soup: Document) -> dict[str, dict[str, Any]]:
    return {
        "retrieve": {"query": "Quetzalcoatl soup", "documents": [soup.pk]},
        "ask": {"question": "How long is the soup boiled?", "documents": [soup.pk]},
        "read_page": {"document": soup.pk, "page": 1},
        "query_graph": {"query": "Quetzalcoatl", "datasource": soup.datasource_id},
        "list_datasources": {"datasource": soup.datasource_id},
    }


def test_nobody_reaches_documents_of_another(live: Live, town: Datasource, alice: User) -> None:
    """Nor a token those of its person that it was not made for."""
    soup = Document.objects.get(title="Soup")
    other = create_datasource(alice, "Diary")
    for token in (secret(alice), secret(alice, only=[other.pk])):
        for tool, arguments in calls_for(soup).items():
            answer = call(live, token, tool, **arguments)
            assert answer.is_error, tool
            assert "Quetzalcoatl" not in words(answer), tool
            assert "Recipes" not in words(answer), tool
        with pytest.raises(MCPError):
            read(live, token, f"svq://documents/{soup.pk}")
    limited = secret(alice, only=[other.pk])
    assert not use(live, limited, lambda client: client.list_resources()).resources
    assert "Keeper" not in words(call(live, limited, "list_datasources"))


def test_what_the_person_loses_the_token_loses(live: Live, town: Datasource, bob: User) -> None:
    token = secret(bob)
    assert "forty years" in words(call(live, token, "retrieve", query="Who kept the lighthouse?"))
    Membership.objects.filter(user=bob).delete()
    assert call(live, token, "retrieve", query="Who kept the lighthouse?").is_error


@pytest.mark.parametrize(
    ("scopes", "tools"),
    [
        ([READ], {"list_datasources", "retrieve", "read_page", "query_graph"}),
        ([ASK], {"ask"}),
        ([WRITE], set[str]()),
    ],
)
def test_a_token_has_only_the_tools_that_were_ticked(
    live: Live,
    town: Datasource,
    alice: User,
    scopes: list[TokenScope],
    tools: set[str],
) -> None:
    token = secret(alice, scopes)

    async def act(client: Client) -> Any:
        offered = {tool.name for tool in (await client.list_tools()).tools}
        refused = {
            name
            for name, arguments in calls_for(Document.objects.none().first() or Document(pk=999_999)).items()
            if "right" in words(await client.call_tool(name, {k: v for k, v in arguments.items() if v}))
        }
        return offered, refused

    offered, refused = use(live, token, act)
    assert offered == tools
    assert refused == {"list_datasources", "retrieve", "ask", "read_page", "query_graph"} - tools
    assert not Turn.objects.exists()


def post(live: Live, token: str | None, **more: str) -> httpx2.Response:
    headers = HEADERS | ({"Authorization": f"Bearer {token}"} if token else {}) | more
    return httpx2.post(f"{live.base_url}/mcp", json=PING, headers=headers)


def test_without_a_token_that_counts_there_is_nothing(live: Live, alice: User) -> None:
    good = secret(alice)
    assert post(live, good).status_code == 200
    alice.api_tokens.all().delete()
    for token in (None, good, "svq_" + "A" * 43, "nonsense"):
        answer = post(live, token)
        assert (answer.status_code, set(answer.json())) == (401, {"code", "message", "hint"})
        assert answer.headers["www-authenticate"].startswith("Bearer ")
    page = live.base_url + "/mcp"
    assert httpx2.get(page).status_code == 401, "nor a session of a browser"


def test_pages_of_other_sites_and_other_methods_are_refused(live: Live, alice: User) -> None:
    token = secret(alice)
    assert post(live, token, Origin="https://evil.example").status_code == 403
    assert post(live, token, Origin=live.base_url).status_code == 200
    assert post(live, token, Host="evil.example").status_code == 400
    headers = HEADERS | {"Authorization": f"Bearer {token}"}
    for method in ("GET", "DELETE", "PUT"):
        answer = httpx2.request(method, f"{live.base_url}/mcp", headers=headers)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("retrieve", {}, "query"),
        ("retrieve", {"query": ""}, "query"),
        ("retrieve", {"query": "x", "limit": 0}, "limit"),
        ("retrieve", {"query": "x", "kind": "x"}, "kind"),
        ("retrieve", {"query": "x", "documents": ["a"]}, "documents"),
        ("retrieve", {"query": "x", "documents": [*range(1, 10_002)]}, "at most 10000"),
        ("query_graph", {"query": "x", "documents": [*range(1, 10_002)]}, "at most 10000"),
        ("ask", {"question": "x", "documents": [*range(1, 10_002)]}, "at most 10000"),
        ("read_page", {"document": -1}, "document"),
        ("ask", {"question": "x" * 5000}, "question"),
        ("ask", {"question": "x", "conversation": "1"}, "conversation"),
        ("ask", {"question": " "}, "question"),
        ("ask", {"question": "x", "conversation": "00000000-0000-4000-8000-000000000000"}, "conversation"),
    ],
)
def test_a_wrong_call_is_told_what_is_wrong(
    live: Live,
    town: Datasource,
    alice: User,
    tool: str,
    arguments: dict[str, Any],
    named: str,
) -> None:
    answer = call(live, secret(alice), tool, **arguments)
    assert answer.is_error
    assert named in words(answer)


def test_refusals_speak_of_tools_and_not_of_addresses(live: Live, town: Datasource, alice: User) -> None:
    late = make_document(town, "Late", status=DocumentStatus.EXTRACTING)
    failed = make_document(town, "Broken", status=DocumentStatus.FAILED)
    for tool, words_of_it in (("retrieve", "query"), ("ask", "question"), ("query_graph", "query")):
        for wrong in (
            {"datasource": 987_654},
            {"documents": [987_654]},
            {"documents": [late.pk]},
            {"documents": [failed.pk]},
        ):
            answer = call(live, secret(alice), tool, **{words_of_it: "Who kept the lighthouse?"}, **wrong)
            assert answer.is_error
            assert "list_datasources" in words(answer)
            assert not re.search(r"GET|POST|data-sources", words(answer))


def test_what_makes_no_sense_breaks_nothing(live: Live, alice: User) -> None:
    token = secret(alice)
    headers = HEADERS | {"Authorization": f"Bearer {token}"}
    for body in (b"", b"{", b"[]", b"null", b'{"jsonrpc": "2.0"}', b"[" * 50_000, b'{"a": "\\u0000"}'):
        answer = httpx2.post(f"{live.base_url}/mcp", content=body, headers=headers)
        assert 400 <= answer.status_code < 500, body[:20]
    too_long = httpx2.post(f"{live.base_url}/mcp", content=b" " * 1_100_000, headers=headers)
    assert too_long.status_code == 413
    assert too_long.json()["code"] == "too_large"
    for uri in ("svq://documents/0", "svq://documents/1/pages/99999999999", "file:///etc/passwd", "svq://x"):
        with pytest.raises(MCPError):
            read(live, token, uri)
    assert call(live, token, "retrieve", query="a\0b").is_error, "she has no documents; the server goes on"
    assert "Traceback" not in live.log("web")


def test_the_server_stops_at_once_while_a_client_is_connected(
    live: Live,
    town: Datasource,
    alice: User,
) -> None:
    call(live, secret(alice), "list_datasources")
    process = live.web
    live.stop_web()
    assert process
    assert process.returncode != -signal.SIGKILL, "it had to be killed"
    live.start_web()
    assert not call(live, secret(alice), "list_datasources").is_error
