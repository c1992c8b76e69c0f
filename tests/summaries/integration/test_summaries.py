"""Summaries by the language model: who wants them, where they are shown, and when they go."""

import json
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from datasources.derived import Change, apply
from datasources.models import Datasource
from ingestion.lifecycle.purging import purge
from providers.spending.budgets import set_budget
from summaries.models import ChunkSummary, DocumentSummary, SummarySettings
from summaries.tasks import defer_summaries
from summaries.writing import OVER_BUDGET, write
from tests.factories import make_document
from tests.openai_server import ScriptedOpenAI, text_reply
from tests.people import browser_of

pytestmark = pytest.mark.django_db(transaction=True)

CHUNK = "Backups stay for thirty days."
WHOLE = "A questionnaire about backups."


def summariser(request: dict[str, Any]) -> Any:
    given = json.loads(request["messages"][-1]["content"])
    return text_reply(json.dumps({"summary": WHOLE if "passages" in given else CHUNK}))


@pytest.fixture
def server(settings: Any) -> Any:
    with ScriptedOpenAI(summariser) as running:
        settings.LLM_BASE_URL, settings.LLM_MODEL = running.base_url, "scripted"
        yield running


def texts_sent(server: ScriptedOpenAI) -> list[dict[str, Any]]:
    """To be summarised; other jobs ask the model as well."""
    given = [json.loads(request["messages"][-1]["content"]) for request in server.requests]
    return [each for each in given if isinstance(each, dict)]


def save(person: User, datasource: Datasource, **form: str) -> Any:
    return browser_of(person).post(f"/d/{datasource.pk}/settings/summaries/", {"field": "enabled"} | form)


def test_a_chunk_and_its_document_are_told_in_a_sentence_where_the_owner_wants_it(
    contracts: Datasource, alice: User, bob: User, server: ScriptedOpenAI, work: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("summaries.tasks.SETTLE_SECONDS", 0)
    document = make_document(contracts)
    with transaction.atomic():
        apply(Change(datasource_id=contracts.pk, published=[document.pk]))
    work()
    assert not texts_sent(server), "nothing is sent before somebody wants it"
    assert save(bob, contracts, enabled="on").status_code == 403
    assert save(alice, contracts, enabled="on").status_code == 302
    work()
    chunk = document.chunks.get()
    page = browser_of(bob).get(f"/d/{contracts.pk}/chunks/?chunk={chunk.pk}").content.decode()
    assert f"Summary by the language model: {CHUNK}" in page
    assert WHOLE in browser_of(bob).get(f"/d/{contracts.pk}/").content.decode()
    settings_page = browser_of(alice).get(f"/d/{contracts.pk}/settings/reading/").content.decode()
    assert "1 of 1 passage summarised" in settings_page
    assert texts_sent(server) == [
        {"document": "Questionnaire", "section": "", "text": chunk.text},
        {"document": "Questionnaire", "passages": [CHUNK]},
    ]


def test_what_is_summarised_is_not_sent_again(contracts: Datasource, server: ScriptedOpenAI) -> None:
    make_document(contracts)
    assert [write(contracts, go_on), write(contracts, go_on)] == ["", ""]
    assert len(server.requests) == 2
    make_document(contracts, "Other", "Another text about fees.")
    write(contracts, go_on)
    assert len(server.requests) == 4


def test_summaries_go_with_the_document(contracts: Datasource, server: ScriptedOpenAI) -> None:
    document = make_document(contracts)
    write(contracts, go_on)
    receipt = purge(document)
    assert receipt.removed["chunk_summaries"] == receipt.removed["document_summaries"] == 1
    assert not ChunkSummary.objects.exists()
    assert not DocumentSummary.objects.exists()


def test_the_months_budget_ends_the_writing(contracts: Datasource, server: ScriptedOpenAI) -> None:
    make_document(contracts)
    set_budget(contracts.pk, tokens=50, money=None)
    assert write(contracts, go_on) == OVER_BUDGET
    assert not server.requests


def test_a_chunk_that_the_model_cannot_tell_is_not_sent_for_ever(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    make_document(contracts)
    SummarySettings.objects.create(datasource=contracts, enabled=True)
    with ScriptedOpenAI(lambda request: text_reply("No.")) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        write(contracts, go_on)
        asked = len(server.requests)
        write(contracts, go_on)
        assert len(server.requests) == asked
    assert (
        "the model gave none of 1"
        in browser_of(alice).get(f"/d/{contracts.pk}/settings/reading/").content.decode()
    )
    save(alice, contracts, enabled="on")
    with ScriptedOpenAI(summariser) as server:
        settings.LLM_BASE_URL = server.base_url
        write(contracts, go_on)
    assert ChunkSummary.objects.get().text == CHUNK


def test_why_the_writing_stopped_is_told(
    contracts: Datasource, alice: User, work: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("summaries.tasks.SETTLE_SECONDS", 0)
    make_document(contracts)
    SummarySettings.objects.create(datasource=contracts, enabled=True)
    defer_summaries(contracts.pk)
    work()
    page = browser_of(alice).get(f"/d/{contracts.pk}/settings/reading/").content.decode()
    assert "The last run stopped: No language model is connected" in page


def test_progress_is_reported_in_summaries(
    contracts: Datasource, server: ScriptedOpenAI, work: Any, monkeypatch: Any
) -> None:
    reports: list[tuple[float, float]] = []
    monkeypatch.setattr("summaries.tasks.report", lambda done, total: reports.append((done, total)))
    monkeypatch.setattr("summaries.tasks.SETTLE_SECONDS", 0)
    for title in ("A", "B"):
        make_document(contracts, title, f"A text about {title}.")
    SummarySettings.objects.create(datasource=contracts, enabled=True)
    defer_summaries(contracts.pk)
    work()
    assert {total for _, total in reports} == {4}  # two chunks, two documents
    assert [done for done, _ in reports] == sorted({done for done, _ in reports})
    assert reports[-1] == (4, 4)


def go_on(count: int) -> None:
    """Nothing stops the writing."""
