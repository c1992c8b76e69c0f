"""Checks: what they find, what proves it, that they go on after a kill, pay once, forget what is purged."""

import contextlib
import json
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connections, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from answering.values.personal_data import PersonalData
from batches.budget import Budget
from chat.models import AnswerSettings
from datasources import derived
from datasources.derived import Change
from datasources.models import Datasource, Membership, Role
from desks.compliance import slots
from desks.compliance.checks import review
from desks.compliance.checks import run as running
from desks.compliance.checks.evidence import evidence_of
from desks.compliance.checks.run import carry_on
from desks.compliance.checks.services import go_on, start_check, stop
from desks.compliance.checks.standing import standings
from desks.compliance.frameworks import services as frameworks
from desks.compliance.frameworks.services import Correction
from desks.compliance.models import (
    Assessment,
    Check,
    CheckStatus,
    Evidence,
    Finding,
    PaidReply,
    Subject,
    Verdict,
)
from desks.compliance.tasks import forget
from ingestion.lifecycle.deletion import delete, restore
from ingestion.lifecycle.purging import purge
from jobs.fair_slots import FairSlots
from tests.compliance.world import BACKUPS, assessor, documents, framework, vendor
from tests.factories import make_document
from tests.openai_server import ScriptedOpenAI, text_reply
from tests.people import browser_of
from tests.processes import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(settings: Any) -> Any:
    with ScriptedOpenAI(assessor) as running_server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = running_server.base_url, "scripted"
        settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = 1000, 2000
        yield running_server


def checked(datasource: Datasource, person: User, **more: Any) -> Check:
    made, subject = vendor(datasource, person)
    check = start_check(person, made, subject, queued=False, **more)
    async_to_sync(carry_on)(check.pk)
    check.refresh_from_db()
    return check


def again(check: Check, person: User, **more: Any) -> Check:
    assessment = check.assessment
    made = start_check(person, assessment.framework, assessment.subject, queued=False, **more)
    async_to_sync(carry_on)(made.pk)
    made.refresh_from_db()
    return made


def verdicts(assessment: Assessment) -> dict[str, str]:
    rows = Finding.objects.filter(assessment=assessment, is_current=True)
    return {row.requirement.ref: row.verdict for row in rows.select_related("requirement")}


def test_a_model_judges_and_every_quote_is_checked(contracts: Datasource, alice: User, server: Any) -> None:
    check = checked(contracts, alice)
    assert (check.status, check.error_message, check.calls) == (CheckStatus.DONE, "", 3)
    assert verdicts(check.assessment) == {"1.1": "covered", "1.2": "to_judge", "2.1": "covered"}
    backups = Finding.objects.get(requirement__ref="1.1")
    evidence = backups.evidence_rows.get()
    document = contracts.documents.get(title="Questionnaire")
    assert (evidence.quote, evidence.document, evidence.sha256) == (BACKUPS, document, document.sha256)
    assert (evidence.on_page, evidence.support, evidence.pages) == ("exact", "supported", [1])
    assert document.pages.get().text[evidence.start : evidence.end] == evidence.quote
    invented = Finding.objects.get(requirement__ref="1.2")
    assert not invented.evidence_rows.exists()
    assert "not in the documents" in invented.parts[0]["reason"]
    assert check.counts == {"covered": 2, "to_judge": 1}


