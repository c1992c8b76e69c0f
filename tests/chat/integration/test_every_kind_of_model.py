"""Models that cannot do all that an agent needs, or that misbehave: an answer is never worse than it would be
without a model, and a program can tell what it is.
"""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from answering.models import Models
from chat import services
from chat.exports import as_json, as_markdown
from chat.models import Turn, TurnStatus
from chat.turns.run import run_turn
from citations.choices import OnPage, Support
from datasources.models import Datasource
from events import log
from providers.connections.dialects import dialect_of, remember, remember_unsearched
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from providers.protocols.dialect import Dialect, Rung
from tests.factories import add_passages, make_document
from tests.openai_server import ScriptedOpenAI, ScriptedReply, error_reply, text_reply, tools_reply

pytestmark = pytest.mark.django_db(transaction=True)

NOTICE = "The Customer may terminate this Agreement on not less than sixty (60) days' written notice."
PASSAGES = [
    {"title": "Termination", "text": f"2.1 {NOTICE} The Supplier has no such right."},
    {"title": "Liability", "text": "9.3 Liability under this Agreement is capped at EUR 180,000 a year."},
    {"title": "Invoices", "text": "Invoices are payable within thirty days of receipt."},
]
QUESTION = "On how much notice may the Customer terminate the Agreement?"
PROSE = "The Customer may terminate this Agreement on not less than sixty (60) days' written notice."
SEARCH = ("search_literal", {"words": "may terminate this Agreement", "limit": 1})
CARRIES = {Support.SUPPORTED, Support.FACTS_AGREE}
CITED = f"You may terminate on at least sixty days' written notice /citation[c1, {NOTICE}]."


@pytest.fixture
def agreement(contracts: Datasource, alice: User, work: Any) -> Datasource:
    add_passages(contracts, alice, PASSAGES, "agreement.jsonl")
    work()
    return contracts


Script = Callable[[dict[str, Any]], ScriptedReply]


def ask(
    user: User,
    datasource: Datasource,
    script: list[ScriptedReply] | Script,
    question: str = QUESTION,
    dialect: Dialect | None = None,
    timeout: float = 60.0,
    tested: bool = False,
) -> Turn:
    """Ask, and run the turn against scripted replies. tested: the model has been, and can do all."""
    turn = services.ask(user, datasource, question, queued=False)
    with ScriptedOpenAI(script) as server:
        model = OpenAIChat(server.base_url, "k", "scripted", timeout, dialect=dialect)
        if tested:
            remember(server.base_url, "scripted", Dialect(reads=900.0, writes=90.0))
        unsearched = partial(remember_unsearched, server.base_url, "scripted")
        models = Models(answers=model, embedder=embedder(), remember_unsearched=unsearched)
        if not model.dialect.searches:
            models = models.without_search
        asyncio.run(run_turn(turn.pk, models))
        turn.requests = server.requests  # type: ignore[attr-defined]
        turn.rung = dialect_of(server.base_url, "scripted").rung  # type: ignore[attr-defined]
    turn.refresh_from_db()
    return turn


def requests(turn: Turn) -> list[dict[str, Any]]:
    return turn.requests  # type: ignore[attr-defined]


def codes(turn: Turn) -> set[str]:
    return {notice["code"] for notice in turn.notices}


def text_call(name: str, arguments: dict[str, Any]) -> ScriptedReply:
    call = json.dumps({"name": name, "arguments": arguments})
    return text_reply(f"```json\n{call}\n```")


def test_calls_that_are_written_as_text_are_made(agreement: Datasource, alice: User) -> None:
    turn = ask(alice, agreement, [text_call(*SEARCH), text_call("answer", {"found": "all", "answer": CITED})])
    assert turn.status == TurnStatus.ANSWERED
    assert turn.citations.get().support in CARRIES
    assert [step["tool"] for step in turn.steps] == ["search_literal"]


def test_a_refusal_that_is_written_as_a_call_is_one_when_it_is_to_search_again(
    agreement: Datasource, alice: User
) -> None:
    """The answer is not among the tools then; what the model writes all the same is not shown as JSON."""
    refuses = text_call("answer", {"found": "none", "answer": ""})
    turn = ask(alice, agreement, [text_call(*SEARCH), refuses, refuses])
    assert turn.status == TurnStatus.NOT_FOUND
    assert "{" not in turn.answer
    assert len(requests(turn)) == 3


