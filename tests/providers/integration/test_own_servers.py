"""A server that an owner connects for one datasource: who may, where it may stand, who else sees of it."""

import asyncio
import socket
from typing import Any

import httpx
import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from desks.evaluation.runs.frozen import model_of, payer_of
from desks.evaluation.runs.variants import Variant
from ingestion.lifecycle.purging import purge_datasource
from providers.connections.models import Connection
from providers.connections.services import Offer, allow_owners, connect, owners_may
from providers.http.clients import sync_client
from providers.http.public_addresses import NotPublic
from providers.language_models import structured_model
from providers.protocols import ChatModel, Message, ProviderError
from providers.roles import ModelRole, choices_of, endpoint
from tests.openai_server import MODEL, ScriptedOpenAI
from tests.people import PASSWORD, browser_of
from tests.providers.integration.test_connecting import ABLE, KEY, text_of

pytestmark = pytest.mark.django_db


def use(person: User, datasource: Datasource, server: ScriptedOpenAI, press: str = "use", **more: Any) -> Any:
    form = {"provider": "other", "role": "agent", "address": server.base_url, "key": KEY, "model": MODEL}
    address = reverse("own_model", args=[datasource.pk])
    return browser_of(person).post(address, form | {"timeout": "60", press: "1"} | more)


@pytest.fixture
def server() -> Any:
    with ScriptedOpenAI(ABLE, listed={"max_model_len": 8192}) as server:
        yield server


@pytest.fixture
def usual(db: None) -> Connection:
    offer = Offer(provider="other", address="https://api.example.org/v1", key="sk-of-the-firm", model="usual")
    return connect("agent", offer)


def test_nobody_may_before_an_administrator_allows_it(
    contracts: Datasource, alice: User, server: ScriptedOpenAI
) -> None:
    assert use(alice, contracts, server).status_code == 403
    root = User.objects.create_superuser("root@example.org", PASSWORD)
    settings = reverse("settings_section", args=[contracts.pk, "models"])
    assert "A server of its own" not in text_of(browser_of(alice).get(settings))
    browser_of(root).post(reverse("models_owners"), {"connect": "on"})
    assert "A server of its own" in text_of(browser_of(alice).get(settings))


def test_an_owner_s_server_answers_there_alone_and_its_key_is_never_shown(
    contracts: Datasource, alice: User, bob: User, server: ScriptedOpenAI, usual: Connection
) -> None:
    allow_owners(connect=True, private_addresses=True)
    assert "Reads 8,192 tokens at once" in text_of(use(alice, contracts, server, "test"))
    assert not Connection.objects.filter(model=MODEL).exists()
    assert MODEL in text_of(use(alice, contracts, server, "list"))
    assert use(bob, contracts, server).status_code == 403
    assert use(alice, contracts, server).status_code == 302
    here, elsewhere = endpoint(contracts, ModelRole.AGENT), endpoint(None, ModelRole.AGENT)
    assert here
    assert elsewhere
    assert (here.model, here.api_key, elsewhere.model) == (MODEL, KEY, "usual")
    assert choices_of(contracts) == [], "what is asked here goes nowhere else"
    for page in (
        reverse("settings_section", args=[contracts.pk, "models"]),
        reverse("own_model", args=[contracts.pk]),
    ):
        assert KEY not in text_of(browser_of(alice).get(page))
    assert KEY not in Connection.objects.get(model=MODEL).encrypted_key


def test_the_key_of_the_deployment_is_not_lent_to_owners(
    contracts: Datasource, alice: User, server: ScriptedOpenAI
) -> None:
    allow_owners(connect=True, private_addresses=True)
    connect("agent", Offer(provider="other", address=server.base_url, key="sk-of-the-firm", model="usual"))
    use(alice, contracts, server, key="")
    here = endpoint(contracts, ModelRole.AGENT)
    assert here
    assert (here.model, here.api_key) == (MODEL, "")
    assert "Bearer sk-of-the-firm" not in server.authorizations


