"""Servers that ask each person for a token: calls take that of who asks, and nobody else's."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connections
from django.urls import reverse

from accounts.limits import Limit
from accounts.models import User
from chat.models import Turn
from datasources.models import Datasource, Role
from datasources.services import share
from exchange.outside_tools import mcp_client, personal_tokens, services
from exchange.outside_tools.agent_tools import OutsideTools
from exchange.outside_tools.mcp_client import Line
from exchange.outside_tools.models import OutsideServer, PersonalToken
from exchange.outside_tools.offers import Offer
from retrieval.query import Scope
from tests.answering.agent import NoEmbedder
from tests.factories import make_document
from tests.openai_server import tools_reply
from tests.outside_tools.integration.asking import QUOTE, ask, written
from tests.outside_tools.mcp_server import Rates
from tests.people import browser_of, person
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def report(contracts: Datasource) -> Datasource:
    make_document(contracts, "Report", f"{QUOTE}. The parties may set it anew.")
    return contracts


def added(rates: Rates, datasource: Datasource) -> OutsideServer:
    """Its tool is ticked."""
    server = services.add_server(
        "Rates", rates.address, "look", is_private=True, is_for_owners=True, is_per_person=True
    )
    services.attach(datasource, [services.key_of(server, server.offers[0])], by=datasource.owner)
    return server


def page_of(browser: object, server: OutsideServer, **given: str) -> str:
    address = reverse("own_outside_token", args=[server.pk])
    return text_of(browser.post(address, given, follow=True))  # type: ignore[attr-defined]


def test_a_call_takes_the_token_of_who_asks_and_without_one_there_is_no_tool(
    report: Datasource, alice: User, bob: User
) -> None:
    with Rates() as rates:
        server = added(rates, report)
        personal_tokens.enter(server, bob, "of-bob")
        rates.authorizations.clear()
        (tool,) = OutsideTools().tools(report.pk, bob.pk)
        call = tools_reply((tool.name, {"currency": "EUR"}))
        done = written(f"In May /citation[c1, {QUOTE}].")
        search = tools_reply(("search_chunks", {"query": "interest"}))
        his, _ = ask(bob, report, call, search, done)
        assert set(rates.authorizations) == {"Bearer of-bob"}
        rates.authorizations.clear()
        hers, requests = ask(alice, report, search, done)
        _, note = tool.search(
            Scope(user_id=alice.pk, datasource_id=report.pk), NoEmbedder(), tool.arguments(currency="EUR")
        )
        assert not rates.authorizations, "nothing was asked for her, by whatever way"
    assert not [one for one in requests[0]["tools"] if one["function"]["name"] == tool.name]
    assert "no token of their own" in note.failed
    assert [one["code"] for one in his.notices] == ["outside"]
    assert told_on_page(alice, hers) == (
        "Tools of Rates were not offered to the language model, as you have entered no token of your own. "
        "You can do so under Settings, Outside tools."
    )


def told_on_page(reader: User, turn: Turn) -> str:
    page = browser_of(reader).get(
        reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
    )
    (notice,) = [one for one in turn.notices if one["code"] == "outside_token"]
    assert notice["text"] in text_of(page)
    return str(notice["text"])


def test_a_person_enters_a_token_and_deletes_it(contracts: Datasource, bob: User) -> None:
    browser, page = browser_of(bob), reverse("own_outside_tokens")
    with Rates() as rates:
        server = added(rates, contracts)
        assert "You have entered no token" in text_of(browser.get(page))
        rates.token = "of-bob"
        assert "refuses the token" in page_of(browser, server, action="enter", token="wrong")
        assert not PersonalToken.objects.exists()
        told = page_of(browser, server, action="enter", token="of-bob")
    assert "You have entered a token. It is not shown again." in told
    assert "of-bob" not in browser.get(page).content.decode()
    assert "of-bob" not in PersonalToken.objects.get().encrypted_token
    assert len(OutsideTools().tools(contracts.pk, bob.pk)) == 1
    assert "You have entered no token" in page_of(browser, server, action="remove")
    assert not OutsideTools().tools(contracts.pk, bob.pk)


def test_a_token_goes_with_the_account_and_the_server(contracts: Datasource, alice: User) -> None:
    with Rates() as rates:
        server = added(rates, contracts)
        dora, bill = person("dora"), person("bill")
        for each in (dora, bill):
            share(contracts, each, Role.VIEWER)
            personal_tokens.enter(server, each, "t")
    call_command("rotate_keys")
    assert personal_tokens.line_of(server, bill.pk).token == "t"
    dora.delete()
    assert PersonalToken.objects.get().person == bill
    services.ask_each_person(server, False)
    assert not PersonalToken.objects.exists()


def test_no_connection_to_the_database_is_held_while_a_server_takes_its_time(
    contracts: Datasource, bob: User
) -> None:
    own = connections["default"]  # of this thread
    held: list[bool] = []
    with Rates() as rates:
        server = added(rates, contracts)
        assert own.connection is not None
        rates.meanwhile = lambda: held.append(own.connection is not None)
        personal_tokens.enter(server, bob, "of-bob")
    assert held
    assert not any(held)


def test_a_person_tries_one_token_at_a_time(
    contracts: Datasource, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rates() as rates:
        server = added(rates, contracts)
    tried: list[str] = []

    def meanwhile(line: Line) -> list[Offer]:
        tried.append(line.token)
        with pytest.raises(ValidationError, match="is being tried"):
            personal_tokens.enter(server, bob, "second")
        return []

    monkeypatch.setattr(mcp_client, "list_tools", meanwhile)
    personal_tokens.enter(server, bob, "first")
    personal_tokens.enter(server, bob, "third")
    assert tried == ["first", "third"]


def test_tokens_are_not_guessed_by_way_of_this_server(
    contracts: Datasource, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_tokens, "TRIES", Limit(name="outside-tokens", attempts=1, seconds=60))
    with Rates() as rates:
        server = added(rates, contracts)
        rates.token = "right"
        personal_tokens.enter(server, bob, "right")
        browser = browser_of(bob)
        assert "refuses the token" in page_of(browser, server, action="enter", token="wrong")
        rates.authorizations.clear()
        assert "You have tried this too often" in page_of(browser, server, action="enter", token="right")
        assert not rates.authorizations


def test_a_token_that_was_tried_during_the_switch_to_one_for_all_is_not_kept(
    contracts: Datasource, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rates() as rates:
        server = added(rates, contracts)

    def switched(line: Line) -> list[Offer]:
        services.ask_each_person(server, False)
        return []

    monkeypatch.setattr(mcp_client, "list_tools", switched)
    with pytest.raises(ValidationError, match="no token any more"):
        personal_tokens.enter(server, bob, "of-bob")
    services.ask_each_person(server, True)
    assert not PersonalToken.objects.exists()


def test_who_was_removed_calls_nothing_and_may_only_delete_their_token(report: Datasource, bob: User) -> None:
    browser, scope = browser_of(bob), Scope(user_id=bob.pk, datasource_id=report.pk)
    with Rates() as rates:
        server = added(rates, report)
        personal_tokens.enter(server, bob, "of-bob")
        (tool,) = OutsideTools().tools(report.pk, bob.pk)
        report.memberships.filter(user=bob).delete()
        rates.authorizations.clear()
        _, note = tool.search(scope, NoEmbedder(), tool.arguments(currency="EUR"))
        assert "may no longer ask here" in note.failed
        page = browser.get(reverse("own_outside_tokens"))
        assert "may no longer ask where it would be used" in text_of(page)
        assert 'name="token"' not in page.content.decode()
        assert "no token any more" in page_of(browser, server, action="enter", token="another")
        assert not rates.authorizations
    page_of(browser, server, action="remove")
    assert not PersonalToken.objects.exists()


def test_strangers_do_not_learn_of_a_server(contracts: Datasource, charlie: User) -> None:
    with Rates() as rates:
        server = added(rates, contracts)
    browser = browser_of(charlie)
    assert "Rates" not in text_of(browser.get(reverse("own_outside_tokens")))
    refused = browser.post(reverse("own_outside_token", args=[server.pk]), {"action": "enter", "token": "t"})
    assert refused.status_code == 404


def test_tokens_of_people_do_not_go_over_plain_http() -> None:
    with pytest.raises(ValidationError, match="could be read on its way"):
        services.add_server(
            "X", "http://t.example/mcp", "", is_private=False, is_for_owners=False, is_per_person=True
        )
