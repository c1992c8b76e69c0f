"""A question that needs a whole document, through a real turn: nothing is missed, nothing is read twice."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as settings_module
from django.urls import reverse

from accounts.models import User
from answering.models import models_for
from chat import services
from chat.models import Turn, TurnStatus
from chat.turns.run import run_turn
from chat.web.answers.rendering import turn_address
from chat.wording import explanation
from citations.choices import OnPage
from datasources.models import Datasource, Document
from retrieval.query import Scope
from retrieval.whole_documents import characters_of, passages_of, readable
from tests.factories import make_document
from tests.openai_server import ScriptedOpenAI, text_reply, tools_reply
from tests.people import browser_of
from tests.processes import url_of_test_database, with_models

pytestmark = pytest.mark.django_db(transaction=True)

THINGS = ("anchors", "bolts", "candles", "doors", "engines", "flags", "gloves", "hammers", "inks", "jackets")
WEATHER = " ".join(f"The weather of day {day} was recorded by nobody in particular." for day in range(110))
TEXT = " ".join(f"{WEATHER} The Supplier shall deliver {thing}." for thing in THINGS)
ASKED = "List all obligations of the Supplier."
DUTY = re.compile(r"The Supplier shall deliver (\w+)")


def reply(request: dict[str, Any]) -> Any:
    """Chooses the sentences with duties, and lists what it is given."""
    if request.get("tools"):
        told = json.loads(next(m["content"] for m in request["messages"] if m["role"] == "tool"))
        found = [(each["key"], duty) for each in told["passages"] for duty in DUTY.finditer(each["text"])]
        lines = [f"- Deliver {duty[1]} /citation[{key}, {duty[0]}]." for key, duty in found]
        return tools_reply(("answer", {"found": "all", "answer": "\n".join(lines)}))
    if "You read one part" not in request["messages"][0]["content"]:
        return text_reply(json.dumps({"statements": [], "answers": "wholly", "missing": ""}))
    part = request["messages"][-1]["content"]
    numbers = [int(number) for number, text in re.findall(r"\[(\d+)\] (.*)", part) if DUTY.search(text)]
    return text_reply(json.dumps({"sentences": numbers}))


@pytest.fixture
def server(settings: Any) -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(reply) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        yield server


@pytest.fixture
def agreement(contracts: Datasource) -> Document:
    return make_document(contracts, "Arden agreement", TEXT)


def parts_read(server: ScriptedOpenAI) -> int:
    return sum("You read one part" in request["messages"][0]["content"] for request in server.requests)


def test_every_item_of_a_long_document_is_listed_with_its_quote(
    server: ScriptedOpenAI, agreement: Document, bob: User
) -> None:
    turn = services.ask(bob, agreement.datasource, ASKED, queued=False)
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    assert turn.status == TurnStatus.ANSWERED
    citations = turn.citations.order_by("n")
    assert [citation.on_page for citation in citations] == [OnPage.EXACT] * len(THINGS)
    assert [citation.quote.rpartition(" ")[2] for citation in citations] == list(THINGS)
    page = browser_of(bob).get(turn_address(turn), follow=True).content.decode()
    assert "Read from beginning to end: Arden agreement (1 page)." in page
    assert f"{parts_read(server)} of {parts_read(server)} parts read" in page


def test_after_a_kill_no_part_is_read_again(
    server: ScriptedOpenAI, agreement: Document, bob: User, tmp_path: Path
) -> None:
    turn = services.ask(bob, agreement.datasource, ASKED)
    environment = {
        "DATABASE_URL": url_of_test_database(),
        "SVQ_DATA_DIR": str(with_models(tmp_path)),
        "DJANGO_SETTINGS_MODULE": "svq_site.settings",
        "SVQ_LLM_BASE_URL": server.base_url,
        "SVQ_LLM_MODEL": "scripted",
    }
    killed = subprocess.run(
        [sys.executable, "-m", "tests.killed", "answering.stages.reading", "texts_of", "before"],
        cwd=settings_module.BASE_DIR,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    read = parts_read(server)
    assert read > 2
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    assert (turn.status, turn.citations.count()) == (TurnStatus.ANSWERED, len(THINGS))
    assert parts_read(server) == read


def test_only_documents_in_the_scope_of_the_question_are_read(
    contracts: Datasource, agreement: Document, bob: User
) -> None:
    other = make_document(contracts, "Beacon lease", "The rent is due monthly.")
    scope = Scope(user_id=bob.pk, datasource_id=contracts.pk, document_ids=frozenset({other.pk}))
    assert [each.title for each in readable(scope)] == ["Beacon lease"]
    assert [each.document_id for each in passages_of(scope, [agreement.pk, other.pk])] == [other.pk]
    assert characters_of(scope, [agreement.pk]) == 0


RENT = "The rent of the Beacon lease is due monthly."


@pytest.fixture
def leases(contracts: Datasource) -> list[Document]:
    """More documents than are all meant where none is named."""
    return [
        make_document(contracts, "Arden agreement", "The Customer pays the fee within 30 days."),
        make_document(
            contracts,
            "Beacon lease",
            "The rent of the Beacon lease is due monthly. The tenant may end the lease.",
        ),
        make_document(contracts, "Cole deed", "The accounts are summarized in the Beacon lease each year."),
        make_document(contracts, "Dale report", "Nobody summarised this contract, nor compared these two."),
    ]


def answered(user: User, documents: list[Document], question: str, *, after: Turn | None = None) -> Turn:
    conversation = after.conversation if after else None
    chosen = None if len(documents) > 2 else [each.pk for each in documents]
    turn = services.ask(
        user,
        documents[0].datasource,
        question,
        conversation=conversation,
        queued=False,
        document_ids=chosen,
    )
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    return turn


def page_of(turn: Turn) -> str:
    client = browser_of(turn.conversation.user)
    return " ".join(client.get(turn_address(turn), follow=True).content.decode().split())


@pytest.mark.parametrize(
    ("question", "name", "shown"),
    [
        ("Compare how the fee and the rent are paid", "compare_documents", [0]),
        ("Summarise the Beacon lease", "document_glance", [1]),
        (ASKED, "document_glance", [0, 1]),
    ],
)
def test_without_a_model_pages_that_need_none_are_named(
    leases: list[Document], bob: User, question: str, name: str, shown: list[int]
) -> None:
    turn = answered(bob, leases[:2], question)
    assert turn.quotes_only
    assert [notice["code"] for notice in turn.notices] == ["needs_model"]
    said = page_of(turn)
    assert "No language model is connected. So SVQ cannot write a" in said
    assert "These are only the closest passages." in said
    for number in shown:
        assert f'href="{reverse(name, args=[turn.conversation.datasource_id, leases[number].pk])}' in said
    assert "None of the 2 chosen documents answers" not in explanation(turn)


def test_of_a_document_that_is_named_only_its_own_words_are_quoted(leases: list[Document], bob: User) -> None:
    turn = answered(bob, leases, "Summarise the beacon-lease")
    assert {citation.document_title for citation in turn.citations.all()} <= {"Beacon lease"}
    assert {near["title"] for near in turn.nearest} <= {"Beacon lease"}
    assert turn.citations.exists() or turn.nearest


@pytest.mark.parametrize(
    "question", ["Summarise this contract", "compare these two", "Give me a short summary"]
)
@pytest.mark.parametrize("follows", [True, False])
def test_where_nothing_says_what_it_is_about_only_the_way_to_go_on_is_shown(
    leases: list[Document], bob: User, question: str, follows: bool
) -> None:
    before = answered(bob, leases, "Who may end the lease?") if follows else None
    turn = answered(bob, leases, question, after=before)
    assert turn.status == TurnStatus.ANSWERED
    assert [notice["code"] for notice in turn.notices] == ["needs_model"]
    assert not turn.citations.exists()
    assert not turn.nearest
    said = page_of(turn)
    assert "So SVQ cannot write a" in said
    assert "without a source" not in said  # they are SVQ's own words
    name = "documents" if "compare" in question else "glance"
    assert f'href="{reverse(name, args=[turn.conversation.datasource_id])}"' in said


def test_a_question_after_a_summary_is_none(leases: list[Document], bob: User) -> None:
    before = answered(bob, leases, "Summarise the Beacon lease")
    turn = answered(bob, leases, "And who may end it?", after=before)
    assert "needs_model" not in [notice["code"] for notice in turn.notices]


def test_a_summary_of_a_matter_is_looked_for_by_the_matter(leases: list[Document], bob: User) -> None:
    turn = answered(bob, leases, "Summarise who may end the lease")
    quotes = [citation.quote for citation in turn.citations.all()] + [near["text"] for near in turn.nearest]
    assert any("may end the lease" in quote for quote in quotes)
    assert not any("ummari" in citation.quote for citation in turn.citations.all())


def test_with_a_model_that_may_not_answer_none_is_said_to_be_missing(
    leases: list[Document], bob: User
) -> None:
    turn = services.ask(bob, leases[0].datasource, "Summarise the Beacon lease", queued=False)
    models = replace(models_for(turn.conversation.datasource, bob.pk), is_connected=True)
    asyncio.run(run_turn(turn.pk, models))
    turn.refresh_from_db()
    (notice,) = turn.notices
    assert "No language model answers this question. So SVQ cannot write a summary." in notice["text"]
