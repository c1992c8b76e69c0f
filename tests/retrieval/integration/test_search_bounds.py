"""What one person's searches may take from others: slots, datasources, and the language model."""

import io
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse

from accounts import quotas
from accounts.models import TokenScope, Usage, UsageKind, User
from chat.models import Turn
from datasources.models import Datasource, Document
from datasources.services import create_datasource
from ingestion.adding.upload import accept_upload
from providers.connections.services import Offer, assign, connect
from providers.embedders import embedder
from providers.spending.budgets import set_budget
from providers.spending.models import Purpose, Spending
from retrieval.engine import several
from retrieval.slots import MOST_DATASOURCES, SEARCHES
from tests.factories import make_document
from tests.openai_server import ScriptedOpenAI, text_reply
from tests.people import browser_of
from tests.rest import ERROR, Api, program

pytestmark = pytest.mark.django_db(transaction=True)

BY_MODEL = {"enabled": True, "strategy": "llm"}


def fill(datasource: Datasource, person: User, *rows: dict[str, str]) -> None:
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    accept_upload(datasource, person, "facts.jsonl", io.BytesIO(lines))


@pytest.fixture
def town(contracts: Datasource, alice: User, work: Any) -> Datasource:
    """Two datasources with a passage each."""
    cache.clear()
    fill(contracts, alice, {"title": "Keeper", "text": "Orrin Vale kept the lighthouse of Saltmere."})
    fill(create_datasource(alice, "Ships"), alice, {"title": "Reef", "text": "The lighthouse guided ships."})
    work()
    return contracts


