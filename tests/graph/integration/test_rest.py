"""The graph over REST: what is in it and what proves it, decisions, files out and in, reading by a model."""

import json
import threading
import time
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus, Membership, Role
from datasources.services import create_datasource
from graph.aggregate import update
from graph.api import extraction
from graph.curation import services
from graph.models import (
    ChunkExtraction,
    Decision,
    Entity,
    ExtractionState,
    GraphExtractor,
    GraphSettings,
    MergeCandidate,
    Relation,
)
from ingestion.models import Chunk, Page
from tests.graph.corpus import TEXTS, picture, upload
from tests.people import browser_of, person
from tests.processes import PATIENCE
from tests.responses import content_of, text_of
from tests.rest import ERROR, Api

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counts_of_other_tests() -> None:
    cache.clear()


@pytest.fixture
def graph(contracts: Datasource) -> Datasource:
    """Three short documents about Apple, Beats Electronics and Microsoft."""
    upload(contracts, TEXTS[0], TEXTS[1], TEXTS[5])
    return contracts


@pytest.fixture
def editor(contracts: Datasource) -> User:
    erin = person("erin")
    Membership.objects.create(datasource=contracts, user=erin, role=Role.EDITOR)
    return erin


def entity(datasource: Datasource, key: str) -> Entity:
    return Entity.objects.get(datasource=datasource, names__key=key)


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.json()
    return [one["name"] for one in answer.json()["results"]]


# --- entities and relations ------------------------------------------------------------------------------
def test_entities_are_listed_found_and_ordered(bob: User, graph: Datasource) -> None:
    api, here = Api(bob), f"data-sources/{graph.pk}/entities"
    listed = api.get(here).json()
    assert listed["count"] == Entity.objects.count()
    assert listed["results"][0]["name"] == entity(graph, "apple").name
    assert names(api.get(f"{here}?q=beats")) == ["Beats Electronics"]
    assert entity(graph, "microsoft").name in names(api.get(f"{here}?q=micro+soft"))
    assert names(api.get(f"{here}?q=zebra")) == []
    assert names(api.get(f"{here}?order=name")) == sorted(names(api.get(here)))
    often = api.get(f"{here}?min_mentions=2").json()["results"]
    assert often
    assert all(one["mentions"] >= 2 for one in often)
    kinds = api.get(f"{here}?type=AMOUNT").json()["results"]
    assert kinds
    assert all("AMOUNT" in one["types"] for one in kinds)
    document = Document.objects.get(title=TEXTS[1][:20])
    assert "Tim Cook" not in names(api.get(f"{here}?document={document.pk}"))
    assert "Beats Electronics" in names(api.get(f"{here}?document={document.pk}"))


@pytest.mark.parametrize("query", ["order=best", "min_mentions=-1", "document=x", "hidden=maybe"])
def test_a_list_refuses_what_it_does_not_understand(bob: User, graph: Datasource, query: str) -> None:
    refused = Api(bob).get(f"data-sources/{graph.pk}/entities?{query}")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert query.partition("=")[0] in refused.json()["message"]


def test_an_entity_leads_to_the_words_that_prove_it(bob: User, graph: Datasource) -> None:
    apple = entity(graph, "apple")
    shown = Api(bob).get(f"entities/{apple.pk}").json()
    assert [one["name"] for one in shown["names"]] == [apple.name]
    assert {apple.name, "Beats Electronics"} in [
        {one["source"]["name"], one["target"]["name"]} for one in shown["relations"]
    ]
    assert shown["mentions"] == apple.mention_count
    all_of_them = Api(bob).get(f"entities/{apple.pk}/mentions").json()
    assert all_of_them["results"] == shown["told"]
    for told in shown["told"]:
        text = Chunk.objects.get(pk=told["chunk"]).text
        assert text[told["words_start"] : told["words_end"]] == told["words"]
        assert text[told["start"] : told["end"]] == told["quote"]
        assert told["words"] in told["quote"]
        assert "apple" in told["words"].lower()


