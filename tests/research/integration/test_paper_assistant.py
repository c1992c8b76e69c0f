"""Programs of a paper assistant: a topic becomes papers with what ties them, and questions about them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache

from accounts.api_tokens import make_token
from accounts.models import TokenScope, User
from datasources.models import Datasource, Document, DocumentStatus
from desks.research.api import topic_graphs
from desks.research.models import Paper
from graph.models import Entity
from tests.factories import make_document
from tests.research.arxiv_server import Arxiv, say
from tests.research.world import ABSTRACTS, TITLES, arxiv_here
from tests.rest import Api, program, while_working

pytestmark = pytest.mark.django_db(transaction=True)

LANTERN = "2401.00001"
QUESTION = "How many pictures of lights does HarbourLights have?"


@pytest.fixture
def arxiv(settings: Any, monkeypatch: Any, tmp_path: Path) -> Iterator[Arxiv]:
    cache.clear()
    with arxiv_here(settings, monkeypatch, tmp_path) as server:
        yield server


def post(api: Api, path: str, body: Any) -> Any:
    return api.client.post(f"/api/{path}", body, content_type="application/json", headers=api.headers)


def built(api: Api, work: Any, topic: str = "lanterns", **more: Any) -> Any:
    return while_working(work, lambda: post(api, "build_graph", {"topic": topic, **more}))


def test_papers_on_a_topic_come_with_what_ties_them(arxiv: Arxiv, alice: User, work: Any) -> None:
    answer = built(program(alice)[0], work, max_results=4, layout="force")
    told = answer.json()
    assert (answer.status_code, told["complete"]) == (200, True)
    nodes = {node["id"]: node for node in told["nodes"]}
    assert len(nodes) == 4
    assert nodes[LANTERN]["title"] == TITLES[LANTERN]
    assert nodes[LANTERN]["summary"] == ABSTRACTS[LANTERN]
    assert nodes[LANTERN]["authors"] == ["Ada Byron", "Carl Gauss", "Emmy Noether"]
    assert LANTERN in nodes[LANTERN]["link"]
    assert told["edges"]
    assert all(edge["weight"] > 0.3 for edge in told["edges"])
    assert all({edge["source"], edge["target"]} <= set(nodes) for edge in told["edges"])
    named = {node["name"]: node["type"] for node in told["knowledge_graph"]["nodes"]}
    assert "LanternSort" in named
    ties = told["knowledge_graph"]["edges"]
    assert any({tie["source"], tie["target"]} == {"LanternSort", "WickNet"} for tie in ties)
    assert all(tie["relation"] for tie in ties)
    session = Datasource.objects.get(pk=told["session_id"])
    assert (session.name, session.owner) == ("Papers: lanterns", alice)
    assert not arxiv.paths("/pdf/"), "the abstracts alone were asked for"


def test_the_same_topic_again_is_the_same_session(arxiv: Arxiv, alice: User, work: Any) -> None:
    api = program(alice)[0]
    first, second = (built(api, work).json() for _ in range(2))
    assert first["session_id"] == second["session_id"]
    assert Paper.objects.count() == len(TITLES)


def test_an_answer_says_what_is_missing_and_tells_nothing_hidden(
    arxiv: Arxiv, alice: User, work: Any, monkeypatch: Any
) -> None:
    api = program(alice)[0]
    session = built(api, work).json()["session_id"]
    Entity.objects.filter(datasource=session, name="LanternSort").update(hidden=True)
    monkeypatch.setattr("chat.api.waiting.PATIENCE", 1.5)
    Document.objects.filter(datasource=session).update(status=DocumentStatus.EMBEDDING)
    told = built(api, work).json()
    assert (told["complete"], len(told["nodes"])) == (False, len(TITLES))
    known = told["knowledge_graph"]
    assert known["nodes"]
    assert "LanternSort" not in {node["name"] for node in known["nodes"]}
    assert "LanternSort" not in {tie[end] for tie in known["edges"] for end in ("source", "target")}


def test_a_program_whose_token_has_ended_is_told_nothing_more(alice: User, contracts: Datasource) -> None:
    """Nor is waited for: its request ends."""
    make_document(contracts, status=DocumentStatus.EMBEDDING)
    token = make_token(alice, name="Graph", scopes=TokenScope, datasource_ids=None, days=1)[0]
    alice.api_token = token
    wanted = topic_graphs.Wanted(search=uuid4(), reader=alice, topic="lanterns", most=5)
    assert topic_graphs._read(wanted, contracts.pk) is None
    assert topic_graphs._graph(wanted, contracts.pk, [], True)[0] == 200
    token.delete()
    assert topic_graphs._read(wanted, contracts.pk) == contracts.pk
    assert topic_graphs._graph(wanted, contracts.pk, [], True)[0] == 404


def test_questions_are_about_the_papers_that_were_chosen(arxiv: Arxiv, alice: User, work: Any) -> None:
    api = program(alice)[0]
    session = built(api, work).json()["session_id"]
    asked = {"action": "chat", "session_id": session, "query": QUESTION, "use_hybrid": True}
    answer = while_working(work, lambda: post(api, "agent_action", asked))
    assert "900 pictures" in answer.json()["response"]
    chosen = {**asked, "selected_papers": [{"id": LANTERN}, f"https://arxiv.org/abs/{LANTERN}"]}
    told = while_working(work, lambda: post(api, "agent_action", chosen)).json()
    assert {source["title"] for source in told["sources"]} <= {TITLES[LANTERN]}
    nothing = post(api, "agent_action", {**asked, "selected_papers": ["1706.03762"]})
    assert (nothing.status_code, nothing.json()["code"]) == (400, "no_papers")


def test_a_session_is_nobody_elses(arxiv: Arxiv, alice: User, charlie: User, work: Any) -> None:
    session = built(program(alice)[0], work).json()["session_id"]
    asked = {"action": "chat", "session_id": session, "query": "What is LanternSort?"}
    assert post(program(charlie)[0], "agent_action", asked).status_code == 404
    assert post(program(charlie)[0], "agent_action", {**asked, "session_id": "../1"}).status_code == 404


def test_what_a_program_may_not_do_is_refused(arxiv: Arxiv, alice: User, contracts: Datasource) -> None:
    topic = {"topic": "lanterns"}
    assert post(Api(), "build_graph", topic).status_code == 401
    assert post(program(alice, TokenScope.ASK)[0], "build_graph", topic).status_code == 403
    assert post(program(alice, only=[contracts])[0], "build_graph", topic).status_code == 403
    for wrong in ({}, {"topic": ""}, {"topic": "x" * 501}, {**topic, "max_results": 0}):
        answer = post(program(alice)[0], "build_graph", wrong)
        assert (answer.status_code, answer.json()["success"]) == (400, False), wrong
    other = post(program(alice)[0], "agent_action", {"action": "delete", "session_id": "1", "query": "x"})
    assert other.status_code == 400
    assert not arxiv.paths("/api/")


def test_an_arxiv_that_fails_is_told_in_words(arxiv: Arxiv, alice: User, work: Any) -> None:
    arxiv.next = [say(b"no feed")] * 9
    answer = built(program(alice)[0], work)
    assert (answer.status_code, answer.json()["code"]) == (502, "SEARCH_FAILED")
    assert answer.json()["error"]
    assert not Datasource.objects.filter(owner=alice, name__startswith="Papers").exists()
