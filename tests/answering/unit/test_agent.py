"""The agent's loop against a server that speaks the OpenAI protocol: rounds, tools, stages, how it ends."""

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError
from django.utils.translation import override

from answering.stages.registry import ORDER
from answering.stages.stage import Stage
from answering.state.reply import partial_answer
from answering.state.work import Rephrased, Work
from answering.tools.passages import read
from answering.tools.runner import SearchFailed
from answering.values.events import (
    RoundStarted,
    StageFinished,
    StageSkipped,
    StageStarted,
    ToolCalled,
    ToolReturned,
)
from answering.values.outcome import Outcome
from citations.checked import CheckedQuote
from citations.choices import OnPage, Support
from localization.stored import told
from providers.openai.chat import OpenAIChat
from providers.protocols import Message, ProviderError
from retrieval.tools.tool import Note
from tests.answering.agent import CREDULOUS, Seen, answer_now, make_tool, passage, query, runner
from tests.openai_server import ScriptedOpenAI, error_reply, text_reply, tools_reply
from tests.processes import PATIENCE

SUPPORTING = CheckedQuote(on_page=OnPage.EXACT, support=Support.SUPPORTED)
DOUBTFUL = CheckedQuote(on_page=OnPage.EXACT, support=Support.NEEDS_EYE)
ABSENT = CheckedQuote(on_page=OnPage.ABSENT)

SEARCH = tools_reply(("search", {"query": "why"}))
HISTORY = [Message(role="user", content="before"), Message(role="assistant", content="then")]


def answered(text: str = "x", found: str = "all") -> Any:
    return tools_reply(("answer", {"answer": text, "found": found}))


def echo(arguments: Mapping[str, Any]) -> list[Any]:
    return [passage(len(query(arguments)), query(arguments))]


def fail(arguments: Mapping[str, Any]) -> list[Any]:
    raise ZeroDivisionError


def answer(*replies: Any, search: Any = echo, **options: Any) -> tuple[Seen, list[dict[str, Any]]]:
    """Run the agent over scripted replies; what it did, and the requests that the server saw."""
    tools = runner(make_tool("search", search), make_tool("broken", fail, label="Break"))
    with ScriptedOpenAI(list(replies)) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="m")
        return answer_now(model, tools, **options), list(server.requests)


def results(request: dict[str, Any]) -> list[str]:
    """What the model is told of its calls."""
    return [message["content"] for message in request["messages"] if message["role"] == "tool"]


def offered(request: dict[str, Any]) -> list[str]:
    return [tool["function"]["name"] for tool in request["tools"]]


def test_search_then_answer() -> None:
    calls = tools_reply(("search", {"query": "why"}), ("broken", {"query": "x"}))
    seen, requests = answer(calls, answered("Because. /citation[c1, so]"), history=HISTORY)
    begun = seen.kinds.index("round_started")
    assert seen.kinds[begun:][:4] == ["round_started", "stage_finished", "tool_called", "tool_called"]
    returned = {event.tool: event for event in seen.of(ToolReturned)}
    assert (returned["search"].hits, returned["search"].ok) == (1, True)
    assert (returned["broken"].hits, returned["broken"].ok) == (0, False)
    assert (seen.text, seen.written.found) == ("Because. /citation[c1, so]", "all")
    assert seen.work.usage.prompt_tokens > 0
    assert [m["role"] for m in requests[0]["messages"]] == ["system", "user", "assistant", "user"]
    assert requests[0]["tool_choice"] == "required"
    assert offered(requests[0]) == ["search", "broken", "answer"]
    found, failed = results(requests[1])
    assert [(one.key, one.text) for one in read(found)] == [("c1", "why")]
    assert failed == "The tool failed. Try another."


def test_the_trace_says_what_a_search_had_to_do_without() -> None:
    why = "Without other wordings: The model took too long."
    tool = make_tool("search", echo, with_note=lambda *_: ([passage(1, "so")], Note(without=why)))
    with ScriptedOpenAI([SEARCH, answered()]) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="m")
        seen = answer_now(model, runner(tool))
        told = results(server.requests[1])
    (step,) = [event.step for event in seen.of(ToolReturned)]
    assert (step.text, step.found, step.state) == (f"why. {why}", "1 hit", "w")
    assert "wordings" not in told[0]  # nothing that a model should answer from


def test_passages_get_their_keys_in_the_order_of_the_calls_whichever_was_quicker() -> None:
    def search(arguments: Mapping[str, Any]) -> list[Any]:
        time.sleep(0.1 if query(arguments) == "slow" else 0)
        return echo(arguments)

    calls = tools_reply(("search", {"query": "slow"}), ("search", {"query": "quick"}))
    seen, requests = answer(calls, answered(), search=search)
    assert [event.step.text for event in seen.of(ToolReturned)] == ["quick", "slow"]
    told = [passage for content in results(requests[1]) for passage in read(content)]
    assert [(one.key, one.text) for one in told] == [("c1", "slow"), ("c2", "quick")]