@pytest.fixture
def model(settings: Any) -> Iterator[ScriptedOpenAI]:
    ratings = {"ratings": [{"number": n, "rating": n} for n in (1, 2)]}
    with ScriptedOpenAI([text_reply(json.dumps(ratings), repeat=True)]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = server.base_url, "scripted", "k"
        yield server


@contextmanager
def all_slots_taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(SEARCHES, "_patience", 0.05)
    with ExitStack() as stack:
        for stranger in (-1, -2, -3, -4):
            stack.enter_context(SEARCHES.taken_by(stranger))
        yield


@pytest.mark.parametrize(
    ("path", "body"), [("rag/retrieve", {"query": "lighthouse"}), ("rag/query", {"question": "lighthouse?"})]
)
def test_a_program_that_searches_too_much_at_once_is_told_to_wait(
    town: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch, path: str, body: dict[str, str]
) -> None:
    api = Api(alice)
    with all_slots_taken(monkeypatch):
        answer = api.post(path, body)
    assert (answer.status_code, set(answer.json())) == (429, ERROR)
    assert int(answer.headers["Retry-After"]) >= 1
    assert not Turn.objects.exists()
    assert api.post("rag/retrieve", {"query": "lighthouse"}).status_code == 200


def test_the_palette_does_not_wait_for_a_slot(
    town: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"q": "who tended the beacon", "datasource": str(town.pk)}
    browser = browser_of(alice)
    with all_slots_taken(monkeypatch):
        monkeypatch.setattr(SEARCHES, "_patience", 3600)
        answer = browser.get(reverse("palette"), asked)
    assert answer.status_code == 200


def test_of_very_many_datasources_those_that_changed_last_are_searched(alice: User, work: Any) -> None:
    cache.clear()
    made = [create_datasource(alice, f"Papers {n}") for n in range(MOST_DATASOURCES + 1)]
    for datasource in (made[0], made[-1]):
        fill(datasource, alice, {"title": datasource.name, "text": "The lighthouse of Saltmere."})
    work()
    for datasource in made[1:-1]:
        make_document(datasource, "Other", "Nothing of the kind.")
    for datasource in made:
        datasource.save()
    answer = Api(alice).post("rag/retrieve", {"query": "lighthouse of Saltmere", "similarityTopK": 25})
    titles = {row["metadata"]["title"] for row in answer.json()["results"]}
    assert made[-1].name in titles
    assert made[0].name not in titles
    every = list(Document.objects.values_list("pk", flat=True))
    named = Api(alice).post("rag/retrieve", {"query": "lighthouse", "docIds": every})
    assert (named.status_code, named.json()["code"]) == (400, "SEVERAL_DATASOURCES")


def test_a_question_is_embedded_once_for_all_datasources_of_a_model(
    town: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed, asked = embedder().embed, list[list[str]]()

    def counted(texts: list[str]) -> Any:
        asked.append(list(texts))
        return embed(texts)

    monkeypatch.setattr(embedder(), "embed", counted)
    assert len(Api(alice).post("rag/retrieve", {"query": "lighthouse"}).json()["results"]) == 2
    assert asked == [["lighthouse"]]


def test_the_model_reranks_once_however_many_datasources_there_are(
    town: Datasource, alice: User, model: ScriptedOpenAI
) -> None:
    answer = Api(alice).post("rag/retrieve", {"query": "Who kept the lighthouse?", "rerank": BY_MODEL}).json()
    assert answer["pipeline"]["reranked"] is True, answer["pipeline"]
    assert len(answer["results"]) == 2
    assert len(model.requests) == 1


def test_the_model_reranks_for_tokens_that_may_ask_and_counts_as_a_question(
    town: Datasource, alice: User, model: ScriptedOpenAI, settings: Any
) -> None:
    settings.QUESTIONS_PER_HOUR = 1
    body = {"query": "Who kept the lighthouse?", "rerank": BY_MODEL}
    reading = program(alice, TokenScope.READ)[0]
    refused = reading.post("rag/retrieve", body)
    assert (refused.status_code, refused.json()["code"]) == (403, "token_scope")
    assert not model.requests
    assert not Usage.objects.filter(kind=UsageKind.QUESTIONS).exists()
    asking = program(alice, TokenScope.READ, TokenScope.ASK)[0]
    assert asking.post("rag/retrieve", body).status_code == 200
    spent = len(model.requests)
    more = asking.post("rag/retrieve", body)
    assert (more.status_code, more.json()["code"]) == (429, "quota")
    assert int(more.headers["Retry-After"]) > 0
    assert len(model.requests) == spent
    assert reading.post("rag/retrieve", {"query": "lighthouse"}).status_code == 200, "searching is free"


def test_a_question_over_the_quota_is_not_searched_for(
    town: Datasource, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.QUESTIONS_PER_HOUR = 1
    searched: list[object] = []
    search = several.retrieve

    def noted(*given: Any) -> Any:
        searched.append(given)
        return search(*given)

    monkeypatch.setattr(several, "retrieve", noted)
    with transaction.atomic():
        quotas.use(alice, {UsageKind.QUESTIONS: 1})
    assert Api(alice).post("rag/query", {"question": "Who kept the lighthouse?"}).status_code == 429
    assert not searched


@pytest.mark.parametrize("wrong", ["x\0y", "x\ud800y"], ids=["NUL", "surrogate"])
def test_texts_that_cannot_be_kept_are_refused_with_words(town: Datasource, alice: User, wrong: str) -> None:
    api, document = Api(alice), Document.objects.get(title="Keeper")
    for metadata in ({"a": wrong}, {wrong: "a"}, {"a": [wrong]}):
        answer = api.send("PATCH", f"documents/{document.pk}", {"metadata": metadata})
        assert (answer.status_code, set(answer.json())) == (400, ERROR)
        assert answer.json()["code"] in {"invalid", "malformed"}
    answer = api.post("rag/retrieve", {"query": "lighthouse", "grade": wrong})
    assert (answer.status_code, set(answer.json())) == (400, ERROR)


def test_numbers_without_an_end_are_refused(town: Datasource, alice: User) -> None:
    document = Document.objects.get(title="Keeper")
    api = Api(alice)
    answer = api.client.generic(
        "PATCH",
        f"/api/v1/documents/{document.pk}",
        '{"metadata": {"a": 1e999}}',
        content_type="application/json",
        headers=api.headers,
    )
    assert answer.status_code == 400


def test_the_language_model_that_ranks_is_paid_for_by_the_asker(
    town: Datasource, alice: User, model: ScriptedOpenAI
) -> None:
    body: dict[str, Any] = {"query": "lighthouse", "rerank": BY_MODEL}
    api = program(alice, TokenScope.READ, TokenScope.ASK)[0]
    assert api.post("rag/retrieve", body).json()["pipeline"]["reranked"]
    alone = body | {"docIds": list(town.documents.values_list("pk", flat=True))}
    assert api.post("rag/retrieve", alone).json()["pipeline"]["reranked"]
    rows = Spending.objects.values_list("person", "datasource", "purpose")
    assert set(rows) == {(alice.pk, 0, Purpose.ANSWERS), (alice.pk, town.pk, Purpose.ANSWERS)}
    set_budget(town.pk, tokens=1, money=None)
    asked = len(model.requests)
    told = api.post("rag/retrieve", body).json()
    assert "budget" in told["pipeline"]["rerankFailed"]
    assert len(told["results"]) == 2
    assert len(model.requests) == asked


def test_passages_go_to_no_other_model_than_that_of_their_datasource(town: Datasource, alice: User) -> None:
    ratings = text_reply(json.dumps({"ratings": [{"number": 1, "rating": 5}]}), repeat=True)
    body: dict[str, Any] = {"query": "lighthouse", "rerank": BY_MODEL}
    with ScriptedOpenAI([ratings]) as usual, ScriptedOpenAI([ratings]) as own:
        connect("agent", Offer(provider="other", address=usual.base_url, key="k", model="usual"))
        chosen = connect("", Offer(provider="other", address=own.base_url, key="k", model="own"))
        assign("agent", chosen, town.pk)
        told = program(alice, TokenScope.READ, TokenScope.ASK)[0].post("rag/retrieve", body).json()
        assert "different language models" in told["pipeline"]["rerankFailed"]
        assert not usual.requests
        assert not own.requests
        body["docIds"] = list(town.documents.values_list("pk", flat=True))
        told = program(alice, TokenScope.READ, TokenScope.ASK)[0].post("rag/retrieve", body).json()
        assert told["pipeline"]["reranked"]
        assert own.requests
        assert not usual.requests
