"""Where personal data is masked, it is so in what SVQ says of documents without being asked, too."""

import json
from threading import Thread

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from answering.suggestions.introducing import Offered, keep
from answering.values.personal_data import PersonalData
from chat import events, feedback, notebook, services
from chat.derived import Conversations
from chat.exports import as_json, as_markdown
from chat.models import AnswerSettings, Turn, TurnStatus
from chat.tasks import mask_what_was_said
from chat.turns import turn_run
from datasources import masking
from datasources.derived import Change, DerivedData
from datasources.masking import may_be_asked
from datasources.models import Datasource, Introduction
from desks.compliance.checks import run as checks
from desks.compliance.checks.outcome import Outcome
from desks.compliance.models import Check, Evidence, Finding, Verdict
from desks.evaluation.derived import Evaluations
from desks.evaluation.models import PaidReply, Question, Result
from desks.evaluation.questions.rated import propose_rated
from desks.evaluation.questions.services import create_set
from desks.evaluation.runs import run as running
from desks.evaluation.runs.services import start_runs
from events import log
from jobs.failures import Failure
from summaries.models import ChunkSummary, DocumentSummary
from tests.factories import make_document, make_turn
from tests.world import assess, evaluate, fill_table
from text.personal.personal_data import masked_in

pytestmark = pytest.mark.django_db

MAIL = "jane.doe@arden.example"
WHOSE = f"Who reads {MAIL}?"
PLAIN = "Who signs the lease?"


@pytest.mark.parametrize("chosen_before", [True, False])
def test_what_introduces_a_datasource_is_masked(
    contracts: Datasource, alice: User, client: Client, chosen_before: bool
) -> None:
    document = make_document(contracts)
    contracts.description = ""
    contracts.save()
    if chosen_before:
        services.change_answer_settings(contracts, personal_data="mask")
    offered = [
        Offered(question=WHOSE, documents=[document.pk]),
        Offered(question=PLAIN, documents=[document.pk]),
    ]
    keep(contracts, offered, f"Letters to {MAIL}", [document])
    if not chosen_before:
        services.change_answer_settings(contracts, personal_data="mask")
    made = Introduction.objects.get()
    assert [each["question"] for each in made.questions] == [PLAIN]
    client.force_login(alice)
    for page in (
        reverse("home"),
        reverse("chat", args=[contracts.pk]),
        reverse("documents", args=[contracts.pk]),
    ):
        assert MAIL not in client.get(page).content.decode()
    assert "Letters to ‹e-mail address masked›" in made.description


def test_summaries_are_shown_by_the_policy_of_the_moment(
    contracts: Datasource, alice: User, client: Client
) -> None:
    document = make_document(contracts)
    chunk = document.chunks.get()
    told = {"datasource": contracts, "document": document, "text": f"Write to {MAIL}.", "model": "m"}
    DocumentSummary.objects.create(**told)
    ChunkSummary.objects.create(chunk=chunk, **told)
    client.force_login(alice)
    pages = [
        reverse("documents", args=[contracts.pk]),
        reverse("chunks", args=[contracts.pk]) + f"?document={document.pk}&chunk={chunk.pk}",
    ]
    for policy, is_shown in (("off", True), ("mask", False)):
        services.change_answer_settings(contracts, personal_data=policy)
        for page in pages:
            content = client.get(page).content.decode()
            assert (MAIL in content) == is_shown
            assert "Write to" in content


def test_a_question_with_a_hole_is_not_proposed(contracts: Datasource) -> None:
    assert may_be_asked(contracts, WHOSE)
    services.change_answer_settings(contracts, personal_data="mask")
    assert not may_be_asked(contracts, WHOSE)
    assert may_be_asked(contracts, PLAIN)


@pytest.fixture
def said_before(contracts: Datasource, alice: User) -> Turn:
    """An answer with its events, and a note of it, that were written before anybody wanted data masked."""
    quote = f"Write to {MAIL} about the rent."
    document = make_document(contracts, text=quote)
    turn = make_turn(
        alice,
        document,
        "Whom do we write to?",
        standalone=f"Is it {MAIL}?",
        cache_key="k",
        notices=[{"code": "personal_data", "text": "This answer shows personal data."}],
        steps=[{"tool": "search_chunks", "arguments": {"query": MAIL}, "hits": 1, "ms": 1}],
        nearest=[{"document": document.pk, "title": "A", "chunk": 1, "pages": [1], "text": quote}],
        follow_ups=[{"question": WHOSE, "document": 1}, {"question": PLAIN, "document": 1}],
    )
    events.append(events.AnswerDelta(offset=0, text=quote), turn.channel)
    events.append(events.TurnFinished(status=turn.status), turn.channel)
    notebook.keep_answer(alice, turn)
    return turn