def test_text_that_came_with_an_imported_file_is_said(bob: User, graph: Datasource) -> None:
    apple, api = entity(graph, "apple"), Api(bob)
    relation = api.get(f"data-sources/{graph.pk}/relations?entity={apple.pk}").json()["results"][0]["id"]
    addresses = [f"entities/{apple.pk}/mentions", f"relations/{relation}/evidence"]
    page = reverse("entity", args=[graph.pk, apple.pk])
    for is_said in (True, False):
        Document.objects.update(read_elsewhere=is_said)
        told = [one for address in addresses for one in api.get(address).json()["results"]]
        assert {one["read_elsewhere"] for one in told} == {is_said}
        assert ("text from an imported file" in text_of(browser_of(bob).get(page))) == is_said


def test_a_mention_is_on_the_page_on_which_it_stands(bob: User, graph: Datasource) -> None:
    chunk = Chunk.objects.get(document__title=TEXTS[0][:20])
    half = chunk.text.index("Cook was born")
    Page.objects.create(document=chunk.document, number=4, text=chunk.text[:half], start=0)
    Page.objects.create(document=chunk.document, number=5, text="", start=half)
    Page.objects.create(document=chunk.document, number=6, text=chunk.text[half:], start=half)
    told = Api(bob).get(f"entities/{entity(graph, 'tim cook').pk}").json()["told"]
    assert [(one["words"], one["page"]) for one in told] == [("Tim Cook", 4), ("Cook", 6)]


def test_relations_are_listed_and_proved(bob: User, graph: Datasource) -> None:
    api, here = Api(bob), f"data-sources/{graph.pk}/relations"
    apple = entity(graph, "apple")
    assert api.get(here).json()["count"] == Relation.objects.count()
    of_apple = api.get(f"{here}?entity={apple.pk}").json()["results"]
    assert of_apple
    assert all(apple.pk in (one["source"]["id"], one["target"]["id"]) for one in of_apple)
    about_money = api.get(f"{here}?q=billion").json()["results"]
    assert about_money
    assert all("billion" in json.dumps(one) for one in about_money)
    document = Document.objects.get(title=TEXTS[5][:20])
    of_document = {one["id"] for one in api.get(f"{here}?document={document.pk}").json()["results"]}
    assert of_document
    assert of_document.isdisjoint(one["id"] for one in about_money)
    one = api.get(f"relations/{about_money[0]['id']}").json()
    assert one["evidence"] == api.get(f"relations/{one['id']}/evidence").json()["results"]
    assert [each["type"] for each in of_apple] == [(each["keywords"] or [""])[0] for each in of_apple]
    assert any(each["type"] for each in of_apple)
    assert "billion" in one["evidence"][0]["quote"]
    assert one["evidence"][0]["document"]["title"] == TEXTS[1][:20]


def test_a_document_on_its_way_out_proves_nothing(bob: User, graph: Datasource) -> None:
    document = Document.objects.get(title=TEXTS[1][:20])
    update.change(graph.pk, withdrawn=[document.pk])
    Document.objects.filter(pk=document.pk).update(status=DocumentStatus.DELETED)
    told = Api(bob).get(f"entities/{entity(graph, 'apple').pk}").json()["told"]
    assert told
    assert document.pk not in {one["document"]["id"] for one in told}
    assert names(Api(bob).get(f"data-sources/{graph.pk}/entities?document={document.pk}")) == []