def test_without_a_model_there_are_passages_and_no_verdict(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made, subject = vendor(contracts, alice)
    check = start_check(alice, made, subject)
    work()
    check.refresh_from_db()
    assert (check.status, check.calls, check.model) == (CheckStatus.DONE, 0, "")
    assert set(verdicts(check.assessment).values()) == {"to_judge"}
    nearest = Finding.objects.get(requirement__ref="1.1").evidence_rows.first()
    assert nearest is not None
    assert (nearest.quote, nearest.kind, nearest.support) == (BACKUPS, "passage", "")
    page = browser_of(alice).get(reverse("gaps", args=[contracts.pk])).content.decode()
    assert BACKUPS in page.partition('id="pane"')[0], "the nearest words are there to be read"


def test_nothing_changed_costs_no_call_and_a_change_costs_its_own(
    contracts: Datasource, alice: User, server: Any
) -> None:
    check = checked(contracts, alice)
    asked = len(server.requests)
    second = again(check, alice)
    assert (second.unchanged, second.calls, len(server.requests)) == (3, 0, asked)
    requirement = check.assessment.framework.requirements.get(ref="2.1")
    frameworks.correct(
        requirement, Correction(ref="2.1", text="The contract says that an invoice is numbered.")
    )
    third = again(check, alice)
    assert (third.unchanged, third.calls, len(server.requests)) == (2, 1, asked + 1)
    # A document that no passage is taken from changes what is searched, and nothing that is asked.
    subject = check.assessment.subject
    subject.documents.add(make_document(contracts, "Menu", ""))
    fourth = again(check, alice)
    assert (fourth.unchanged, fourth.calls, fourth.reused) == (0, 0, 3)
    assert len(server.requests) == asked + 1


def test_a_verdict_of_a_model_stands_when_the_model_is_gone(
    contracts: Datasource, alice: User, server: Any, settings: Any
) -> None:
    check = checked(contracts, alice)
    settings.LLM_BASE_URL = ""
    second = again(check, alice)
    assert (second.unchanged, second.model) == (3, "")
    assert verdicts(check.assessment)["1.1"] == "covered"


def test_a_killed_check_goes_on_and_pays_no_reply_twice(
    contracts: Datasource, alice: User, server: Any, monkeypatch: Any
) -> None:
    made, subject = vendor(contracts, alice)
    check = start_check(alice, made, subject, queued=False)
    record = running._record
    monkeypatch.setattr(running, "AT_ONCE", 1)

    def is_cut_off(*args: Any) -> None:
        if Finding.objects.exists():
            raise KeyboardInterrupt  # as hard as a kill: nothing is tidied up
        record(*args)

    monkeypatch.setattr(running, "_record", is_cut_off)
    with pytest.raises((KeyboardInterrupt, BaseExceptionGroup)):
        async_to_sync(carry_on)(check.pk)
    assert (Finding.objects.count(), len(server.requests), PaidReply.objects.count()) == (1, 2, 1)
    monkeypatch.setattr(running, "_record", record)
    async_to_sync(carry_on)(check.pk)
    check.refresh_from_db()
    assert (check.status, Finding.objects.count(), check.calls) == (CheckStatus.DONE, 3, 3)
    assert len(server.requests) == 3, "the reply that was there was not paid again"
    assert not PaidReply.objects.exists()


def test_what_a_check_has_paid_for_that_nobody_goes_on_with_is_deleted(
    contracts: Datasource, alice: User, server: Any
) -> None:
    check = start_check(alice, *vendor(contracts, alice), queued=False)
    requirement = check.assessment.framework.requirements.all()[0]
    PaidReply.objects.create(check_of=check, requirement=requirement, key="k", reply={})
    for status, days, kept in (("running", 4, 1), ("stopped", 2, 1), ("stopped", 4, 0)):
        check.write(status=status, finished=timezone.now() - timedelta(days=days))
        forget(0)
        assert PaidReply.objects.count() == kept


def test_a_frozen_worker_writes_nothing_any_more(
    contracts: Datasource, alice: User, server: Any, monkeypatch: Any
) -> None:
    made, subject = vendor(contracts, alice)
    check = start_check(alice, made, subject, queued=False)
    record = running._record

    def taken_over(*args: Any) -> None:
        Check.objects.filter(pk=check.pk).update(run_token=uuid.uuid4())
        record(*args)

    monkeypatch.setattr(running, "_record", taken_over)
    async_to_sync(carry_on)(check.pk)
    assert not Finding.objects.exists()


def test_a_budget_holds_before_the_call_that_would_go_beyond_it(
    contracts: Datasource, alice: User, server: Any
) -> None:
    check = checked(contracts, alice, token_budget=500)
    assert (check.status, check.calls, len(server.requests)) == (CheckStatus.HELD, 0, 0)
    go_on(check)
    async_to_sync(carry_on)(check.pk)
    check.refresh_from_db()
    assert (check.status, len(server.requests)) == (CheckStatus.HELD, 0), "it keeps its budget"
    go_on(check, Budget())
    async_to_sync(carry_on)(check.pk)
    check.refresh_from_db()
    assert (check.status, check.calls) == (CheckStatus.DONE, 3)


@pytest.mark.parametrize(
    ("usage", "budget"),
    [((2_000, 0), {"token_budget": 2_500}), ((0, 900), {"money_budget": Decimal("1.5")})],
)
def test_calls_at_the_same_time_share_one_budget(
    contracts: Datasource,
    alice: User,
    settings: Any,
    monkeypatch: Any,
    usage: tuple[int, int],
    budget: dict[str, Any],
) -> None:
    """There is room for one call of those that could be made at once, and it takes all there is."""
    together, search = Barrier(3), running.search

    def searching(*args: Any) -> Any:
        found = search(*args)
        together.wait(PATIENCE)
        return found

    monkeypatch.setattr(running, "search", searching)
    with ScriptedOpenAI(lambda request: replace(assessor(request), usage=usage)) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        settings.LLM_PRICE_OUTPUT = 1000
        check = checked(contracts, alice, **budget)
        assert (check.status, check.calls, len(server.requests)) == (CheckStatus.HELD, 1, 1)
        Finding.objects.all().delete()
        go_on(check)
        async_to_sync(carry_on)(check.pk)
        check.refresh_from_db()
        paid = (check.status, check.spent_tokens, len(server.requests))
        assert paid == (CheckStatus.HELD, sum(usage), 1), (
            "what became of the finding changes nothing of what was paid"
        )


def test_a_reply_with_characters_that_no_database_keeps_is_judged(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    part = {"text": "Back\0ups", "statement": "", "quotes": [], "verdict": "missing", "reason": "No\0ne."}
    told = {"applies": True, "why_not": "", "parts": [part], "draft": "The Supplier\0 shall."}
    answer = json.dumps(told).replace("\\u0000", "\0")
    with ScriptedOpenAI([text_reply(answer, repeat=True)]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        check = checked(contracts, alice)
    assert (check.status, check.error_message) == (CheckStatus.DONE, "")
    assert set(verdicts(check.assessment).values()) == {"missing"}


def test_an_address_at_the_end_of_a_long_reason_is_masked_whole(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    AnswerSettings.objects.update_or_create(
        datasource=contracts, defaults={"personal_data": PersonalData.MASK}
    )
    told = {"applies": False, "why_not": f"{'word ' * 118}jane.doe@example.org", "parts": [], "draft": ""}
    with ScriptedOpenAI([text_reply(json.dumps(told), repeat=True)]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        check = checked(contracts, alice)
    assert (check.status, check.error_message) == (CheckStatus.DONE, "")
    assert not any("jane" in row.reason for row in Finding.objects.all())


def test_of_two_stopped_checks_one_goes_on_at_a_time(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, subject = vendor(contracts, alice)
    checks = []
    for _ in range(2):
        checks.append(start_check(alice, made, subject))
        stop(checks[-1])
    both = Barrier(2)

    def queued(check: Check) -> int:
        with contextlib.suppress(BrokenBarrierError):
            both.wait(0.5)  # until the other one is here, too
        return 1

    def go(check: Check) -> bool:
        try:
            go_on(check)
        except ValidationError:
            return False
        finally:
            connections.close_all()
        return True

    monkeypatch.setattr("desks.compliance.checks.services.defer_check", queued)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(go, checks)) == [False, True]


def test_two_files_of_a_person_are_made_at_once_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "FILES", FairSlots(3, patience=0.01))
    with slots.file_slot(1), slots.file_slot(1):
        with pytest.raises(ValidationError, match="Two files of yours"), slots.file_slot(1):
            pass
        with slots.file_slot(2):
            pass
    with slots.file_slot(1):
        pass


def test_a_check_takes_turns_stops_and_goes_on(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made, subject = vendor(contracts, alice)
    check = start_check(alice, made, subject)
    with pytest.raises(ValidationError, match="under way"):
        start_check(alice, made, subject)
    assert stop(check)
    assert not stop(check)
    work()
    assert not Finding.objects.exists()
    go_on(check)
    work()
    check.refresh_from_db()
    assert (check.status, Finding.objects.count()) == (CheckStatus.DONE, 3)


def test_a_limit_of_money_needs_prices(
    contracts: Datasource, alice: User, server: Any, settings: Any
) -> None:
    settings.LLM_PRICE_INPUT = settings.LLM_PRICE_OUTPUT = 0
    made, subject = vendor(contracts, alice)
    with pytest.raises(ValidationError, match="A budget of money needs the model's prices"):
        start_check(alice, made, subject, money_budget=Decimal(5))
    settings.LLM_BASE_URL = ""
    assert start_check(alice, made, subject, money_budget=Decimal(5)), "nothing is asked that costs"


def test_failures_that_are_not_in_a_row_end_no_check(
    contracts: Datasource, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def script(request: dict[str, Any]) -> Any:
        asked.append(1)
        return text_reply("I would rather not.") if len(asked) % 2 else assessor(request)

    monkeypatch.setattr(running, "AT_ONCE", 1)
    monkeypatch.setattr(running.Checking, "in_a_row", 2)
    with ScriptedOpenAI(script) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        check = checked(contracts, alice)
    assert (check.status, Finding.objects.exclude(error="").count()) == (CheckStatus.DONE, 2)


def test_a_model_that_fails_takes_nothing_away(contracts: Datasource, alice: User, settings: Any) -> None:
    made, subject = vendor(contracts, alice)
    broken = False

    def script(request: dict[str, Any]) -> Any:
        return text_reply("I would rather not.") if broken else assessor(request)

    with ScriptedOpenAI(script) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        check = start_check(alice, made, subject, queued=False)
        async_to_sync(carry_on)(check.pk)
        broken = True
        requirement = made.requirements.get(ref="1.1")
        frameworks.correct(
            requirement, Correction(ref="1.1", text="The supplier says where backups are kept.")
        )
        second = again(check, alice)
    assert second.status == CheckStatus.DONE
    assert verdicts(check.assessment)["1.1"] == "covered", "the verdict of before stands"
    assert Finding.objects.get(made_in=second).error


def test_a_person_s_verdict_stands_and_the_difference_is_shown(
    contracts: Datasource, alice: User, bob: User, server: Any
) -> None:
    check = checked(contracts, alice)
    assessment, requirement = check.assessment, check.assessment.framework.requirements.get(ref="2.1")
    review.change(assessment, requirement, bob, Verdict.PARTIAL, "Late payment is not dealt with.")
    review.assign(assessment, requirement, alice, bob)
    frameworks.correct(requirement, Correction(ref="2.1", text="The contract says what a penguin eats."))
    again(check, alice)
    standing = standings(assessment, [requirement])[0]
    assert standing.finding is not None
    assert standing.finding.verdict == "missing"
    assert (standing.verdict, standing.difference) == (Verdict.PARTIAL, Verdict.MISSING)
    assert not standing.is_reviewed
    assert standing.review is not None
    assert (standing.review.person, standing.review.reason) == (bob, "Late payment is not dealt with.")
    review.agree(assessment, requirement, alice)
    standing = standings(assessment, [requirement])[0]
    assert (standing.verdict, standing.difference, standing.is_reviewed) == (Verdict.MISSING, None, True)
    with pytest.raises(ValidationError, match="no verdict to agree"):
        review.agree(assessment, assessment.framework.requirements.get(ref="1.2"), alice)
    with pytest.raises(ValidationError, match="Give a reason"):
        review.change(assessment, requirement, alice, Verdict.COVERED, " ")


def test_evidence_goes_with_its_document_and_comes_back(
    contracts: Datasource, alice: User, server: Any
) -> None:
    check = checked(contracts, alice)
    finding = Finding.objects.get(requirement__ref="1.1")
    document = contracts.documents.get(title="Questionnaire")
    delete(document)
    shown = evidence_of([finding])[finding.pk]
    assert (shown.rows, shown.is_hidden) == ((), True)
    document.refresh_from_db()
    restore(document)
    assert [row.quote for row in evidence_of([finding])[finding.pk].rows] == [BACKUPS]
    receipt = purge(document, alice)
    assert receipt.removed["assessment_findings"] > 0
    assert not Evidence.objects.filter(document=document.pk).exists()
    kept = json.dumps(list(Finding.objects.values("parts", "draft", "reason", "reply", "read")))
    assert "thirty days" not in kept
    finding.refresh_from_db()
    assert finding.verdict == "covered", "the verdict stays until it is checked again"
    assert again(check, alice).unchanged == 0


def test_a_new_version_takes_the_place_of_the_old_one(contracts: Datasource, alice: User) -> None:
    _, subject = vendor(contracts, alice)
    old = contracts.documents.get(title="Questionnaire")
    new = make_document(contracts, "Questionnaire 2", "Backups are kept for ninety days.", replaces=old)
    with transaction.atomic():
        derived.apply(Change(datasource_id=contracts.pk, published=[new.pk], superseded={old.pk: new.pk}))
    assert set(subject.documents.values_list("title", flat=True)) == {"Questionnaire 2", "Agreement"}


@pytest.mark.parametrize("how", ["not shared", "shut", "deleted"])
def test_who_may_not_edit_any_more_does_not_spend(
    contracts: Datasource, alice: User, bob: User, work: Callable[[], None], how: str
) -> None:
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    made, subject = vendor(contracts, alice)
    check = start_check(bob, made, subject)
    match how:
        case "not shared":
            Membership.objects.filter(user=bob).delete()
        case "shut":
            User.objects.filter(pk=bob.pk).update(is_active=False)
        case "deleted":
            bob.delete()
    work()
    check.refresh_from_db()
    assert (check.status, check.error_code) == (CheckStatus.FAILED, "no_access")


def test_nothing_is_checked_without_documents_or_attachment(contracts: Datasource, alice: User) -> None:
    made = framework(alice)
    documents(contracts)
    subject = Subject.objects.create(datasource=contracts, name="Everybody", has_all=True)
    with pytest.raises(ValidationError, match="is not used in"):
        start_check(alice, made, subject)
    frameworks.attach(made, contracts, alice)
    contracts.documents.update(status="queued")
    with pytest.raises(ValidationError, match="can be searched yet"):
        start_check(alice, made, subject)
    Assessment.objects.create(datasource=contracts, framework=made, subject=subject)
    with pytest.raises(ValidationError, match="delete these checks"):
        frameworks.detach(made, contracts)


def test_the_command_checks_a_scope_and_prints_its_evidence(
    contracts: Datasource, alice: User, server: Any
) -> None:
    vendor(contracts, alice)
    out = StringIO()
    call_command(
        "assess",
        "Contracts",
        "Rules",
        "--vendor",
        "tarnbeck",
        "--scope",
        "1",
        "--user",
        alice.email,
        "--money",
        "100",
        "--json",
        stdout=out,
    )
    told = json.loads(out.getvalue())
    assert (told["requirements"], told["calls"], told["counts"]) == (2, 2, {"covered": 1, "to_judge": 1})
    first = told["findings"][0]
    assert (first["ref"], first["verdict"], first["evidence"][0]["quote"]) == ("1.1", "Covered", BACKUPS)