def test_a_passage_that_is_found_twice_keeps_its_key() -> None:
    other = tools_reply(("search", {"query": "how"}))  # as long, which makes it the same passage
    seen, requests = answer(SEARCH, other, answered())
    first, again = results(requests[2])
    assert [each.key for each in read(first)] == ["c1"]
    assert (read(again), json.loads(again)["shown_before"]) == ([], ["c1"])
    assert list(seen.work.means.tools.by_key) == ["c1"]


def test_the_calls_of_a_round_run_together() -> None:
    all_are_there = threading.Barrier(4, timeout=PATIENCE)  # each call waits until four of them are running

    def search(arguments: Mapping[str, Any]) -> list[Any]:
        all_are_there.wait()
        return echo(arguments)

    calls = tools_reply(*[("search", {"query": "x" * n}) for n in range(1, 5)])
    seen, _ = answer(calls, answered(), search=search)
    assert [event.ok for event in seen.of(ToolReturned)] == [True] * 4
    order = [event.kind for event in seen.events if isinstance(event, ToolCalled | ToolReturned)]
    assert order == ["tool_called"] * 4 + ["tool_returned"] * 4


def test_the_answer_is_seen_while_it_is_written() -> None:
    text = "The first part of a rather long answer, and then its second part."
    seen, _ = answer(answered(text, found="some"))
    assert len(seen.texts) > 2
    assert all(text.startswith(part) for part in seen.texts)
    assert (seen.text, seen.written.found) == (text, "some")


def test_the_last_round_offers_the_answer_alone() -> None:
    seen, requests = answer(SEARCH, SEARCH, answered(found="none"), rounds=3)
    assert [event.round for event in seen.of(RoundStarted)] == [1, 2, 3]
    assert offered(requests[2]) == ["answer"]
    assert "last round" in requests[2]["messages"][-1]["content"]
    assert seen.written.found == "none"


def test_a_model_that_keeps_searching_still_ends() -> None:
    seen, requests = answer(SEARCH, SEARCH, rounds=2)
    assert len(requests) == 2
    assert (seen.text, seen.written.found, seen.work.outcome) == ("", "none", Outcome.NOT_FOUND)


def test_plain_text_is_taken_as_the_answer() -> None:
    seen, _ = answer(text_reply("Just so."))
    assert (seen.text, seen.written.found) == ("Just so.", "all")


@pytest.mark.parametrize(
    ("call", "told", "shown"),
    [
        (("search", "{not json"), "The arguments were not a JSON object.", "bad arguments"),
        (("search", "[1]"), "The arguments were not a JSON object.", "bad arguments"),
        (("delete_all", {"query": "x"}), "There is no tool called delete_all.", "x: unknown tool"),
        (("broken", {"query": "x"}), "The tool failed. Try another.", "x: failed"),
    ],
)
def test_a_call_that_cannot_be_run_is_told_to_the_model(call: Any, told: str, shown: str) -> None:
    seen, requests = answer(tools_reply(call), answered())
    (returned,) = seen.of(ToolReturned)
    assert (returned.ok, returned.step.state, returned.step.text) == (False, "f", shown)
    assert results(requests[1]) == [told]
    assert seen.text == "x"


@pytest.mark.parametrize(
    "outage",
    [
        ProviderError("The embedding server is away.", transient=True),
        OperationalError("the connection is lost"),
    ],
)
def test_an_outage_during_a_search_is_raised_and_no_answer(outage: Exception) -> None:
    def search(arguments: Mapping[str, Any]) -> list[Any]:
        raise outage

    with pytest.raises(type(outage)):
        answer(SEARCH, answered("", found="none"), search=search)


def test_nothing_is_called_not_found_when_a_tool_broke() -> None:
    with pytest.raises(SearchFailed) as error:
        answer(tools_reply(("broken", {"query": "x"})), answered("", found="none"))
    assert "broken" in error.value.message


def test_a_busy_server_is_a_passing_failure() -> None:
    with pytest.raises(ProviderError) as error:
        answer(error_reply(429, retry_after=1))
    assert error.value.transient


@pytest.mark.parametrize(
    ("found", "citations", "outcome"),
    [
        ("all", [SUPPORTING, ABSENT], Outcome.ANSWERED),
        ("some", [DOUBTFUL], Outcome.PARTIAL),
        ("all", [], Outcome.UNPROVEN),
        ("none", [SUPPORTING], Outcome.NOT_FOUND),
    ],
)
def test_an_answer_is_worth_what_its_quotes_are(
    found: str, citations: list[CheckedQuote], outcome: Outcome
) -> None:
    seen, _ = answer(answered(found=found), citations=citations)
    assert seen.work.outcome == outcome