# --- decisions -------------------------------------------------------------------------------------------
def test_every_decision_is_taken_listed_and_undone(editor: User, bob: User, graph: Datasource) -> None:
    api, here = Api(editor), f"data-sources/{graph.pk}/decisions"
    before = picture(graph)
    apple, microsoft = entity(graph, "apple"), entity(graph, "microsoft")
    document = Document.objects.get(title=TEXTS[1][:20])
    several = [name.pk for name in microsoft.names.all()]
    asked: list[dict[str, Any]] = [
        {"kind": "merge", "entity": apple.pk, "other": microsoft.pk},
        {"kind": "alias", "entity": apple.pk, "name": "Cupertino"},
        {"kind": "apart", "names": several},
        {"kind": "apart", "names": several[:1]},
        {"kind": "split", "names": [apple.names.get().pk], "document": document.pk},
        {"kind": "rename", "entity": apple.pk, "name": "Apple Computer"},
        {"kind": "retype", "entity": apple.pk, "types": ["COMPANY"]},
        {"kind": "hide", "entity": apple.pk},
    ]
    assert len(several) == 2
    for body in asked:
        answer = api.post(here, body)
        assert answer.status_code == 201, (body, answer.json())
        assert picture(graph) != before
        listed = Api(bob).get(here).json()["results"]
        assert [one["id"] for one in listed] == [answer.json()["decision"]["id"]]
        assert listed[0]["decided_by"] == "Erin"
        assert api.send("DELETE", f"decisions/{listed[0]['id']}").status_code == 204
        assert picture(graph) == before
    assert not Decision.objects.exists()


def test_a_decision_answers_with_the_entity_as_it_is_now(editor: User, graph: Datasource) -> None:
    api, here = Api(editor), f"data-sources/{graph.pk}/decisions"
    apple, microsoft = entity(graph, "apple"), entity(graph, "microsoft")
    merged = api.post(here, {"kind": "merge", "entity": apple.pk, "other": microsoft.pk}).json()["entity"]
    assert merged["id"] == entity(graph, "microsoft").pk == entity(graph, "apple").pk
    assert merged["mentions"] == apple.mention_count + microsoft.mention_count
    renamed = api.post(here, {"kind": "rename", "entity": merged["id"], "name": "Both"}).json()
    assert renamed["entity"]["name"] == "Both"
    hidden = api.post(here, {"kind": "hide", "entity": renamed["entity"]["id"]}).json()
    assert hidden["entity"]["hidden"] is True
    entities = f"data-sources/{graph.pk}/entities"
    assert "Both" not in names(api.get(entities))
    assert names(api.get(f"{entities}?hidden=true")) == ["Both"]
    shown = api.get(f"entities/{hidden['entity']['id']}").json()
    assert [one["kind"] for one in shown["decisions"]] == ["hide", "rename", "merge"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"kind": "melt", "entity": 1}, "invalid"),
        ({"kind": "merge", "entity": "apple"}, "invalid"),
        ({"kind": "rename", "entity": "apple"}, "invalid"),
        ({"kind": "rename", "entity": "apple", "name": " "}, "invalid"),
        ({"kind": "alias", "entity": "apple", "name": "!!!"}, "empty"),
        ({"kind": "merge", "entity": "apple", "other": "apple"}, "not_two"),
        ({"kind": "merge", "entity": "apple", "other": 999_999}, "no_such_entity"),
        ({"kind": "merge", "entity": "apple", "other": "foreign"}, "no_such_entity"),
        ({"kind": "hide", "entity": "foreign"}, "no_such_entity"),
        ({"kind": "apart", "names": ["name", "foreign name"]}, "no_such_name"),
        ({"kind": "split", "names": ["name"], "document": "foreign document"}, "no_such_document"),
    ],
)
def test_a_wrong_decision_changes_nothing(
    editor: User, charlie: User, graph: Datasource, body: dict[str, Any], code: str
) -> None:
    private = create_datasource(charlie, "Private")
    foreign = upload(private, TEXTS[1])[0]
    known = {
        "apple": entity(graph, "apple").pk,
        "name": entity(graph, "apple").names.get().pk,
        "foreign": entity(private, "apple").pk,
        "foreign name": entity(private, "apple").names.get().pk,
        "foreign document": foreign.pk,
    }

    def filled(value: Any) -> Any:
        return [filled(one) for one in value] if isinstance(value, list) else known.get(value, value)

    before = picture(graph), picture(private)
    sent = {field: value if field == "kind" else filled(value) for field, value in body.items()}
    refused = Api(editor).post(f"data-sources/{graph.pk}/decisions", sent)
    assert (refused.status_code, set(refused.json()), refused.json()["code"]) == (400, ERROR, code)
    assert (picture(graph), picture(private)) == before
    assert not Decision.objects.exists()