def test_private_addresses_are_not_called_unless_they_are_allowed(
    contracts: Datasource, alice: User, server: ScriptedOpenAI
) -> None:
    allow_owners(connect=True, private_addresses=False)
    for press in ("test", "use", "list"):
        refused = use(alice, contracts, server, press)
        assert refused.status_code == 422
        assert "not allowed here" in text_of(refused)
    assert not Connection.objects.exists()
    allow_owners(connect=True, private_addresses=True)
    use(alice, contracts, server)
    allow_owners(connect=True, private_addresses=False)
    asked = len(server.authorizations)
    with pytest.raises(ProviderError, match="private network"):
        _ask(structured_model(contracts, ModelRole.AGENT))
    with pytest.raises(ProviderError, match="private network"):
        _stream(model_of(contracts, Variant(model="another"), payer_of(contracts, alice.pk)))
    assert len(server.authorizations) == asked


def test_an_owner_s_server_is_waited_for_ten_minutes_at_most(
    contracts: Datasource, alice: User, server: ScriptedOpenAI
) -> None:
    allow_owners(connect=True, private_addresses=True)
    refused = use(alice, contracts, server, timeout="3600")
    assert refused.status_code == 422
    assert "At most 600 seconds" in text_of(refused)
    assert not server.requests
    assert use(alice, contracts, server, timeout="600").status_code == 302


def _stream(model: ChatModel) -> None:
    async def stream() -> None:
        async for _ in model.stream([Message(role="user", content="Hello")], []):
            pass

    asyncio.run(stream())


def _ask(model: Any) -> None:
    async def complete() -> None:
        async with model:
            await model.complete([], {})

    asyncio.run(complete())


def test_a_public_name_that_leads_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda *_, **__: [(2, 1, 6, "", ("93.184.216.34", 443)), (2, 1, 6, "", ("127.0.0.1", 443))],
    )
    with pytest.raises(NotPublic), sync_client(public_only=True, timeout=1.0) as client:
        client.get("https://models.example.org/v1/models")


def test_the_address_that_was_looked_up_is_the_one_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[httpx.Request] = []

    def handle(self: Any, request: httpx.Request) -> httpx.Response:
        called.append(request)
        return httpx.Response(200)

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("93.184.216.34", 443))])
    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", handle)
    with sync_client(public_only=True, timeout=1.0) as client:
        client.get("https://models.example.org/v1/models")
    (request,) = called
    assert request.url.host == "93.184.216.34"
    assert request.headers["host"] == "models.example.org"
    assert request.extensions["sni_hostname"] == "models.example.org"


def test_it_goes_with_its_datasource_and_with_the_permission(
    contracts: Datasource, alice: User, server: ScriptedOpenAI, usual: Connection
) -> None:
    allow_owners(connect=True, private_addresses=True)
    use(alice, contracts, server)
    browser_of(alice).post(reverse("disconnect_own_model", args=[contracts.pk]), {"role": "agent"})
    assert [each.model for each in Connection.objects.all()] == ["usual"]
    use(alice, contracts, server)
    allow_owners(connect=False, private_addresses=False)
    assert [each.model for each in Connection.objects.all()] == ["usual"]
    allow_owners(connect=True, private_addresses=True)
    use(alice, contracts, server)
    purge_datasource(contracts, alice)
    assert [each.model for each in Connection.objects.all()] == ["usual"]


def test_an_owner_s_own_server_is_not_told_as_an_administrator_s_offer(
    contracts: Datasource, alice: User, server: ScriptedOpenAI, usual: Connection
) -> None:
    allow_owners(connect=True, private_addresses=True)
    use(alice, contracts, server)
    settings = reverse("settings_section", args=[contracts.pk, "models"])
    assert "An administrator offers these" not in text_of(browser_of(alice).get(settings))
    Connection.objects.filter(pk=usual.pk).update(offered=True)
    page = text_of(browser_of(alice).get(settings))
    assert "An administrator offers these" in page
    assert 'id="model-agent"' not in page, "the own server answers"
    browser_of(alice).post(reverse("choose_models", args=[contracts.pk]), {"judge": usual.pk})
    here, judge = endpoint(contracts, ModelRole.AGENT), endpoint(contracts, ModelRole.JUDGE)
    assert here
    assert judge
    assert (here.model, judge.model) == (MODEL, "usual")


def test_private_networks_alone_are_refused_with_words_and_webhooks_have_a_switch(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    chief, owners = browser_of(alice), reverse("models_owners")
    refused = chief.post(owners, {"private_addresses": "on"}, follow=True)
    assert "Nothing was saved" in text_of(refused)
    chief.post(owners, {"private_webhooks": "on"})
    allowed = owners_may()
    assert (allowed.connect, allowed.private_addresses, allowed.private_webhooks) == (False, False, True)