def test_masking_that_is_chosen_later_holds_for_what_was_said_before(
    said_before: Turn, contracts: Datasource, alice: User, client: Client
) -> None:
    turn = said_before
    client.force_login(alice)
    pages = [
        reverse("conversation", args=[contracts.pk, turn.conversation_id]),
        reverse("export_conversation", args=[contracts.pk, turn.conversation_id]),
        reverse("notebook", args=[contracts.pk]),
        reverse("export_notebook", args=[contracts.pk]),
    ]
    assert all(MAIL in client.get(page).content.decode() for page in pages)
    services.change_answer_settings(contracts, personal_data="mask")
    mask_what_was_said(contracts.pk)
    for page in pages:
        shown = client.get(page).content.decode()
        assert MAIL not in shown, page
        assert "‹e-mail address masked›" in shown, page
    turn = Turn.objects.get(pk=turn.pk)
    told = as_json(turn)
    assert MAIL not in json.dumps(told) + as_markdown(turn)
    assert told["notices"] == [
        {
            "code": "personal_data",
            "text": "Masked in this answer, as the datasource's settings require: 1 e-mail address.",
        }
    ]
    assert told["citations"][0]["masked"] == ["e-mail address"]  # so that no picture shows it
    assert turn.cache_key == ""  # and nobody is given it under another policy
    assert turn.follow_ups == [{"question": PLAIN, "document": 1}]
    kinds = [event.kind for event in log.read(turn.channel)]
    assert kinds == ["turn_finished"]
    mask_what_was_said(contracts.pk)  # what is masked stays so
    assert as_json(Turn.objects.get(pk=turn.pk)) == told


def test_nothing_is_masked_once_the_owner_has_changed_their_mind(
    said_before: Turn, contracts: Datasource
) -> None:
    services.change_answer_settings(contracts, personal_data="mask")
    services.change_answer_settings(contracts, personal_data=PersonalData.WARN)
    mask_what_was_said(contracts.pk)
    assert MAIL in Turn.objects.get(pk=said_before.pk).answer


def test_tables_evaluations_and_findings_follow(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, text=f"Write to {MAIL} about the rent.")
    question, run = evaluate(document, alice)
    PaidReply.objects.create(run=run, question=question, key="k", reply={"content": MAIL})
    cell, evidence = fill_table(document, alice), assess(document, alice)
    services.change_answer_settings(contracts, personal_data="mask")
    mask_what_was_said(contracts.pk)
    cell.refresh_from_db()
    evidence.refresh_from_db()
    for said in (cell.quote, evidence.quote, Result.objects.get().answer):
        assert "Write to ‹e-mail address masked› about the rent." in said
    assert not PaidReply.objects.exists()


@pytest.mark.parametrize("stopped", [True, False])
def test_what_was_written_when_an_answer_broke_off_is_masked_too(
    contracts: Datasource, alice: User, stopped: bool
) -> None:
    """The answer was being written when the owner chose, so the job that masks has passed it over."""
    document = make_document(contracts)
    turn = make_turn(alice, document, status=TurnStatus.QUEUED, answer="")
    run = turn_run.begin(turn.pk)
    assert run
    Turn.objects.update(quotes_only=False)  # of a quote that is stopped nothing is kept
    AnswerSettings.objects.create(datasource=contracts, personal_data=PersonalData.MASK)
    mask_what_was_said(contracts.pk)
    run.log(events.AnswerDelta(offset=0, text=f"Write to {MAIL}."))
    if stopped:
        services.stop(turn)
    else:
        run.answer.shown = f"Write to {MAIL}."
        run.fail(Failure(code="made", message="It broke off.", hint=""))
    assert ProcrastinateJob.objects.filter(task_name="mask_what_was_said", status="todo").count() == 1
    mask_what_was_said(contracts.pk)
    assert Turn.objects.get(pk=turn.pk).answer == "Write to ‹e-mail address masked›."


