"""The judge that plays its role by the settings, for one claim and on the command line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from citations.judge import judge_support
from citations.statements import Statement
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, text_reply


def opinion(why: str) -> ScriptedReply:
    one = {"id": 1, "quoted": "", "verdict": "neither", "why": why}
    return text_reply(json.dumps({"statements": [one], "answers": "wholly", "missing": ""}))


pytestmark = pytest.mark.django_db(transaction=True)


def test_a_single_claim_is_judged_by_the_role_s_server(settings: Any) -> None:
    with ScriptedOpenAI([opinion("B is not A.")]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, MODEL
        found = judge_support(Statement(n=1, claim="A.", quote="B.", sentence="B. Or so."))
    assert (found.says, found.reason, found.model) == ("neither", "B is not A.", MODEL)


def test_the_judge_can_take_green_back_and_both_opinions_are_kept(tmp_path: Path, settings: Any) -> None:
    file = tmp_path / "pairs.jsonl"
    pair = {"claim": "Sales rose.", "quote": "Sales rose."}
    file.write_text(json.dumps(pair), encoding="utf-8")
    with ScriptedOpenAI([opinion("It is not in it.")]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = server.base_url, "m", "k"
        out = io.StringIO()
        call_command("check_claims", str(file), "--judge", stdout=out)
    (told,) = [json.loads(line) for line in out.getvalue().splitlines()]
    assert (told["supported"], told["support"], told["reason"]) == (
        False,
        "needs_your_eye",
        "m does not find the claim in the quote: It is not in it.",
    )
    assert told["judge"]["supported"] is False
    assert all(each["passed"] for each in told["checks"])


def test_the_judge_confirms_what_code_cannot_tell_and_nothing_that_code_objects_to(
    tmp_path: Path, settings: Any
) -> None:
    quote = "Backups shall be retained for thirty-five days."
    claims = {"They hold on to backups for 35 days.": True, "They hold on to backups for 90 days.": False}
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(json.dumps({"claim": one, "quote": quote}) for one in claims), encoding="utf-8")
    yes = {"id": 1, "quoted": "retained for thirty-five days", "verdict": "supports", "why": ""}
    reply = text_reply(json.dumps({"statements": [yes], "answers": "wholly", "missing": ""}))
    with ScriptedOpenAI([reply, reply]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = server.base_url, "m", "k"
        out = io.StringIO()
        call_command("check_claims", str(file), "--judge", stdout=out)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert {each["claim"]: each["supported"] for each in told} == claims
    assert [each["confirmed_by"] for each in told] == ["reader", ""]
