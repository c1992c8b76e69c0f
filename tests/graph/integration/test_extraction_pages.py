"""The page about reading for the graph: what it will cost, what it has cost, what holds it up, what fails."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from datasources.models import Datasource
from graph.extraction import model_reading, status
from graph.extraction.llm.budget import spend
from graph.models import ChunkExtraction, EntityMention, ExtractionState, GraphExtractor, GraphSettings
from tests.graph.reading_model import PRICE, TEXTS, answer, document_of, passage_of, read, well
from tests.openai_server import ScriptedOpenAI, ScriptedReply, text_reply
from tests.people import browser_of
from tests.responses import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_waiting")]

Serve = Callable[..., ScriptedOpenAI]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def web(alice: User) -> Client:
    return browser_of(alice)


def here(datasource: Datasource, rest: str = "") -> str:
    return f"/d/{datasource.pk}/graph/extraction/{rest}"


@pytest.fixture(autouse=True)
def without_introductions(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are due seconds after a document is read: on a slow machine, among the requests counted here."""
    monkeypatch.setattr("answering.suggestions.derived.defer_introduction", lambda datasource_id: None)


def page(datasource: Datasource) -> str:
    return f"/d/{datasource.pk}/settings/graph/"


MODEL, RULES = {"extractor": "model"}, {"extractor": "rules"}


def test_without_a_model_the_page_says_what_to_set(web: Client, contracts: Datasource) -> None:
    read(document_of(contracts))
    shown = web.get(page(contracts))
    assert "No language model is connected to this server" in text_of(shown)
    radio = re.search(r'<input[^>]*value="model"[^>]*>', shown.content.decode())
    assert radio
    assert "disabled" in radio[0]
    refused = web.post(here(contracts), MODEL)
    assert refused.status_code == 422
    assert "stay with the rules" in text_of(refused)
    assert GraphSettings.objects.of(contracts).extractor == GraphExtractor.RULES


def test_the_estimate_stands_there_before_anything_is_sent(
    web: Client,
    contracts: Datasource,
    serve: Serve,
    settings: Any,
    work: Any,
) -> None:
    settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = PRICE["LLM_PRICE_INPUT"], PRICE["LLM_PRICE_OUTPUT"]
    server = serve(well)
    read(document_of(contracts, [*TEXTS, TEXTS[0]]))
    before = status.estimate(contracts)
    shown = text_of(web.get(page(contracts)))
    assert "4 passages not read by it: about 3 calls" in shown
    assert f"{before.money:.2f} at the set prices" in shown
    assert "127.0.0.1, in this network" in shown
    assert server.requests == []
    saved = web.post(here(contracts), MODEL, follow=True)
    assert "reader reads on by itself" in text_of(saved)
    work()
    assert len(server.requests) == 3
    shown = text_of(web.get(page(contracts)))
    assert "reader has read 4 passages. Nothing is left." in shown
    assert "Cost 0.6000 No limit" in shown  # 3 calls of 100 tokens in and 50 out
    assert "Tokens 450 No limit" in shown
    assert "Nothing is waiting to be read" in shown


def test_a_budget_stops_the_reading_and_raising_it_goes_on(
    web: Client,
    halden: Datasource,
    serve: Serve,
    settings: Any,
    work: Any,
    bob: User,
) -> None:
    settings.GRAPH_CONCURRENCY = 1
    overhead: list[int] = []
    server = serve(lambda r: text_reply(answer(passage_of(r)), usage=(overhead[0], 50)))
    overhead.append(model_reading.reader_of(halden).overhead)
    web.post(here(halden, "budget/"), {"tokens": 2 * overhead[0]})
    document = read(document_of(halden))
    work()
    assert len(server.requests) == 1
    shown = text_of(web.get(page(halden)))
    assert "Stopped at the budget. 2 passages in 1 document wait" in shown
    assert "Raise and read on" in shown
    assert "That is more than the budget leaves." in shown
    documents = web.get(f"/d/{halden.pk}/")
    assert "1 document waits for a larger budget" in text_of(documents)
    viewers = text_of(browser_of(bob).get(page(halden)))
    assert "The owner can raise the budget." in viewers
    assert "Raise and read on" not in viewers
    refused = web.post(here(halden, "budget/"), {"tokens": "-5"})
    assert refused.status_code == 422
    work()
    assert len(server.requests) == 1, "nothing goes on before the budget is raised"
    web.post(here(halden, "budget/"), {"tokens": ""})
    work()
    assert len(server.requests) == 3
    shown = text_of(web.get(page(halden)))
    assert "Stopped at the budget" not in shown
    assert "reader has read 3 passages" in shown
    assert "larger budget" not in text_of(web.get(f"/d/{halden.pk}/"))
    assert {m.extractor for m in EntityMention.objects.filter(document=document)} == {"model reader"}