def test_an_answer_without_such_data_that_is_stopped_asks_for_no_masking(
    contracts: Datasource, alice: User
) -> None:
    AnswerSettings.objects.create(datasource=contracts, personal_data=PersonalData.MASK)
    turn = make_turn(alice, make_document(contracts), status=TurnStatus.QUEUED)
    services.stop(turn)
    assert not ProcrastinateJob.objects.filter(task_name="mask_what_was_said").exists()


def test_masking_chosen_while_a_run_or_a_check_is_under_way_holds_for_what_it_writes(
    contracts: Datasource, alice: User
) -> None:
    document = make_document(contracts, text=f"Write to {MAIL} about the rent.")
    question, _ = evaluate(document, alice)
    evaluation = running.begin(start_runs(alice, question.question_set, queued=False)[0].pk)
    finding = assess(document, alice).finding
    check = Check.objects.create(assessment=finding.assessment, number=2, asked_by=alice)
    checking = checks.begin(check.pk)
    assert evaluation
    assert checking
    AnswerSettings.objects.create(datasource=contracts, personal_data=PersonalData.MASK)
    mask_what_was_said(contracts.pk)
    result = Result(run=evaluation.row, question=question, outcome="quotes", answer=MAIL)
    running._record(evaluation, result, evaluation.replies(question))
    new = Finding(assessment=finding.assessment, requirement=finding.requirement, made_in=check)
    quote = Evidence(n=1, quote=MAIL, start=0, end=1, document=document)
    outcome = Outcome(verdict=Verdict.COVERED, reason=MAIL, evidence=[quote])
    checks._record(checking, new, outcome, checking.replies(finding.requirement))
    new.refresh_from_db()
    said = [evaluation.row.question_results.get().answer, new.reason, new.evidence_rows.get().quote]
    assert said == ["‹e-mail address masked›"] * 3


def test_an_answer_that_became_the_expected_one_of_a_question_is_masked(
    said_before: Turn, contracts: Datasource, alice: User
) -> None:
    feedback.give(said_before, helpful=True)
    propose_rated(create_set(contracts, "Rated", alice), alice)
    assert MAIL in Question.objects.get().reference
    AnswerSettings.objects.create(datasource=contracts, personal_data=PersonalData.MASK)
    mask_what_was_said(contracts.pk)
    assert MAIL not in Question.objects.get().reference


def test_a_reply_with_holes_is_not_taken_for_what_the_model_said(contracts: Datasource, alice: User) -> None:
    finding = assess(make_document(contracts), alice).finding
    for reply in ({"answer": f"It says {MAIL}."}, {"answer": "It says so."}):
        Finding.objects.update(reply=reply)
        AnswerSettings.objects.update_or_create(
            datasource=contracts, defaults={"personal_data": PersonalData.MASK}
        )
        mask_what_was_said(contracts.pk)
        finding.refresh_from_db()
        assert finding.reply == ({} if MAIL in reply["answer"] else reply)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("made_of", [Conversations, Evaluations])
def test_what_is_purged_while_masking_reads_it_does_not_come_back(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch, made_of: type[DerivedData]
) -> None:
    document = make_document(contracts)
    said = [{"document": document.pk, "quote": f"Write to {MAIL}."}]
    turn = make_turn(alice, document, nearest=said)
    evaluate(document, alice)
    Result.objects.update(citations=said)
    purges: list[Thread] = []

    def purge() -> None:
        with transaction.atomic():
            made_of().apply(Change(datasource_id=contracts.pk, purged=[document.pk]))
        connection.close()

    def read_slowly(value: object) -> object:
        if MAIL in str(value) and not purges:
            purges.append(Thread(target=purge))
            purges[0].start()
            purges[0].join(0.3)
        return masked_in(value)

    monkeypatch.setattr(masking, "masked_in", read_slowly)
    made_of().mask(contracts.pk)
    purges[0].join()
    of_results = made_of is Evaluations
    left = Result.objects.get().citations if of_results else Turn.objects.get(pk=turn.pk).nearest
    assert "Write to" not in str(left)