def test_the_review_queue_is_decided(editor: User, bob: User, graph: Datasource) -> None:
    def pair(one: str, other: str) -> MergeCandidate:
        a, b = entity(graph, one).names.get(), entity(graph, other).names.get()
        return MergeCandidate.objects.create(datasource=graph, a=a, b=b, score=0.85)

    pairs = [pair("beats electronics", "cupertino"), pair("tim cook", "alabama")]
    api, here = Api(editor), f"data-sources/{graph.pk}/candidates"
    listed = Api(bob).get(here).json()["results"][0]
    assert {listed["a"]["name"], listed["b"]["name"]} == {"Beats Electronics", "Cupertino"}
    assert listed["score"] == 0.85
    same = api.post(f"candidates/{pairs[0].pk}", {"same": True}).json()
    assert same["entity"]["id"] == entity(graph, "cupertino").pk == entity(graph, "beats electronics").pk
    assert api.post(f"candidates/{pairs[1].pk}", {"same": False}).json()["decision"]["kind"] == "apart"
    assert entity(graph, "tim cook") != entity(graph, "alabama")
    assert api.get(here).json()["count"] == 0
    assert api.post(f"candidates/{pairs[1].pk}", {"same": True}).status_code == 404


# --- out and in ------------------------------------------------------------------------------------------
def test_the_graph_goes_out_in_three_forms(bob: User, graph: Datasource) -> None:
    services.hide(entity(graph, "microsoft"))
    here = f"data-sources/{graph.pk}/graph/export"
    drawn = Api(bob).get(f"{here}/json")
    assert drawn.headers["Content-Disposition"] == 'attachment; filename="Contracts, graph.json"'
    value = json.loads(body_of(drawn))
    assert {node["name"] for node in value["nodes"]} == {
        one.name for one in Entity.objects.filter(hidden=False)
    }
    ids = {node["id"] for node in value["nodes"]}
    assert value["edges"]
    assert all({edge["source"], edge["target"]} <= ids for edge in value["edges"])
    tag = "{http://graphml.graphdrawing.org/xmlns}"
    root = ET.fromstring(body_of(Api(bob).get(f"{here}/graphml", Accept="application/xml")))
    assert len(list(root.iter(f"{tag}node"))) == len(ids)
    assert len(list(root.iter(f"{tag}edge"))) == len(value["edges"])
    rows = [json.loads(line) for line in body_of(Api(bob).get(f"{here}/jsonl")).splitlines()]
    assert [row["decision"] for row in rows if "decision" in row] == ["hide"]
    missing = Api(bob).get(f"{here}/svg")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


def test_an_empty_graph_is_still_a_file(bob: User, contracts: Datasource) -> None:
    here = f"data-sources/{contracts.pk}/graph/export"
    value = json.loads(body_of(Api(bob).get(f"{here}/json")))
    assert (value["nodes"], value["edges"]) == ([], [])
    assert ET.fromstring(body_of(Api(bob).get(f"{here}/graphml"))).tag.endswith("graphml")
    assert body_of(Api(bob).get(f"{here}/jsonl")) == ""


def body_of(response: Any) -> str:
    assert response.status_code == 200

    async def joined() -> bytes:
        return b"".join([block async for block in response])

    return str(async_to_sync(joined)().decode())


def test_what_went_out_comes_in_again(editor: User, alice: User, graph: Datasource) -> None:
    services.rename(entity(graph, "apple"), "Apple Computer")
    before = picture(graph)
    lines = body_of(Api(alice).get(f"data-sources/{graph.pk}/graph/export/jsonl"))
    update.drop(graph.pk)
    Decision.objects.all().delete()
    assert not Entity.objects.exists()
    here = f"data-sources/{graph.pk}/graph/import"
    done = Api(editor).upload(here, file=SimpleUploadedFile("graph.jsonl", lines.encode()))
    assert done.status_code == 200
    assert (done.json()["documents"], done.json()["decisions"], done.json()["malformed"]) == (3, 1, 0)
    assert picture(graph) == before