def test_spending_is_shown_while_it_grows(
    web: Client,
    halden: Datasource,
    serve: Serve,
    work: Any,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.GRAPH_CONCURRENCY = 1
    serve(well)
    GraphSettings.objects.filter(datasource=halden).update(extractor=GraphExtractor.RULES)
    read(document_of(halden))
    shown: list[str] = []

    def state() -> str:
        return web.get(here(halden, "state/"), headers=HTMX).content.decode()

    web.post(here(halden), MODEL)
    assert 'hx-trigger="every 2s"' in state(), "a job waits, so the page asks again"
    monkeypatch.setattr(model_reading, "ANNOUNCE_EVERY", 0)
    monkeypatch.setattr(model_reading, "announce_spending", lambda _: shown.append(text_of(state())))
    work()
    assert "Calls 3" in text_of(state())
    assert "hx-trigger" not in state()
    assert 'id="estimate" hx-swap-oob="true"' in state()
    assert "Nothing is waiting to be read" in text_of(state())
    calls = [re.search(r"Calls (\d)", one)[1] for one in shown]  # type: ignore[index]
    assert calls == sorted(calls)
    assert (calls[0], calls[-1]) == ("1", "3")
    assert all("reader reads" in one for one in shown)


def test_what_failed_is_told_with_its_cause_and_tried_again(
    web: Client,
    halden: Datasource,
    serve: Serve,
    work: Any,
    bob: User,
) -> None:
    broken = {TEXTS[0], TEXTS[1]}

    def picky(request: dict[str, Any]) -> ScriptedReply:
        return text_reply("I would rather not.") if passage_of(request) in broken else well(request)

    server = serve(picky)
    read(document_of(halden))
    shown = text_of(web.get(page(halden)))
    assert "2 passages failed" in shown
    assert "does not fit" in shown
    assert "Page 1, passage 2" in shown
    assert "Retry" not in text_of(browser_of(bob).get(page(halden)))
    broken.clear()
    before = len(server.requests)
    second = ChunkExtraction.objects.get(chunk__index=1)
    answered = web.post(here(halden, "retry/"), {"chunk": second.chunk_id}, headers=HTMX)
    assert "1 passage failed" in text_of(answered)
    work()
    assert [passage_of(request) for request in server.requests[before:]] == [TEXTS[1]]
    second.refresh_from_db()
    assert second.state == ExtractionState.DONE
    assert web.post(here(halden, "retry/")).status_code == 302
    work()
    assert "failed" not in text_of(web.get(page(halden))).replace("0 failed", "")


def test_a_chunk_of_another_datasource_is_not_retried(
    web: Client,
    halden: Datasource,
    serve: Serve,
    charlie: User,
) -> None:
    serve(lambda _: text_reply("I would rather not."))
    private = Datasource.objects.create(owner=charlie, name="P")
    GraphSettings.objects.create(datasource=private, extractor=GraphExtractor.MODEL)
    read(document_of(private, TEXTS[:1]))
    failed = ChunkExtraction.objects.get()
    web.post(here(halden, "retry/"), {"chunk": failed.chunk_id})
    failed.refresh_from_db()
    assert failed.state == ExtractionState.FAILED


def test_types_are_chosen_and_kept(web: Client, contracts: Datasource, bob: User) -> None:
    types = here(contracts, "types/")
    assert web.post(types, {"field": "ontology", "ontology": "research"}).status_code == 302
    web.post(types, {"field": "entity_types", "entity_types": "ship, sea port\nship", "ontology": "general"})
    chosen = GraphSettings.objects.of(contracts)
    assert (chosen.ontology, chosen.entity_types) == ("research", ["SHIP", "SEA_PORT"])
    assert "SHIP, SEA_PORT" in web.get(page(contracts)).content.decode()
    assert "own types SHIP, SEA_PORT" in text_of(browser_of(bob).get(page(contracts)))
    many = ", ".join(f"type {n}" for n in range(99))
    assert "name at most 40" in text_of(web.post(types, {"field": "entity_types", "entity_types": many}))
    assert GraphSettings.objects.of(contracts).entity_types == ["SHIP", "SEA_PORT"]


def test_a_budget_of_money_needs_prices(web: Client, contracts: Datasource, settings: Any) -> None:
    refused = web.post(here(contracts, "budget/"), {"money": "5"})
    assert refused.status_code == 422
    assert "needs the model's prices" in text_of(refused)
    settings.LLM_BASE_URL, settings.LLM_PRICE_INPUT = "http://127.0.0.1:9/v1", Decimal(1)
    assert web.post(here(contracts, "budget/"), {"money": "5"}).status_code == 302
    assert 'value="5"' in web.get(page(contracts)).content.decode()
    assert GraphSettings.objects.of(contracts).money_budget == 5


def test_what_was_spent_stays_known(
    web: Client,
    halden: Datasource,
    serve: Serve,
) -> None:
    serve(well)
    document = read(document_of(halden))
    web.post(f"/d/{halden.pk}/documents/{document.pk}/delete/")
    web.post(here(halden), RULES)
    assert spend(halden).calls == 3
    assert "Calls 3" in text_of(web.get(page(halden)))


def test_the_documents_page_tells_of_the_budget_while_it_is_open(
    web: Client,
    halden: Datasource,
    serve: Serve,
) -> None:
    serve(well)
    web.post(here(halden, "budget/"), {"tokens": "1"})
    read(document_of(halden))
    part = web.get(f"/d/{halden.pk}/", headers={"HX-Request": "true"})
    assert "1 document waits for a larger budget" in text_of(part)


def test_the_settings_lead_there(web: Client, contracts: Datasource) -> None:
    assert f'href="{page(contracts)}"' in web.get(f"/d/{contracts.pk}/settings/").content.decode()
    assert web.get(here(contracts))["Location"] == page(contracts), "where it was before"
