"""Connecting a model server in the browser: who may, what is kept of the key, what a test tells."""

import asyncio
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection as database
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from graph.extraction.llm.budget import price
from providers import health, local_servers, trial
from providers.connections.catalogue import PROVIDERS
from providers.connections.dialects import dialect_of
from providers.connections.models import Connection
from providers.connections.services import Offer, connect
from providers.embedders import embedder
from providers.language_models import chat_model, structured_model
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.openai.models import Offered
from providers.openai.refusals import refusals
from providers.protocols import ChatModel, Reply, Usage
from providers.protocols.dialect import Rung
from providers.roles import ModelRole, endpoint
from providers.spending.models import Purpose, Spending
from providers.trial import SEARCH, SEARCH_TWICE
from providers.web import views
from tests.openai_server import (
    MODEL,
    ScriptedOpenAI,
    ScriptedReply,
    error_reply,
    text_reply,
    tools_reply,
)

KEY = "sk-very-secret-0123456789"
COUNTED = text_reply("one, two, three, four, five", when="Count from one", repeat=True)
CALLED = tools_reply(
    ("search", {"words": "rent"}), ("search", {"words": "notice"}), when="Search for", repeat=True
)
FORMATTED = text_reply('{"colour": "blue"}', when="colour", repeat=True)
READ = text_reply("yes", when="Answer with the word", repeat=True, usage=(320, 1))
ABLE = [COUNTED, CALLED, FORMATTED, READ]