def test_malformed_rows_are_counted_and_told(editor: User, graph: Datasource) -> None:
    rows = [
        b'{"title": "%s", "entities": ["Halden Foods", {"type": "X"}]}' % TEXTS[1][:20].encode(),
        b"not json",
        b"\xff\xfe",
        b"",
        b'{"title": "Nowhere", "entities": ["Halden Foods"]}',
    ]
    here = f"data-sources/{graph.pk}/graph/import"
    done = Api(editor).upload(here, file=SimpleUploadedFile("graph.jsonl", b"\n".join(rows))).json()
    assert (done["rows"], done["documents"], done["malformed"], done["unknown"]) == (4, 1, 3, 1)
    assert [problem.partition(":")[0] for problem in done["problems"]] == ["line 1", "line 2", "line 3"]
    missing = Api(editor).upload(here)
    assert (missing.status_code, missing.json()["code"]) == (400, "invalid")


# --- the model -------------------------------------------------------------------------------------------
def test_without_a_model_there_is_nothing_to_choose(alice: User, graph: Datasource) -> None:
    api, here = Api(alice), f"data-sources/{graph.pk}/extraction"
    shown = api.get(here).json()
    assert (shown["extractor"], shown["model"]) == ("rules", "")
    assert (shown["spend"]["calls"], shown["spend"]["money"]) == (0, None)
    assert "PERSON" in shown["types"]["entities"]
    refused = api.send("PATCH", here, {"extractor": "model"})
    assert (refused.status_code, refused.json()["code"]) == (400, "no_model")
    assert api.get(f"{here}/estimate").json()["code"] == "no_model"
    assert GraphSettings.objects.of(graph).extractor == GraphExtractor.RULES