def test_a_server_without_tools_is_asked_for_json(agreement: Datasource, alice: User) -> None:
    def script(request: dict[str, Any]) -> ScriptedReply:
        if "tools" in request:
            return error_reply(400, "this model does not support tools")
        said = request["messages"][-1]["content"]
        name, arguments = ("answer", {"found": "all", "answer": CITED}) if "c1" in said else SEARCH
        return text_reply(json.dumps({"name": name, "arguments": arguments}))

    turn = ask(alice, agreement, script)
    assert turn.status == TurnStatus.ANSWERED
    assert turn.citations.get().on_page == OnPage.EXACT
    form = requests(turn)[-1]["response_format"]["json_schema"]["schema"]
    assert "search_literal" in form["properties"]["name"]["enum"]
    assert all(message["role"] != "tool" for message in requests(turn)[-1]["messages"])


def test_a_model_that_only_writes_gets_passages_and_code_finds_its_quotes(
    agreement: Datasource, alice: User
) -> None:
    turn = ask(alice, agreement, [text_reply(f"{PROSE} [1]")], dialect=Dialect(rung=Rung.PLAIN))
    assert turn.status == TurnStatus.ANSWERED
    assert turn.answer.startswith(PROSE)
    assert turn.citations.get(n=1).support in CARRIES
    (request,) = requests(turn)
    assert "tools" not in request
    assert NOTICE in request["messages"][-1]["content"]
    assert request["messages"][-1]["content"].index(NOTICE) < request["messages"][-1]["content"].index(
        QUESTION
    )


def test_what_it_makes_up_is_not_shown_where_it_proves_nothing(agreement: Datasource, alice: User) -> None:
    lie = "Termination requires the approval of nine ministers and a royal seal."
    turn = ask(alice, agreement, [text_reply(lie)], dialect=Dialect(rung=Rung.PLAIN))
    assert turn.status == TurnStatus.QUOTES
    assert [citation.quote for citation in turn.citations.all()] == [f"2.1 {NOTICE}"]
    assert "ministers" not in turn.answer
    assert "ministers" not in str([event.data for event in log.read(turn.channel)]), "nor for a moment"
    assert codes(turn) == {"declined"}


def test_what_it_makes_up_beside_what_is_proven_is_marked(agreement: Datasource, alice: User) -> None:
    lie = "It requires the approval of nine ministers and a royal seal."
    turn = ask(alice, agreement, [text_reply(f"{lie} {PROSE}")], dialect=Dialect(rung=Rung.PLAIN))
    assert turn.status == TurnStatus.ANSWERED
    assert as_json(turn)["unsourced"]


def test_a_figure_that_it_gets_wrong_stands_above_the_right_one(agreement: Datasource, alice: User) -> None:
    wrong = "The Customer may terminate this Agreement on not less than ninety (90) days' written notice."
    turn = ask(alice, agreement, [text_reply(wrong)], dialect=Dialect(rung=Rung.PLAIN))
    assert turn.citations.get(n=1).support == Support.CONTRADICTED
    assert turn.answer.startswith(wrong)
    assert f"> 2.1 {NOTICE}" in turn.answer, "the words that would have been shown without a model"


def test_all_that_would_be_shown_without_it_stands_there(agreement: Datasource, alice: User) -> None:
    asked = f"{QUESTION[:-1]}, and what is liability capped at?"
    turn = ask(alice, agreement, [text_reply(PROSE)], question=asked, dialect=Dialect(rung=Rung.PLAIN))
    quotes = [citation.quote for citation in turn.citations.all()]
    assert any(NOTICE in quote for quote in quotes)
    assert any("EUR 180,000" in quote for quote in quotes), "the model has left it out"
    assert turn.answer.count(NOTICE) == 1, "what it quotes is not shown again"


@pytest.mark.parametrize(
    "said", ["They do not say.", "The provided documents do not mention a notice period"]
)
def test_where_it_finds_no_answer_the_documents_own_words_say_so(
    agreement: Datasource, alice: User, said: str
) -> None:
    turn = ask(alice, agreement, [text_reply(said)], dialect=Dialect(rung=Rung.PLAIN))
    assert turn.status == TurnStatus.QUOTES
    assert NOTICE in turn.citations.get(n=1).quote
    assert said not in turn.answer
    assert codes(turn) == {"declined"}
    assert not as_json(turn)["error"]


