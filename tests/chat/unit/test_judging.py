"""The judge of an answer's claims, asked over the wire after the check by code."""

import json
from typing import Any

import pytest

from chat.answering.stages import judging
from chat.events import ClaimsJudged
from chat.models import Citation, TurnStatus
from providers.openai.chat import OpenAIChat
from providers.openai.structured import OpenAIStructured
from tests.chat.agent import Seen, answer_now, runner
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, error_reply, text_reply, tools_reply

WROTE = tools_reply(("answer", {"answer": "Liability is capped.", "found": "all"}))
CLAIM = "Liability is capped at EUR 180,000."


def opinion(supported: Any, reason: str = "It says so.", **options: Any) -> ScriptedReply:
    return text_reply(json.dumps({"reason": reason, "supported": supported}), **options)


def citation(support: str, reason: str = "", claim: str = CLAIM) -> Citation:
    values = {"n": 1, "claim": claim, "quote": "capped at EUR 180,000", "before": "Liability is"}
    return Citation(on_page="exact", support=support, reason=reason, **values)


def judged(*citations: Citation, replies: list[ScriptedReply]) -> tuple[Seen, list[dict[str, Any]]]:
    with ScriptedOpenAI([WROTE, *replies]) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model=MODEL)
        judge = OpenAIStructured(server.base_url, "k", MODEL)
        seen = answer_now(model, runner(), citations=citations, judge=judge)
        return seen, server.requests[1:]


def line(seen: Seen) -> tuple[str, str]:
    """What the trace says of the second opinion, and how it looks."""
    step = seen.of(ClaimsJudged)[-1].step
    return step.text, step.state


def test_both_opinions_are_kept_when_they_agree() -> None:
    one = citation("supported")
    seen, requests = judged(one, replies=[opinion(True)])
    assert (one.support, one.reason) == ("supported", "")
    assert one.judge == {"supported": True, "reason": "It says so.", "model": MODEL}
    assert seen.revised == [one]
    told = json.loads(requests[0]["messages"][1]["content"])
    assert told == {
        "claim": CLAIM, "quote": "capped at EUR 180,000", "passage": "Liability is capped at EUR 180,000",
    }  # fmt: skip
    assert line(seen) == (f"{MODEL} finds 1 of 1 claim supported", "")
    assert seen.work.outcome == TurnStatus.ANSWERED


def test_a_judge_that_disagrees_takes_the_green_away() -> None:
    one = citation("supported")
    seen, _ = judged(one, replies=[opinion(False, "The quote names no contract year.")])
    assert (one.support, one.reason) == ("needs_your_eye", "The quote names no contract year.")
    assert line(seen) == (f"{MODEL} finds 0 of 1 claim supported", "w")


@pytest.mark.parametrize("support", ["needs_your_eye", "contradicted"])
def test_a_judge_can_not_make_a_claim_green(support: str) -> None:
    one = citation(support, "The quote says “may”, the claim “must”.")
    judged(one, replies=[opinion(True, "Near enough.")])
    assert (one.support, one.reason) == (support, "The quote says “may”, the claim “must”.")
    assert one.judge["supported"] is True
    assert one.judge["reason"] == "Near enough."


@pytest.mark.parametrize(
    "reply",
    [
        error_reply(500),
        error_reply(401),
        text_reply("I would rather not say."),
        text_reply('{"supported": "perhaps", "reason": 3}'),
        text_reply("[" * 5000),
        text_reply(""),
    ],
)
def test_a_judge_that_fails_leaves_the_check_by_code_alone(reply: ScriptedReply) -> None:
    one = citation("supported")
    seen, _ = judged(one, replies=[reply])
    assert (one.support, one.judge) == ("supported", {})
    assert line(seen) == ("No answer; the check by code stands alone", "w")
    assert seen.work.outcome == TurnStatus.ANSWERED


def test_a_fault_of_the_program_is_told_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def ask(*args: object) -> None:
        raise TypeError("a fault of the program")

    monkeypatch.setattr(judging.judge, "ask", ask)
    one = citation("supported")
    judged(one, replies=[])
    assert (one.support, one.judge) == ("supported", {})
    assert "a fault of the program" in caplog.text


def test_a_slow_judge_holds_no_answer_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "TIME_LIMIT", 0.5)
    quick, slow = citation("supported", claim="Quick."), citation("supported", claim="Slow.")
    replies = [opinion(True, when='"Quick.'.replace('"', '\\"')), opinion(False, when="Slow.", delay=30)]
    seen, _ = judged(quick, slow, replies=replies)
    assert quick.judge["supported"] is True
    assert (slow.support, slow.judge) == ("supported", {})
    text = f"{MODEL} finds 1 of 1 claim supported; no answer about 1, where the check by code stands alone"
    assert line(seen) == (text, "w")


def test_quotes_that_carry_no_claim_are_not_judged() -> None:
    seen, requests = judged(citation("none", claim=""), replies=[opinion(True)])
    assert not requests
    assert not seen.of(ClaimsJudged)


def test_what_the_judge_costs_is_counted() -> None:
    seen, _ = judged(citation("supported"), replies=[opinion(True, usage=(100, 20))])
    assert seen.work.usage.prompt_tokens == 107
    assert seen.work.usage.completion_tokens == 25


def test_a_reason_is_one_line_that_can_be_stored() -> None:
    one = citation("supported")
    judged(one, replies=[opinion(False, "Two\nlines\x00and \ud800 " + "long " * 500)])
    assert one.reason.startswith("Two lines\ufffdand \ufffd long")
    assert len(one.reason) <= 500
    assert one.reason.isprintable()
