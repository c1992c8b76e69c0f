"""Runs: what they measure, that they go on after a kill, keep to their budget and forget what is purged."""

import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as settings_module
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils.translation import override
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from answering.values.personal_data import PersonalData
from batches.budget import Budget
from chat.models import AnswerSettings
from datasources.models import Datasource, Membership, Role
from desks.evaluation.models import Kind, Origin, PaidReply, QuestionSet, Result, Run, RunStatus
from desks.evaluation.questions.draft import Draft
from desks.evaluation.questions.services import add_questions, create_set, delete_set
from desks.evaluation.reports.summary import summary_of
from desks.evaluation.reports.thresholds import Threshold, failures
from desks.evaluation.runs import run as running
from desks.evaluation.runs.forgetting import without_documents
from desks.evaluation.runs.masking import mask_results
from desks.evaluation.runs.run import carry_on
from desks.evaluation.runs.services import go_on, start_runs, stop
from events.models import Event
from ingestion.lifecycle.purging import purge
from jobs.runs import Stopped
from providers.spending.models import Spending
from tests.evaluation.world import proof, question_set, started
from tests.factories import make_document
from tests.openai_server import ScriptedOpenAI, ScriptedReply, text_reply
from tests.people import browser_of
from tests.processes import url_of_test_database, with_models
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_run_answers_every_question_and_scores_it(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    run = started(question_set(contracts, alice), alice)
    work()
    run.refresh_from_db()
    assert (run.status, run.error_message) == (RunStatus.DONE, "")
    single = run.question_results.get(question__kind=Kind.SINGLE)
    assert single.scores["completeness"] == 1.0
    assert single.scores["adherence"] == 1.0
    assert 0 < single.scores["relevance"] <= 1
    assert single.scores["recall_at_5"] == single.scores["mrr"] == 1.0
    assert any(passage["gold"] and passage["used"] for passage in single.passages)
    assert [citation["title"] for citation in single.citations] == ["Questionnaire"]
    assert single.trace
    multi = run.question_results.get(question__kind=Kind.MULTI)
    assert multi.scores["recall_at_5"] == 1.0
    absent = run.question_results.get(question__kind=Kind.NONE)
    assert absent.refused
    assert "completeness" not in absent.scores
    assert "relevance" not in absent.scores
    told = summary_of(run)
    assert (told.asked, told.answered, told.failed) == (3, 3, 0)


def test_a_killed_run_goes_on_where_it_was(contracts: Datasource, alice: User, monkeypatch: Any) -> None:
    run = started(question_set(contracts, alice), alice)
    asked: list[str] = []
    answer = running.answer

    async def dies_at_the_second(question: str, *args: Any) -> Any:
        asked.append(question)
        if len(asked) == 2:
            raise KeyboardInterrupt  # as hard as a kill: nothing is tidied up
        return await answer(question, *args)

    monkeypatch.setattr(running, "answer", dies_at_the_second)
    with pytest.raises((KeyboardInterrupt, BaseExceptionGroup)):
        async_to_sync(carry_on)(run.pk)
    assert run.question_results.count() == 1
    async_to_sync(carry_on)(run.pk)
    run.refresh_from_db()
    assert run.status == RunStatus.DONE
    assert run.question_results.count() == 3
    assert len(asked) == 4, "the finished question was not asked again"


def test_a_run_takes_turns_with_other_work(contracts: Datasource, alice: User) -> None:
    run = started(question_set(contracts, alice), alice)
    Run.objects.filter(pk=run.pk).update(job_id=None)
    async_to_sync(carry_on)(run.pk, seconds=-1)
    run.refresh_from_db()
    assert run.status == RunStatus.RUNNING
    assert run.job_id is not None, "it is queued again"
    assert run.run_token is None


def test_a_frozen_worker_writes_nothing_any_more(
    contracts: Datasource, alice: User, monkeypatch: Any
) -> None:
    run = started(question_set(contracts, alice), alice)
    answer = running.answer

    async def taken_over(question: str, *args: Any) -> Any:
        await running.WORK.run(lambda: Run.objects.filter(pk=run.pk).update(run_token=uuid.uuid4()))
        return await answer(question, *args)

    monkeypatch.setattr(running, "answer", taken_over)
    async_to_sync(carry_on)(run.pk)
    assert not run.question_results.exists()


def ends_told(run: Run) -> list[str]:
    """What the event log has of it, for webhooks."""
    ends = Event.objects.filter(kind="run_finished", data__run=run.pk).order_by("seq")
    return [end.data["status"] for end in ends]


def test_a_run_is_stopped_and_goes_on(contracts: Datasource, alice: User, work: Callable[[], None]) -> None:
    run = started(question_set(contracts, alice), alice)
    assert stop(run)
    assert not stop(run)
    assert ends_told(run) == ["stopped"]
    work()
    run.refresh_from_db()
    assert (run.status, run.question_results.count()) == (RunStatus.STOPPED, 0)
    go_on(run)
    work()
    run.refresh_from_db()
    assert (run.status, run.question_results.count()) == (RunStatus.DONE, 3)
    with pytest.raises(ValidationError, match="Start another"):
        go_on(run)


def test_its_settings_and_questions_are_frozen(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made = question_set(contracts, alice)
    run = started(made, alice, "fast,graph=off,legs=bm25")
    made.questions.filter(kind=Kind.NONE).update(until=2)
    made.write(version=2)
    work()
    run.refresh_from_db()
    assert run.question_results.count() == 3, "those of the version that it names"
    assert run.frozen["legs"] == ["bm25"]
    assert run.frozen["graph"] is False
    assert run.frozen["chunking"]["size"] == contracts.chunk_size
    assert run.label == "Fast, no graph, bm25"
    assert set(run.question_results.first().legs) == {"fused", "bm25"}  # type: ignore[union-attr]


def test_variants_run_side_by_side_each_once(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    runs = start_runs(alice, made, ["graph=off", "graph=on", "agent", "search"])
    assert [run.number for run in runs] == [1, 2, 3]
    with pytest.raises(ValidationError, match="not part of a variant"):
        start_runs(alice, made, ["graph=sideways"])


def test_the_search_alone_is_measured_without_an_answer(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    run = started(question_set(contracts, alice), alice, "search")
    work()
    result = run.question_results.get(question__kind=Kind.SINGLE)
    assert result.scores["recall_at_5"] == 1.0
    assert "completeness" not in result.scores
    assert (result.answer, result.outcome) == ("", "searched")


def test_who_may_not_edit_any_more_does_not_spend(
    contracts: Datasource, alice: User, bob: User, work: Callable[[], None]
) -> None:
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    run = started(question_set(contracts, alice), bob)
    Membership.objects.filter(user=bob).delete()
    work()
    run.refresh_from_db()
    assert (run.status, run.error_code) == (RunStatus.FAILED, "no_access")
    assert ends_told(run) == ["failed"]


@pytest.mark.parametrize("gone", ["deleted", "switched off"])
def test_nobody_pays_for_a_person_who_is_gone(
    contracts: Datasource, alice: User, bob: User, work: Callable[[], None], gone: str
) -> None:
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    run = started(question_set(contracts, alice), bob)
    if gone == "deleted":
        Run.objects.update(asked_by=None)
    else:
        User.objects.filter(pk=bob.pk).update(is_active=False)
    work()
    run.refresh_from_db()
    assert (run.status, run.error_code) == (RunStatus.FAILED, "no_access")


def test_results_lose_what_was_read_and_not_cited_of_a_purged_document() -> None:
    result = Result(
        outcome="not_found",
        answer="Not found.",
        trace=[{"text": "Read “Secrets”"}],
        passages=[{"document": 7, "gold": False}, {"document": 8, "gold": False}],
        judged={"scores": {"adherence": 1.0}, "statements": [{"text": "Not found.", "reason": "A secret."}]},
    )
    assert without_documents(result, [7])
    assert "ecret" not in json.dumps([result.trace, result.passages, result.judged])
    assert (result.answer, result.judged["scores"]) == ("Not found.", {"adherence": 1.0})
    assert len(result.passages) == 1


def test_results_lose_the_words_of_a_purged_document(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    run = started(question_set(contracts, alice), alice)
    work()
    document = contracts.documents.get(title="Questionnaire")
    receipt = purge(document, alice)
    assert receipt.removed["evaluation_answers"] > 0
    kept = json.dumps(list(run.question_results.values("answer", "citations", "passages", "trace", "judged")))
    assert "thirty days" not in kept
    assert run.question_results.get(question__kind=Kind.SINGLE).scores["completeness"] == 1.0


# --- with a model ----------------------------------------------------------------------------------------
def scripted(request: dict[str, Any]) -> ScriptedReply:
    """Searches once, then answers with a quote of the first passage; as judge, finds everything supported."""
    told = json.dumps(request, ensure_ascii=False)
    if "You check an answer against the passages" in told:
        return text_reply(
            json.dumps(
                {
                    "relevant": ["p1s1"],
                    "used": ["p1s1"],
                    "statements": [{"key": "a1", "reason": "It says so.", "supported": True}],
                }
            )
        )
    if "You rate how well passages" in told:
        return text_reply(json.dumps({"ratings": [{"number": n, "rating": 9 - n} for n in range(1, 9)]}))
    if not any(message["role"] == "tool" for message in request["messages"]):
        return ScriptedReply(tools=[("search_chunks", {"query": request["messages"][-1]["content"]})])
    if "mascot" in request["messages"][1]["content"]:
        return ScriptedReply(tools=[("answer", {"answer": "Not found.", "found": "none"})])
    quote = "Backups are kept for thirty days in a second region."
    answer = f"{quote} /citation[c1, {quote}]"
    return ScriptedReply(tools=[("answer", {"answer": answer, "found": "all"})])


@pytest.fixture
def server(settings: Any) -> Any:
    with ScriptedOpenAI(scripted) as running:
        settings.LLM_BASE_URL, settings.LLM_MODEL = running.base_url, "scripted"
        settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = 1000, 2000
        yield running


@pytest.fixture
def dear(settings: Any) -> Any:
    """Each of its replies costs 4,500 tokens, and 5 in money."""
    with ScriptedOpenAI(lambda request: replace(scripted(request), usage=(4_000, 500))) as running:
        settings.LLM_BASE_URL, settings.LLM_MODEL = running.base_url, "scripted"
        settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = 1000, 2000
        yield running


def test_a_model_is_measured_and_paid_once(
    contracts: Datasource, alice: User, server: Any, monkeypatch: Any
) -> None:
    run = started(question_set(contracts, alice), alice)
    record = running._record
    monkeypatch.setattr(running, "AT_ONCE", 1)

    def is_cut_off(*args: Any) -> None:
        raise Stopped  # after the model has answered, before anything is written down

    monkeypatch.setattr(running, "_record", is_cut_off)
    async_to_sync(carry_on)(run.pk)
    assert not run.question_results.exists()
    paid = len(server.requests)
    assert paid
    monkeypatch.setattr(running, "_record", record)
    async_to_sync(carry_on)(run.pk)
    run.refresh_from_db()
    assert run.status == RunStatus.DONE
    bodies = [json.dumps(request, sort_keys=True) for request in server.requests]
    assert len(bodies) == len(set(bodies)), "no request was sent twice"
    single = run.question_results.get(question__kind=Kind.SINGLE)
    assert single.outcome == "answered"
    assert single.scores["completeness"] == 1.0
    assert single.scores["carries_claim"] == 1.0
    assert single.tokens == 24
    assert float(single.money or 0) == pytest.approx((14 * 1000 + 10 * 2000) / 1e6)
    assert run.question_results.get(question__kind=Kind.NONE).refused
    assert not PaidReply.objects.exists()


@pytest.mark.parametrize("limit", [{"token_budget": 12_000}, {"money_budget": Decimal(12)}])
def test_a_run_stops_within_its_budget_and_goes_on_without_one(
    contracts: Datasource, alice: User, dear: ScriptedOpenAI, work: Callable[[], None], limit: dict[str, Any]
) -> None:
    run = start_runs(alice, question_set(contracts, alice), **limit)[0]
    work()
    run.refresh_from_db()
    assert run.status == RunStatus.HELD
    assert len(dear.requests) == 2, "a third might go beyond it, though questions are asked side by side"
    assert (run.spent_tokens, run.spent_money) == (9_000, Decimal(10))
    page = browser_of(alice).get(reverse("evaluation", args=[contracts.pk]) + f"?run={run.number}")
    assert "The budget of this run is used up. Go on with a larger one." in text_of(page)
    go_on(run)
    work()
    assert len(dear.requests) == 2, "it keeps its budget"
    end = reverse("evaluation_end", args=[contracts.pk, run.number])
    browser_of(alice).post(end, {"action": "go_on"} | dict.fromkeys(limit, ""))
    work()
    run.refresh_from_db()
    assert (run.status, run.question_results.count()) == (RunStatus.DONE, 3)
    bodies = [json.dumps(request, sort_keys=True) for request in dear.requests]
    assert len(bodies) == len(set(bodies)), "what was paid before the budget ended is not paid again"


@pytest.mark.parametrize("held_by", ["token_budget", "money_budget"])
def test_going_on_takes_no_limit_away_that_nobody_has_taken_away(
    contracts: Datasource, alice: User, dear: ScriptedOpenAI, settings: Any, held_by: str
) -> None:
    run = started(question_set(contracts, alice), alice)
    spent: dict[str, int | Decimal] = {"token_budget": 9_000, "money_budget": Decimal(10)}
    limits = spent | {"token_budget": 20_000, "money_budget": Decimal(50)} | {held_by: spent[held_by]}
    run.write(status=RunStatus.HELD, spent_tokens=9_000, spent_money=10, **limits)
    client = browser_of(alice)
    page = client.get(reverse("evaluation", args=[contracts.pk]) + f"?run={run.number}").content.decode()
    shown = {"token_budget": "11000", "money_budget": "40"} | {held_by: "0"}
    for name, mode in (("token_budget", "numeric"), ("money_budget", "decimal")):
        assert f'name="{name}" inputmode="{mode}" value="{shown[name]}"' in page
    end = reverse("evaluation_end", args=[contracts.pk, run.number])
    for fields, told in (
        ({}, "Go on with another limit, or with none."),
        (shown, "Go on with another limit, or with none."),
        (shown | {held_by: "-1"}, "The limit must be a number above 0."),
    ):
        refused = client.post(end, {"action": "go_on"} | fields, follow=True)
        assert told in text_of(refused)
        run.refresh_from_db()
        assert run.status == RunStatus.HELD
    settings.LLM_PRICE_INPUT = settings.LLM_PRICE_OUTPUT = 0
    unpriced = client.post(end, {"action": "go_on"} | shown | {held_by: "500"}, follow=True)
    assert "A budget of money needs the model's prices." in text_of(unpriced)
    settings.LLM_PRICE_INPUT = 1000
    client.post(end, {"action": "go_on"} | shown | {held_by: "500"})
    run.refresh_from_db()
    assert run.status == RunStatus.QUEUED
    limits[held_by] = spent[held_by] + 500
    assert run.budget == Budget(tokens=int(limits["token_budget"]), money=Decimal(limits["money_budget"]))


def test_a_run_whose_kept_replies_are_deleted_knows_what_it_has_spent(
    contracts: Datasource, alice: User, dear: ScriptedOpenAI, work: Callable[[], None]
) -> None:
    run = start_runs(alice, question_set(contracts, alice), token_budget=12_000)[0]
    work()
    mask_results(contracts.pk)
    assert not PaidReply.objects.exists()
    go_on(run)
    work()
    run.refresh_from_db()
    assert (run.status, run.spent_tokens, len(dear.requests)) == (RunStatus.HELD, 9_000, 2)


def test_a_limit_of_money_needs_prices(
    contracts: Datasource, alice: User, server: Any, settings: Any
) -> None:
    settings.LLM_PRICE_INPUT = settings.LLM_PRICE_OUTPUT = 0
    made = question_set(contracts, alice)
    with pytest.raises(ValidationError, match="A budget of money needs the model's prices"):
        start_runs(alice, made, money_budget=Decimal(5))
    assert start_runs(alice, made, ["keyless"], money_budget=Decimal(5)), "nothing is asked that costs"


def test_failures_that_are_not_in_a_row_end_no_run(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, asked = running.answer, []

    async def every_second_fails(*args: Any) -> Any:
        asked.append(1)
        if len(asked) % 2:
            raise ValueError
        return await answer(*args)

    monkeypatch.setattr(running, "answer", every_second_fails)
    monkeypatch.setattr(running.EvaluationRun, "in_a_row", 2)
    run = started(question_set(contracts, alice), alice)
    async_to_sync(carry_on)(run.pk)
    run.refresh_from_db()
    failed = run.question_results.filter(outcome="failed")
    assert (run.status, failed.count()) == (RunStatus.DONE, 2)
    assert failed[0].error == "This stopped at a fault in SVQ (ValueError)."
    with override("de"):
        assert failed[0].why_failed == "Das ist an einem Fehler in SVQ gescheitert (ValueError)."


def test_a_run_of_a_set_that_was_deleted_meanwhile_is_refused_in_words(
    contracts: Datasource, alice: User
) -> None:
    made = question_set(contracts, alice)
    delete_set(QuestionSet.objects.get(pk=made.pk))
    with pytest.raises(ValidationError, match="deleted meanwhile"):
        start_runs(alice, made)
    assert not Run.objects.exists()


def test_the_judge_is_shown_beside_the_code_and_changes_nothing(
    contracts: Datasource, alice: User, server: Any, work: Callable[[], None]
) -> None:
    run = start_runs(alice, question_set(contracts, alice), judged=True)[0]
    work()
    single = run.question_results.get(question__kind=Kind.SINGLE)
    assert single.judged["model"] == "scripted"
    assert single.judged["scores"]["adherence"] == 1.0
    assert single.judged["statements"][0]["reason"] == "It says so."
    told = summary_of(run)
    assert told.judged["single"]["completeness"].mean == 1.0
    assert set(told.means["single"]) > {"completeness", "adherence"}


def test_a_ranking_model_is_charged_to_the_evaluation_and_paid_once(
    contracts: Datasource, alice: User, server: Any, monkeypatch: Any
) -> None:
    run = started(question_set(contracts, alice), alice, "search,rerank=llm")
    record = running._record

    def is_cut_off(*args: Any) -> None:
        raise Stopped

    monkeypatch.setattr(running, "_record", is_cut_off)
    async_to_sync(carry_on)(run.pk)
    monkeypatch.setattr(running, "_record", record)
    async_to_sync(carry_on)(run.pk)
    single = run.question_results.get(question__kind=Kind.SINGLE)
    assert single.scores["recall_at_5"] == 1.0
    assert (single.prompt_tokens, single.completion_tokens) == (7, 5)
    bodies = [json.dumps(request, sort_keys=True) for request in server.requests]
    assert bodies
    assert len(bodies) == len(set(bodies)), "no ranking was paid for twice"
    assert set(Spending.objects.values_list("purpose", flat=True)) == {"evaluation"}


def test_kill_9_in_the_middle_pays_for_no_reply_twice(
    contracts: Datasource, alice: User, server: Any, work: Callable[[], None], tmp_path: Path
) -> None:
    run = started(question_set(contracts, alice), alice)
    environment = {
        "DATABASE_URL": url_of_test_database(),
        "SVQ_DATA_DIR": str(with_models(tmp_path)),
        "DJANGO_SETTINGS_MODULE": "svq_site.settings",
        "SVQ_LLM_BASE_URL": server.base_url,
        "SVQ_LLM_MODEL": "scripted",
    }
    killed = subprocess.run(
        [sys.executable, "-m", "tests.killed", "desks.evaluation.runs.run", "_record", "before", "2"],
        cwd=settings_module.BASE_DIR,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert run.question_results.count() <= 1
    assert server.requests
    ProcrastinateJob.objects.filter(status="doing").update(status="todo")  # as retry_stalled does
    work()
    run.refresh_from_db()
    assert (run.status, run.question_results.count()) == (RunStatus.DONE, 3)
    bodies = [json.dumps(request, sort_keys=True) for request in server.requests]
    again = {body for body in bodies if bodies.count(body) > 1}
    # Only what was under way at that very moment may be sent again: others had been kept.
    assert len(bodies) - len(set(bodies)) <= running.AT_ONCE - 1, again
    assert not PaidReply.objects.exists()


@pytest.mark.parametrize(
    "odd",
    [
        {"text": "A\0B"},
        {"usage": (10**20, -5)},
        {"tools": [("sea\0rch", {})]},
        {"tools": [("answer", '{"ans')]},
    ],
    ids=["nul", "usage", "tool", "unreadable"],
)
def test_an_odd_reply_ends_no_run(
    contracts: Datasource, alice: User, settings: Any, work: Callable[[], None], odd: Any
) -> None:
    def reply(request: dict[str, Any]) -> ScriptedReply:
        asked = request["messages"][1]["content"]
        return ScriptedReply(**odd) if asked == "How long are backups kept?" else scripted(request)

    with ScriptedOpenAI(reply) as running_server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = running_server.base_url, "scripted"
        run = started(question_set(contracts, alice), alice)
        work()
    run.refresh_from_db()
    assert (run.status, run.question_results.count()) == (RunStatus.DONE, 3)


def test_personal_data_is_masked_as_in_conversations(
    contracts: Datasource, alice: User, settings: Any, work: Callable[[], None]
) -> None:
    told = "Write to bob@example.org for a copy of the backups."
    document = make_document(contracts, "Contacts", told)
    AnswerSettings.objects.update_or_create(
        datasource=contracts, defaults={"personal_data": PersonalData.MASK}
    )

    def reply(request: dict[str, Any]) -> ScriptedReply:
        if not any(message["role"] == "tool" for message in request["messages"]):
            return ScriptedReply(tools=[("search_chunks", {"query": "bob@example.org"})])
        answer = f"{told} <img src=x onerror=y> /citation[c1, {told}]"
        return ScriptedReply(tools=[("answer", {"answer": answer, "found": "all"})])

    made = create_set(contracts, "Contacts", alice)
    drafts = [
        Draft(kind=Kind.SINGLE, text="Who has copies?", reference="Bob.", proofs=(proof(document, told),))
    ]
    add_questions(made, drafts, Origin.PERSON)
    with ScriptedOpenAI(reply) as running_server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = running_server.base_url, "scripted"
        run = started(made, alice)
        work()
    result = run.question_results.get()
    assert result.outcome == "answered"
    kept = json.dumps([result.answer, result.citations, result.trace, result.judged])
    assert "bob@example.org" not in kept
    assert "onerror" not in kept
    assert result.scores["completeness"] == 1.0, "it is measured by the place of the quote"


# --- the command -----------------------------------------------------------------------------------------
def evaluate(*arguments: str) -> str:
    out = StringIO()
    call_command("evaluate", "Contracts", *arguments, user="alice@example.org", stdout=out)
    return out.getvalue()


def test_the_command_prints_scores_and_guards_them(contracts: Datasource, alice: User) -> None:
    question_set(contracts, alice)
    assert "Completeness" in evaluate("--set", "first", "--variant", "fast")
    told = json.loads(evaluate("--set", "First", "--json", "--fail-under", "none.refused=0.9"))
    assert told[0]["scores"]["none"]["refused"]["mean"] == 1.0
    with pytest.raises(CommandError, match=r"Completeness, Multi-source is .* below 1\b|was not measured"):
        evaluate("--set", "First", "--variant", "search", "--fail-under", "multi.completeness=1")


def test_a_question_that_failed_reaches_no_threshold(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    run = started(question_set(contracts, alice), alice, "search")
    work()
    single = run.question_results.get(question__kind=Kind.SINGLE)
    single.scores, single.error = {}, "The model did not answer."
    single.save()
    (line,) = failures(summary_of(run), [Threshold.parse("recall_at_5=0.5")])
    assert line == "Run 1: 1 of 3 questions failed."


def test_programs_are_told_by_the_exit_status(contracts: Datasource, alice: User) -> None:
    question_set(contracts, alice)

    def status(*arguments: str) -> int:
        environment = {
            "DATABASE_URL": url_of_test_database(),
            "DJANGO_SETTINGS_MODULE": "svq_site.settings",
        }
        command = [sys.executable, "manage.py", "evaluate", "Contracts", "--user", "alice@example.org"]
        done = subprocess.run(
            [*command, *arguments],
            cwd=settings_module.BASE_DIR,
            env=os.environ | environment,
            capture_output=True,
            text=True,
        )
        return done.returncode

    assert status("--set", "First", "--variant", "search", "--fail-under", "adherence=0.97") == 1
    assert status("--set", "First", "--variant", "search", "--fail-under", "adherence=97") == 2


def test_the_command_says_what_is_wrong(contracts: Datasource, alice: User) -> None:
    question_set(contracts, alice)
    with pytest.raises(CommandError, match="There are: First"):
        evaluate("--set", "Second")
    with pytest.raises(CommandError, match="is not a threshold"):
        evaluate("--set", "First", "--fail-under", "beauty=1")
    with pytest.raises(CommandError, match="not part of a variant"):
        evaluate("--set", "First", "--variant", "quantum")
    assert not Result.objects.exists()