def test_it_is_not_asked_where_no_passage_answers(agreement: Datasource, alice: User) -> None:
    turn = ask(
        alice, agreement, [], question="Who won the world cup in 1998?", dialect=Dialect(rung=Rung.PLAIN)
    )
    assert turn.status == TurnStatus.NOT_FOUND
    assert requests(turn) == []


def test_a_slow_model_is_searched_for_and_reads_less(agreement: Datasource, alice: User) -> None:
    slow = Dialect(reads=20.0, writes=9.0)
    turn = ask(alice, agreement, [text_reply(PROSE)], dialect=slow)
    assert turn.status == TurnStatus.ANSWERED
    assert requests(turn)[0]["max_tokens"] < 1_000
    steps = [event.data.get("step") or {} for event in log.read(turn.channel)]
    assert any("about 40 s" in step.get("doing", "") for step in steps)


@pytest.mark.parametrize(("tested", "rung"), [(False, Rung.PLAIN), (True, Rung.FORCED)])
def test_an_answer_from_nothing_is_searched_for_and_remembered_of_untested_models(
    agreement: Datasource, alice: User, tested: bool, rung: Rung
) -> None:
    """One answer does not lower a tested model for everybody: a document may have asked it not to search."""
    talks = [text_reply("Sixty days, I believe.")] * 2
    turn = ask(alice, agreement, [*talks, text_reply(PROSE)], tested=tested)
    assert turn.status == TurnStatus.ANSWERED
    assert turn.answer.startswith(PROSE)
    assert turn.rung == rung  # type: ignore[attr-defined]
    assert "unsearched" in codes(turn)
    shown = [event.data["text"] for event in log.read(turn.channel) if event.kind == "answer_delta"]
    assert shown
    assert not [text for text in shown if "believe" in text]


def test_an_answer_without_citations_gets_them_from_code(agreement: Datasource, alice: User) -> None:
    answered = tools_reply(("answer", {"found": "all", "answer": f"{PROSE} That is all."}))
    turn = ask(alice, agreement, [tools_reply(SEARCH), answered])
    assert turn.status == TurnStatus.ANSWERED
    assert turn.citations.get().support in CARRIES
    assert "attached" in codes(turn)
    assert len(requests(turn)) == 2


def test_else_it_is_asked_for_quotes_once(agreement: Datasource, alice: User) -> None:
    vague = tools_reply(("answer", {"found": "all", "answer": "After two months, roughly."}))
    proven = tools_reply(("answer", {"found": "all", "answer": CITED}))
    turn = ask(alice, agreement, [tools_reply(SEARCH), vague, proven])
    assert turn.status == TurnStatus.ANSWERED
    assert turn.answer.startswith("You may terminate")
    assert "roughly" not in turn.answer


def test_else_it_is_shown_as_unproven(agreement: Datasource, alice: User, client: Client) -> None:
    vague = tools_reply(("answer", {"found": "all", "answer": "After two months, roughly."}))
    turn = ask(alice, agreement, [tools_reply(SEARCH), vague, vague])
    assert turn.status == TurnStatus.UNPROVEN
    told = as_json(turn)
    assert (told["status"], told["answer"]) == ("unproven", "After two months, roughly.")
    assert "Not proven by your documents" in as_markdown(turn)
    client.force_login(alice)
    address = reverse("conversation", args=[agreement.pk, turn.conversation_id])
    page = client.get(address).content.decode()
    assert "Nothing here proves it." in page
    assert "prose unproven" in page
    assert NOTICE in turn.nearest[0]["text"], "what the documents say is seen beside it"
    assert "Closest passages, for you to judge" in page


def test_a_lying_model_is_no_worse_than_none(agreement: Datasource, alice: User) -> None:
    lie = tools_reply(
        ("answer", {"found": "all", "answer": "Nine years /citation[c1, nine long years of notice]."})
    )
    turn = ask(alice, agreement, [tools_reply(SEARCH), lie])
    assert turn.status == TurnStatus.QUOTES
    assert NOTICE in turn.citations.get(n=1).quote
    assert "model_failed" in codes(turn)
    assert as_json(turn)["error"]["code"]