@pytest.fixture
def administrator(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root@example.org", "a long and winding password"))
    return client


@pytest.fixture
def server() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(ABLE) as server:
        yield server


def submit(client: Client, server: ScriptedOpenAI, press: str = "use", **more: Any) -> Any:
    form = {"provider": "other", "role": "agent", "address": server.base_url, "key": KEY, "model": MODEL}
    return client.post(reverse("models"), form | {"timeout": "60", press: "1"} | more)


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_without_a_connection_only_embeddings_are_made_here(db: None) -> None:
    assert [endpoint(None, role) for role in ModelRole] == [None] * len(ModelRole)
    assert chat_model() is None
    assert structured_model(None, ModelRole.JUDGE) is None
    assert embedder().name == LOCAL_EMBEDDER


def test_a_tested_model_answers_from_then_on(administrator: Client, server: ScriptedOpenAI) -> None:
    assert endpoint(None, ModelRole.AGENT) is None
    tested = text_of(submit(administrator, server, "test"))
    assert "It answers." in tested
    for ability in (
        "Shows words as it writes",
        "Calls search tools",
        "several things at once",
        "given format",
        "does not say how much it reads at once",
    ):
        assert ability in tested
    assert not Connection.objects.exists()
    back = "/d/1/chat/"
    assert submit(administrator, server, next=back)["Location"] == back
    used = endpoint(None, ModelRole.AGENT)
    assert used
    assert (used.base_url, used.api_key, used.model, used.timeout) == (server.base_url, KEY, MODEL, 60)
    for role in (ModelRole.EXTRACTION, ModelRole.JUDGE):
        assert endpoint(None, role) == used


def test_what_a_test_has_cost_is_in_the_report(administrator: Client, server: ScriptedOpenAI) -> None:
    submit(administrator, server, "test", price_input="2", price_output="8")
    row = Spending.objects.get()
    assert (row.purpose, row.model, row.calls) == (Purpose.TESTS, MODEL, 4)
    assert row.prompt_tokens > 0 < row.completion_tokens
    assert row.money > 0
    assert "Tests of models" in text_of(administrator.get(reverse("usage")))


def test_pages_say_how_fast_a_model_is_what_it_costs_and_whether_it_answers(
    administrator: Client, server: ScriptedOpenAI, contracts: Datasource
) -> None:
    health.known.clear()
    Spending.objects.all().delete()
    submit(administrator, server, price_input="0.4", price_output="12")
    in_datasource = reverse("settings_section", args=[contracts.pk, "models"])
    administrator.force_login(contracts.owner)
    contracts_page = text_of(administrator.get(in_datasource))
    assert "tokens/s" in contracts_page  # from the test before it was used
    assert "0.4 / 12" in contracts_page
    assert "free" in contracts_page  # the vectors
    asked = reverse("datasource_model_health", args=[contracts.pk])
    assert "Answers, " in text_of(administrator.get(asked, {"role": "agent"}))
    assert "no server" in text_of(administrator.get(asked, {"role": "embeddings"}))
    contracts.embedding_model = "of a server that was disconnected"
    contracts.save()
    assert "No server" in text_of(administrator.get(in_datasource))


def test_the_bar_offers_it_to_administrators_alone(
    administrator: Client, alice: User, server: ScriptedOpenAI
) -> None:
    person = Client()
    person.force_login(alice)
    assert reverse("models") in text_of(administrator.get(reverse("home")))
    told = text_of(person.get(reverse("home")))
    assert "An administrator can connect a model." in told
    assert reverse("models") not in told
    for name in ("models", "models_found", "models_offered", "models_disconnect"):
        assert person.get(reverse(name)).status_code == 404
        assert submit(person, server).status_code == 404
    submit(administrator, server)
    assert "Quotes only." not in text_of(person.get(reverse("home")))


def test_the_key_is_stored_encrypted_and_never_shown(administrator: Client, server: ScriptedOpenAI) -> None:
    submit(administrator, server)
    with database.cursor() as cursor:
        cursor.execute("SELECT connections_connection::text FROM connections_connection")
        assert KEY not in str(cursor.fetchall())
    page = administrator.get(reverse("models"), {"role": "agent"})
    assert "A key is stored" in text_of(page)
    assert f'Use <span class="mo-used" id="used-model">{MODEL}</span> for answers' in text_of(page)
    refused = submit(administrator, server, model="")
    for answer in (page, refused, administrator.get("/admin/connections/connection/")):
        assert KEY not in answer.content.decode()


def test_an_empty_key_keeps_the_stored_one_at_the_same_address_only(
    administrator: Client, server: ScriptedOpenAI
) -> None:
    submit(administrator, server)
    submit(administrator, server, key="", timeout="90")
    used = endpoint(None, ModelRole.AGENT)
    assert used
    assert (used.api_key, used.timeout) == (KEY, 90)
    with ScriptedOpenAI(ABLE) as another:
        submit(administrator, another, key="")
        assert f"Bearer {KEY}" not in another.authorizations
    server.authorizations.clear()
    administrator.post(reverse("models_offered"), {"provider": "other", "address": server.base_url})
    assert f"Bearer {KEY}" not in server.authorizations  # it belonged to the connection that was replaced


def test_a_server_that_does_not_answer_is_used_only_when_that_is_wished(administrator: Client) -> None:
    with ScriptedOpenAI([error_reply(401, "No such key", repeat=True)]) as closed:
        refused = submit(administrator, closed)
        assert refused.status_code == 422
        assert "refuses the API key" in text_of(refused)
        assert not Connection.objects.exists()
        submit(administrator, closed, "anyway")
    assert Connection.objects.get().model == MODEL


def test_what_a_model_lacks_is_told_before_it_is_used(administrator: Client) -> None:
    talks = text_reply("I would rather talk.", repeat=True)
    with ScriptedOpenAI([COUNTED, talks]) as server:
        told = text_of(submit(administrator, server, "test"))
        assert "It cannot search: it calls no tools and keeps to no format." in told
        assert "Searches one thing at a time" not in told, "it searches nothing"
        assert "Does not keep to a format" in told
        assert "It cannot search" in text_of(submit(administrator, server))
        assert not Connection.objects.exists()
        submit(administrator, server, "anyway")
        assert Connection.objects.exists()
        assert dialect_of(server.base_url, MODEL).rung == Rung.PLAIN


def refuses(what: str) -> Callable[[dict[str, Any]], ScriptedReply]:
    """A server that answers each part of the test, but not where the request has this."""

    def answer(request: dict[str, Any]) -> ScriptedReply:
        if what in request and (what != "tool_choice" or request[what] == "required"):
            return error_reply(400, f"{what} is not supported by this model")
        told = json.dumps(request)
        if "Search for" in told:
            if "tools" in request:
                return tools_reply(("search", {"words": "rent"}))
            return text_reply('```json\n{"name": "search", "arguments": {"words": "rent"}}\n```')
        return next(reply for reply in ABLE if reply.when in told)

    return answer


@pytest.mark.parametrize(
    ("what", "rung"),
    [("nothing", Rung.FORCED), ("tool_choice", Rung.OFFERED), ("tools", Rung.SCHEMA)],
)
def test_the_test_finds_how_a_model_is_spoken_to_and_it_is_remembered(
    administrator: Client, what: str, rung: Rung
) -> None:
    with ScriptedOpenAI(refuses(what)) as server:
        told = text_of(submit(administrator, server, "test"))
        assert dialect_of(server.base_url, MODEL).rung == rung
        submit(administrator, server, "anyway")
        refusals.cache_clear()  # as in another process
        server.requests.clear()
        model = chat_model()
        assert model
        asyncio.run(_ask_for_a_search(model))
    assert rung.in_words in told
    assert len(server.requests) == 1  # nothing is found out again
    assert ("tools" in server.requests[0]) == rung.takes_tools
    assert server.requests[0]["max_tokens"] > 0


async def _ask_for_a_search(model: ChatModel) -> None:
    pieces = [piece async for piece in model.stream(SEARCH_TWICE, [SEARCH])]
    reply = pieces[-1]
    assert isinstance(reply, Reply)
    assert [call.name for call in reply.tool_calls] == ["search"]


def test_a_server_that_cannot_stream_is_asked_for_whole_replies(administrator: Client) -> None:
    with ScriptedOpenAI(refuses("stream")) as server:
        told = text_of(submit(administrator, server, "test"))
    assert "Shows the answer only when complete" in told
    assert Rung.FORCED.in_words in told


def test_speed_is_measured_remembered_and_told(administrator: Client) -> None:
    slow = replace(READ, delay=1.0, usage=(50, 1))
    with ScriptedOpenAI([COUNTED, CALLED, FORMATTED, slow]) as server:
        told = text_of(submit(administrator, server, "test"))
        dialect = dialect_of(server.base_url, MODEL)
    assert "It is slow: it reads" in told
    assert 0 < dialect.reads <= 50
    assert dialect.patience(2_000, 100)[0] > 80  # seconds for the first word


def test_a_model_too_slow_to_be_asked_for_a_search_is_not_said_to_be_unable(
    administrator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "READING", 0.2)
    with ScriptedOpenAI([COUNTED, CALLED, FORMATTED, replace(READ, delay=0.5)]) as server:
        monkeypatch.setattr(trial, "estimated_request", lambda _: 2)  # so that it reads 10 tokens a second
        told = text_of(submit(administrator, server, "test"))
        dialect = dialect_of(server.base_url, MODEL)
        assert "Search for" not in json.dumps(server.requests), "it would take minutes and change nothing"
        submit(administrator, server)
        assert not Connection.objects.exists(), "what it lacks is read first"
    assert "It is slow: it reads 10 tokens a second" in told
    assert "calls no tools" not in told
    assert "Does not keep to a format" not in told
    assert dialect.reads == 10
    assert not dialect.searches


@pytest.mark.parametrize(
    "address", ["", "ftp://example.org/v1", "http://", "http://u:p@x/v1", "http://x:99999/v1", "javascript:1"]
)
def test_addresses_that_are_none(administrator: Client, address: str) -> None:
    form = {"provider": "other", "role": "agent", "address": address, "model": "m", "timeout": "60"}
    refused = administrator.post(reverse("models"), form)
    assert refused.status_code == 422
    assert "Give an address such as" in text_of(refused)


def test_a_known_provider_s_address_cannot_be_replaced(
    administrator: Client, server: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forged form must not send OpenAI's key elsewhere."""
    asked: list[str] = []

    def recorded(address: str, key: str, timeout: float) -> list[Offered]:
        asked.append(address)
        return []

    monkeypatch.setattr(views, "offered", recorded)
    form = {"provider": "openai", "address": server.base_url, "key": KEY}
    administrator.post(reverse("models_offered"), form)
    assert asked == ["https://api.openai.com/v1"]


def test_a_test_leaves_what_was_typed_in_the_form(administrator: Client, server: ScriptedOpenAI) -> None:
    form = {"provider": "other", "role": "agent", "address": server.base_url, "key": KEY, "model": MODEL}
    typed = form | {"timeout": "60", "test": "1"}
    told = administrator.post(reverse("models"), typed, headers={"HX-Request": "true"}).content.decode()
    assert "It answers." in told
    assert "<form" not in told
    used = administrator.post(
        reverse("models"), typed | {"test": "", "use": "1"} | {"timeout": "2"}, headers={"HX-Request": "true"}
    )
    assert used.status_code == 422
    assert "timeout" in used.content.decode().lower()


def test_what_leaves_follows_the_address(administrator: Client) -> None:
    here = text_of(administrator.get(reverse("models_leaves"), {"address": "http://localhost:1234/v1"}))
    assert "Nothing leaves this computer." in here
    for address in ("https://models.example.org/v1", "http://[", "localhost"):
        there = text_of(administrator.get(reverse("models_leaves"), {"address": address}))
        assert "Nothing leaves this computer." not in there
        assert "it also gets a piece of each of a datasource's newest documents" in there


@pytest.mark.parametrize("form", [{}, {"provider": "none"}, {"provider": "none", "address": "http://x/v1"}])
def test_rubbish_is_refused_with_words(administrator: Client, form: dict[str, str]) -> None:
    assert administrator.post(reverse("models"), form).status_code == 422
    assert administrator.post(reverse("models_offered"), form).status_code == 200


def test_models_are_listed(administrator: Client, server: ScriptedOpenAI) -> None:
    form = {"provider": "other", "address": server.base_url, "key": KEY}
    listed = text_of(administrator.post(reverse("models_offered"), form))
    assert f'value="{MODEL}"' in listed
    assert f'value="{MODEL}" data-shown-in' in listed, "a server's only model is filled in"
    typed = text_of(administrator.post(reverse("models_offered"), form | {"model": "another"}))
    assert "data-shown-in" not in typed
    gone = text_of(administrator.post(reverse("models_offered"), form | {"address": "http://127.0.0.1:9/v1"}))
    assert "No server answers there" in gone


def test_a_server_on_this_machine_is_found(
    administrator: Client, server: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(server.base_url.split(":")[2].split("/")[0])
    here = {key: replace(one, port=port if key == "ollama" else 9) for key, one in PROVIDERS.items()}
    monkeypatch.setattr(local_servers, "PROVIDERS", here)
    found = text_of(administrator.get(reverse("models_found")))
    assert "Ollama" in found
    assert MODEL in found
    assert "LM Studio" not in found


def test_every_provider_can_be_chosen_wherever_its_server_runs(administrator: Client) -> None:
    page = administrator.get(reverse("models"), {"role": "agent"}).content.decode()
    for key, provider in PROVIDERS.items():
        assert (f"&place={key}&" in page) != provider.reads_scans
    form = administrator.get(reverse("models"), {"place": "ollama"}).content.decode()
    assert 'placeholder="http://localhost:11434/v1"' in form


def test_it_opens_over_the_page_and_is_one_of_its_own_without_scripts(administrator: Client) -> None:
    address, chosen = reverse("models"), {"role": "agent", "place": "ollama"}
    over = administrator.get(
        address, {"role": "agent"}, headers={"HX-Request": "true", "HX-Target": "dialog"}
    )
    assert over.content.decode().count("<dialog") == 1
    assert "<html" not in over.content.decode()
    inner = administrator.get(address, chosen, headers={"HX-Request": "true", "HX-Target": "connect"})
    assert "<dialog" not in inner.content.decode()
    assert 'id="connect"' in inner.content.decode()
    page = administrator.get(address, chosen).content.decode()
    assert "<h1>Connect a model</h1>" in page
    assert 'id="connect"' in page


def test_who_has_begun_a_conversation_on_the_page_comes_back_to_it(
    administrator: Client, server: ScriptedOpenAI
) -> None:
    """The link in the bar is from when the page was loaded."""
    now = {"HX-Request": "true", "HX-Current-URL": "http://testserver/d/1/chat/begun/#turn-1"}
    begun = administrator.get(reverse("models"), {"role": "agent", "next": "/d/1/chat/"}, headers=now)
    assert 'name="next"' not in begun.content.decode()  # no place is chosen yet
    assert "next=/d/1/chat/begun/" in begun.content.decode().replace("%2F", "/")
    form = {"provider": "other", "role": "agent", "address": server.base_url, "key": KEY, "model": MODEL}
    used = administrator.post(reverse("models"), form | {"next": "/d/1/chat/", "use": "1"}, headers=now)
    assert used["HX-Redirect"] == "/d/1/chat/begun/"
    elsewhere = now | {"HX-Current-URL": "http://testserver/models/?role=agent&next=/d/1/chat/"}
    used = administrator.post(reverse("models"), form | {"next": "/d/1/chat/", "use": "1"}, headers=elsewhere)
    assert used["HX-Redirect"] == "/d/1/chat/"


def test_a_role_of_its_own_and_back(administrator: Client, server: ScriptedOpenAI) -> None:
    submit(administrator, server)
    submit(administrator, server, role="judge", model="judge-model")
    judge, reader = endpoint(None, ModelRole.JUDGE), endpoint(None, ModelRole.EXTRACTION)
    assert judge
    assert reader
    assert (judge.model, reader.model) == ("judge-model", MODEL)
    asked = text_of(administrator.get(reverse("models_disconnect"), {"role": "judge"}))
    assert "Disconnect judge-model?" in asked
    assert "Another job has a key for the same server" in asked
    administrator.post(reverse("models_disconnect"), {"role": "judge"})
    assert endpoint(None, ModelRole.JUDGE) == reader
    asked = text_of(administrator.get(reverse("models_disconnect"), {"role": "agent"}))
    assert "Without it, SVQ shows passages and writes nothing." in asked
    administrator.post(reverse("models_disconnect"), {"role": "agent"})
    assert endpoint(None, ModelRole.AGENT) is None


def test_the_environment_wins(administrator: Client, server: ScriptedOpenAI, settings: Any) -> None:
    submit(administrator, server)
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://elsewhere/v1", "theirs"
    used = endpoint(None, ModelRole.AGENT)
    assert used
    assert used.model == "theirs"
    assert "The environment names the model." in text_of(administrator.get(reverse("models")))


def test_keys_survive_a_change_of_the_secret(db: None, settings: Any) -> None:
    connect("agent", Offer(provider="openai", address="https://api.openai.com/v1", key=KEY, model="m"))
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another secret " * 4
    lost = endpoint(None, ModelRole.AGENT)
    assert lost
    assert lost.api_key == ""
    with pytest.raises(CommandError, match="m at OpenAI"):
        call_command("rotate_keys", stdout=io.StringIO())
    settings.SECRET_KEY_FALLBACKS = [old]
    call_command("rotate_keys", stdout=io.StringIO())
    settings.SECRET_KEY_FALLBACKS = []
    found = endpoint(None, ModelRole.AGENT)
    assert found
    assert found.api_key == KEY


def test_prices_are_those_of_the_connection(contracts: Datasource) -> None:
    assert price(Usage(prompt_tokens=1_000_000)) is None
    connect(
        "agent",
        Offer(provider="other", address="http://x/v1", key="", model="m", price_input=Decimal("0.15")),
    )
    assert price(Usage(prompt_tokens=2_000_000)) == Decimal("0.30")