def test_types_and_budget_are_set(alice: User, graph: Datasource, settings: Any) -> None:
    api, here = Api(alice), f"data-sources/{graph.pk}/extraction"
    changed = api.send("PATCH", here, {"ontology": "research", "token_budget": 5000}).json()
    assert (changed["ontology"], changed["token_budget"], changed["money_budget"]) == ("research", 5000, None)
    assert changed["types"]["relations"][:2] == ["USES", "IMPROVES"]
    own = api.send("PATCH", here, {"entity_types": ["ship", "sea port", "Ship"]}).json()
    assert own["types"]["entities"] == own["entity_types"] == ["SHIP", "SEA_PORT"]
    assert own["token_budget"] == 5000, "what is not named stays"
    unknown = api.send("PATCH", here, {"money_budget": "2.50"})
    assert (unknown.status_code, unknown.json()["code"]) == (400, "prices_unknown")
    settings.LLM_BASE_URL = "http://llm.local/v1"
    settings.LLM_PRICE_INPUT = settings.LLM_PRICE_OUTPUT = Decimal(1)
    assert api.send("PATCH", here, {"money_budget": "2.50"}).json()["money_budget"] == "2.5000"
    for wrong in ({"token_budget": -1}, {"ontology": "magic"}, {"extractor": "oracle"}):
        refused = api.send("PATCH", here, wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    many = api.send("PATCH", here, {"entity_types": [f"T{n}" for n in range(99)]})
    assert many.json()["code"] == "many_types"
    assert api.send("PATCH", here, {"token_budget": None}).json()["token_budget"] is None


@pytest.mark.django_db(transaction=True)
def test_of_two_changes_at_the_same_moment_both_stay(
    alice: User, contracts: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, first_has_read = f"data-sources/{contracts.pk}/extraction", threading.Event()
    change = extraction.change_extraction

    def slowly(datasource: Datasource, **chosen: Any) -> None:
        if not first_has_read.is_set():
            first_has_read.set()
            time.sleep(0.5)
        change(datasource, **chosen)

    monkeypatch.setattr(extraction, "change_extraction", slowly)

    def send(told: dict[str, Any]) -> int:
        try:
            return Api(alice).send("PATCH", here, told).status_code
        finally:
            connections.close_all()  # of this thread

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(send, {"ontology": "research"})
        assert first_has_read.wait(PATIENCE)
        second = pool.submit(send, {"token_budget": 5000})
        assert [first.result(), second.result()] == [200, 200]
    stored = GraphSettings.objects.of(contracts)
    assert (stored.ontology, stored.token_budget) == ("research", 5000)


def test_the_estimate_comes_before_the_first_call(bob: User, graph: Datasource, settings: Any) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "reader"
    settings.LLM_PRICE_INPUT = settings.LLM_PRICE_OUTPUT = Decimal(10)
    here = f"data-sources/{graph.pk}/extraction/estimate"
    told = Api(bob).get(here).json()
    assert (told["chunks"], told["calls"], told["cached"], told["fits"]) == (3, 3, 0, True)
    tokens = told["prompt_tokens"] + told["completion_tokens"]
    assert Decimal(told["money"]) == tokens * Decimal(10) / 10**6
    GraphSettings.objects.create(datasource=graph, token_budget=tokens - 1)
    assert Api(bob).get(here).json()["fits"] is False


def test_failed_chunks_are_listed_and_queued_again(
    editor: User, bob: User, charlie: User, graph: Datasource
) -> None:
    private = create_datasource(charlie, "Private")
    upload(private, TEXTS[1])
    failed = {
        chunk.pk: ChunkExtraction.objects.create(
            chunk=chunk,
            datasource=chunk.datasource,
            document=chunk.document,
            error="It does not fit.",
            state=ExtractionState.FAILED,
        )
        for chunk in Chunk.objects.all()
    }
    api, here = Api(editor), f"data-sources/{graph.pk}/extraction"
    listed = Api(bob).get(f"{here}/failed").json()
    assert listed["count"] == 3
    first = listed["results"][0]["chunk"]
    assert listed["results"][0]["error"] == "It does not fit."
    foreign = Chunk.objects.get(datasource=private).pk
    assert api.post(f"{here}/retry", {"chunks": [first, foreign]}).json() == {"retried": 1}
    assert api.post(f"{here}/retry", {"chunks": []}).json() == {"retried": 0}
    assert api.get(f"{here}/failed").json()["count"] == 2
    assert api.post(f"{here}/retry").json() == {"retried": 2}
    failed[foreign].refresh_from_db()
    assert failed[foreign].state == ExtractionState.FAILED


# --- who -------------------------------------------------------------------------------------------------
def test_nothing_of_another_datasource_is_told(bob: User, charlie: User, graph: Datasource) -> None:
    private = create_datasource(charlie, "Private")
    (document,) = upload(private, "Zanzibar Holdings owns Halden Foods in Leeds.")
    one = entity(private, "halden foods")
    api, here = Api(bob), f"data-sources/{graph.pk}"
    for path in (
        f"{here}/entities?document={document.pk}",
        f"{here}/entities?q=halden",
        f"{here}/relations?document={document.pk}",
        f"{here}/relations?entity={one.pk}",
        f"{here}/graph/export/jsonl",
        f"entities/{one.pk}",
        f"entities/{one.pk}/mentions",
        f"relations/{Relation.objects.filter(datasource=private).first().pk}",  # type: ignore[union-attr]
    ):
        answer = api.get(path)
        assert answer.status_code == (404 if path.startswith(("entities", "relations")) else 200)
        assert b"Halden" not in content_of(answer), path


def test_a_viewer_decides_nothing(bob: User, graph: Datasource) -> None:
    before = picture(graph)
    here = f"data-sources/{graph.pk}"
    apple = entity(graph, "apple").pk
    for answer in (
        Api(bob).post(f"{here}/decisions", {"kind": "hide", "entity": apple}),
        Api(bob).upload(f"{here}/graph/import", file=SimpleUploadedFile("a.jsonl", b"{}")),
        Api(bob).send("PATCH", f"{here}/extraction", {"ontology": "research"}),
        Api(bob).post(f"{here}/extraction/retry"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert picture(graph) == before