@pytest.mark.parametrize(
    "reply",
    [
        error_reply(401, repeat=True),
        error_reply(400, "no", repeat=True),
        text_reply("", repeat=True),
        text_reply(" " * 3000, repeat=True),
        text_reply("ok ok " * 600, repeat=True),
        tools_reply(("answer", '{"found": "all", "answer": "' + "\\n" * 600), repeat=True),
    ],
    ids=["no key", "refuses all", "says nothing", "white space", "a loop", "a loop within a call"],
)
def test_a_model_that_fails_is_no_worse_than_none(
    agreement: Datasource, alice: User, reply: ScriptedReply
) -> None:
    turn = ask(alice, agreement, [reply])
    assert turn.status == TurnStatus.QUOTES, turn.error_message
    assert NOTICE in turn.citations.get(n=1).quote
    assert codes(turn) & {"model_failed", "unsearched"}


@pytest.mark.parametrize("text", ["\n" * 4000, " " * 4000])
def test_white_space_of_one_that_only_writes_is_no_answer(
    agreement: Datasource, alice: User, text: str
) -> None:
    turn = ask(alice, agreement, [text_reply(text, repeat=True)], dialect=Dialect(rung=Rung.PLAIN))
    assert turn.status == TurnStatus.QUOTES
    assert NOTICE in turn.citations.get(n=1).quote


def test_a_failure_stays_one_where_the_documents_do_not_answer_either(
    agreement: Datasource, alice: User
) -> None:
    turn = ask(alice, agreement, [error_reply(401)], question="Who won the world cup in 1998?")
    assert turn.status == TurnStatus.FAILED
    assert "refuses the API key" in turn.error_message


def test_a_loop_is_cut_and_what_stood_before_it_is_kept(agreement: Datasource, alice: User) -> None:
    text = f"{CITED} " + "The notice must be in writing. " * 60
    turn = ask(alice, agreement, [tools_reply(SEARCH), tools_reply(("answer", {"answer": text}))])
    assert turn.status == TurnStatus.PARTIAL
    assert turn.answer.count("The notice must be in writing.") <= 2
    assert "began to repeat itself" in turn.notices[0]["text"]


def test_every_request_says_how_long_a_reply_may_be(agreement: Datasource, alice: User) -> None:
    turn = ask(
        alice,
        agreement,
        [tools_reply(SEARCH), tools_reply(("answer", {"found": "all", "answer": CITED}))],
    )
    assert all(request["max_tokens"] <= 8_000 for request in requests(turn))
    assert all(request["temperature"] == 0 for request in requests(turn))


def test_the_list_of_documents_costs_no_call(agreement: Datasource, alice: User) -> None:
    turn = ask(alice, agreement, [], question="Which documents do you have?")
    assert turn.status == TurnStatus.ANSWERED
    assert "- Termination" in turn.answer
    assert "- Liability" in turn.answer
    assert as_json(turn)["unsourced"] == 0
    assert requests(turn) == []


def test_a_long_list_of_documents_ends_with_how_many_more_there_are(
    agreement: Datasource, alice: User
) -> None:
    for number in range(60):
        make_document(agreement, f"Zone {number:02}", "Text.")
    turn = ask(alice, agreement, [], question="Which documents do you have?")
    assert turn.answer.startswith("There are 63 documents here:")
    assert turn.answer.endswith("- and 13 more")
    assert turn.answer.count("\n- ") == 51


def test_an_exact_repeat_costs_no_call(agreement: Datasource, alice: User) -> None:
    answered = tools_reply(("answer", {"found": "all", "answer": CITED}))
    first = ask(alice, agreement, [tools_reply(SEARCH), answered])
    again = ask(alice, agreement, [], question=f" {QUESTION.lower().rstrip('?')} ")
    assert again.reused_from_id == first.pk
    assert again.intent == first.intent
    assert requests(again) == []


def test_a_simple_question_costs_two_calls_and_few_tokens(agreement: Datasource, alice: User) -> None:
    answered = tools_reply(("answer", {"found": "all", "answer": CITED}))
    turn = ask(alice, agreement, [tools_reply(SEARCH), answered])
    assert len(requests(turn)) == 2
    told = requests(turn)[1]
    passages = sum(len(message["content"]) for message in told["messages"] if message["role"] == "tool")
    assert (len(json.dumps(told)) - passages) / 4 <= 4_000