def test_an_answer_all_of_whose_quotes_are_invented_has_failed() -> None:
    with pytest.raises(ProviderError, match="Nothing that the model wrote is in your documents"):
        answer(answered(), citations=[ABSENT])


def test_every_stage_is_timed() -> None:
    seen, _ = answer(SEARCH, answered())
    finished = [event.stage for event in seen.of(StageFinished)]
    assert finished == [
        *("classifying", "planning", "searching", "ranking", "compressing", "planning", "answering"),
        "checking",
    ]
    assert seen.of(StageStarted)[0].step.label == "Write"


class Rewriting(Stage):
    """A stage that the product does not have."""

    name, label, icon = "rewriting", "Rewrite", "pencil"

    def is_due(self, work: Work) -> bool:
        return work.asked.question == "Why?"

    async def run(self, work: Work) -> None:
        work.asked = replace(work.asked, question="Why is that so?")
        work.rephrased = Rephrased(question="Why is that so?")
        await work.means.emit(StageStarted(stage=self.name, step=self.step("rewriting", "Why is that so?")))


def test_another_stage_takes_its_turn_when_it_is_due() -> None:
    seen, requests = answer(SEARCH, answered(), order=replace(ORDER, first=(Rewriting(), *ORDER.first)))
    assert seen.kinds[:3] == ["stage_started", "stage_finished", "question_understood"]
    assert requests[0]["messages"][-1]["content"].startswith("Why is that so?\n")


def test_a_stage_can_be_switched_off() -> None:
    seen, _ = answer(answered(), order=CREDULOUS.without("checking"))
    assert (seen.text, seen.work.outcome) == ("x", None)


@pytest.mark.parametrize(
    "stage",
    [stage for stage in ORDER.stages if stage.time_limit is not None],
    ids=lambda stage: str(stage.name),
)
def test_whichever_stage_breaks_the_answer_comes_and_says_what_was_left_out(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(work: Work) -> None:
        raise RuntimeError

    monkeypatch.setattr(stage, "run", broken)
    monkeypatch.setattr(stage, "is_on", lambda work: True)
    monkeypatch.setattr(stage, "is_due", lambda work: True)
    seen, _ = answer(SEARCH, answered(), citations=[SUPPORTING])
    assert (seen.text, seen.work.outcome) == ("x", Outcome.ANSWERED)
    assert {event.stage for event in seen.of(StageSkipped)} == {stage.name}
    (notice,) = [notice for notice in seen.work.notices if notice.code == f"{stage.name}_skipped"]
    assert notice.text.endswith(" There was a fault in SVQ.")
    with override("de"):
        german = told(notice.text, notice.words)
    assert german.endswith(" Es gab einen Fehler in SVQ.")
    assert not set(notice.text.split(". ")) & set(german.split(". "))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("", ""),
        ('{"ans', ""),
        ('{"answer": "Ha', "Ha"),
        ('{"answer": "a\\', "a"),
        ('{"answer": "a\\nb", "fou', "a\nb"),
        ('{"found": "all", "answer": "x"}', "x"),
        ("[1, 2", ""),
    ],
)
def test_partial_answers(arguments: str, text: str) -> None:
    assert partial_answer(arguments) == text


def test_words_that_are_no_passages_are_read_as_none() -> None:
    assert read("There is no such tool.") == []
    assert read(json.dumps(["a list"])) == []


@pytest.mark.parametrize("arguments", ['["so"]', '{"answer": null}', '{"answer": 5}', "[" * 200, "null"])
def test_an_answer_that_cannot_be_read_is_worth_another_try(arguments: str) -> None:
    with pytest.raises(ProviderError) as error:
        answer(tools_reply(("answer", arguments)))
    assert error.value.transient
    assert "can't be read" in error.value.message


@pytest.mark.parametrize("arguments", [{"found": "none"}, {"answer": "", "found": "nothing"}])
def test_an_answer_that_only_says_that_nothing_was_found_is_one(arguments: dict[str, str]) -> None:
    seen, _ = answer(tools_reply(("answer", arguments)))
    assert (seen.text, seen.written.found) == ("", "none")


def test_nothing_that_postgres_cannot_keep_comes_out_of_a_reply() -> None:
    seen, _ = answer(tools_reply(("search", {"query": "wh\0y"})), answered("Be\0cause \ud800."))
    assert seen.text == "Be\ufffdcause \ufffd."
    assert seen.of(ToolReturned)[0].step.text == "wh\ufffdy"
    assert answer(text_reply("Just\0so."))[0].text == "Just\ufffdso."
