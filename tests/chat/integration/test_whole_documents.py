"""A question that needs a whole document, through a real turn: nothing is missed, nothing is read twice."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as settings_module
from django.urls import reverse

from accounts.models import User
from chat import services
from chat.answering.run import run_turn
from chat.models import OnPage, TurnStatus
from chat.web.rendering import turn_address
from chat.wording import explanation
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
        [sys.executable, "-m", "tests.killed", "chat.answering.stages.reading", "texts_of", "before"],
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


@pytest.mark.parametrize(
    ("question", "name", "absent"),
    [
        ("Compare these two", "compare_documents", ([], [])),
        ("Summarise the Beacon lease", "document_glance", ([], [])),
        (ASKED, "document_glance", (["obligations", "Supplier"], ["Supplier"])),
    ],
)
def test_without_a_model_pages_that_need_none_are_named(
    contracts: Datasource, bob: User, question: str, name: str, absent: Any
) -> None:
    first = make_document(contracts, "Arden agreement", "The Customer pays within 30 days.")
    second = make_document(contracts, "Beacon lease", "The rent is due monthly.")
    turn = services.ask(bob, contracts, question, queued=False, document_ids=[first.pk, second.pk])
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    assert turn.quotes_only
    assert [notice["code"] for notice in turn.notices] == ["needs_model"]
    said = " ".join(browser_of(bob).get(turn_address(turn), follow=True).content.decode().split())
    assert "is written by a language model that reads whole documents" in said
    shown = second if "Beacon" in question else first
    assert f'href="{reverse(name, args=[contracts.pk, shown.pk])}' in said
    assert (turn.search.get("words_absent", []), turn.search.get("names_absent", [])) == absent
    assert "None of the 2 chosen documents answers" not in explanation(turn)
