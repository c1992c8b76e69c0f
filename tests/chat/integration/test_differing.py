"""Documents that answer one question differently, with a model and without one."""

import asyncio
import re
from typing import Any

import pytest

from accounts.models import User
from chat import services
from chat.answering.models import Models, quotes_model
from chat.answering.run import run_turn
from chat.exports import as_json
from chat.models import Turn
from datasources.models import Datasource
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from tests.factories import add_passages
from tests.openai_server import ScriptedOpenAI, ScriptedReply, tools_reply

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = "The Supplier shall back up Customer Data every night and shall keep each backup for 35 days."
PREVAILS = "If this Agreement conflicts with anything stated in a questionnaire, this Agreement prevails."
PASSAGES = [
    {
        "title": "Master services agreement",
        "text": f"1.2 {PREVAILS}\n\n12.2 {KEPT} It tests a restoration each quarter.",
    },
    {
        "title": "Security questionnaire",
        "text": "How long do you keep backups? Nightly backups are kept for 90 days.",
    },
    {"title": "Lecture notes", "text": "An inverted index maps each term to the documents that contain it."},
]
QUESTION = "How long are backups kept?"


@pytest.fixture
def agreement(contracts: Datasource, alice: User, work: Any) -> Datasource:
    add_passages(contracts, alice, PASSAGES, "agreement.jsonl")
    work()
    return contracts


def ask(user: User, datasource: Datasource, question: str = QUESTION, script: Any = None) -> Turn:
    turn = services.ask(user, datasource, question, queued=False)
    if script is None:
        asyncio.run(run_turn(turn.pk, Models(answers=quotes_model(), embedder=embedder())))
    else:
        with ScriptedOpenAI(script) as server:
            model = OpenAIChat(server.base_url, "k", "scripted", 60)
            asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
    turn.refresh_from_db()
    return turn


def sides(turn: Turn) -> list[tuple[str, str]]:
    """The document and the value of each side."""
    told = []
    for side in turn.differ["sides"]:
        citation = turn.citations.get(n=side["citation"])
        start, end = side["value"]
        told.append((citation.document_title, citation.quote[start:end]))
    return told


BOTH = [("Master services agreement", "35 days"), ("Security questionnaire", "90 days")]


def test_without_a_model_both_documents_are_quoted_and_the_sentence_that_ranks_them(
    agreement: Datasource, alice: User
) -> None:
    turn = ask(alice, agreement)
    assert sorted(sides(turn)) == BOTH
    ranked = turn.citations.get(n=turn.differ["ranked_by"])
    assert PREVAILS in ranked.quote


def test_what_a_model_leaves_out_is_quoted_below_its_answer(agreement: Datasource, alice: User) -> None:
    search = ("search_chunks", {"query": "backups are kept", "limit": 5})

    def script(request: dict[str, Any]) -> ScriptedReply:
        read = request["messages"][-1]["content"]
        if (found := re.search(r'"key": "(c\d+)", "document": "Master', read, re.DOTALL)) is None:
            return tools_reply(search)
        cited = f"Backups are kept for 35 days /citation[{found[1]}, {KEPT}]."
        return tools_reply(("answer", {"found": "all", "answer": cited}))

    turn = ask(alice, agreement, script=script)
    assert turn.answer.startswith("Backups are kept for 35 days")
    assert sides(turn) == BOTH
    assert as_json(turn)["unsourced"] == 0
