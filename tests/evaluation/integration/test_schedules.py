"""Runs that start by themselves after an upload, and the note when a figure falls."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse

from accounts.models import User
from datasources import derived
from datasources.derived import Change
from datasources.models import Datasource, Membership, Role
from desks.evaluation.models import Kind, Result, Run, RunStatus, Schedule
from desks.evaluation.runs import scheduled
from desks.evaluation.runs.scheduled import schedule, start_scheduled
from events.models import Event
from tests.evaluation.world import question_set
from tests.factories import make_document
from tests.people import browser_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: Any) -> None:
    monkeypatch.setattr(scheduled, "SETTLE_SECONDS", 0)


def uploaded(datasource: Datasource, title: str = "New") -> None:
    document = make_document(datasource, title, f"{title}: the harbour opens at noon.")
    with transaction.atomic():
        derived.apply(Change(datasource_id=datasource.pk, published=[document.pk]))


def test_uploads_that_come_together_start_one_run(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made = question_set(contracts, alice)
    schedule(made, alice, variant="search")
    uploaded(contracts, "One")
    uploaded(contracts, "Two")
    work()
    run = Run.objects.get()
    assert (run.status, run.variant, run.is_scheduled, run.fallen) == (RunStatus.DONE, "search", True, [])
    assert run.asked_by == alice


def test_nothing_is_run_where_nobody_wants_it(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    question_set(contracts, alice)
    uploaded(contracts)
    work()
    assert not Run.objects.exists()


def test_a_figure_that_fell_is_told_on_the_page(
    contracts: Datasource, alice: User, bob: User, work: Callable[[], None]
) -> None:
    made = question_set(contracts, alice)
    schedule(made, alice, variant="search", thresholds="recall_at_5=0.9")
    uploaded(contracts)
    work()
    page = reverse("evaluation", args=[contracts.pk])
    assert "Since the last upload" not in browser_of(bob).get(page).content.decode()
    made.questions.filter(kind=Kind.MULTI).update(text="Who sings?")
    for place in range(12):  # what is asked for goes down among others of the same words
        make_document(contracts, f"Singer {place}", "Who sings? The singer sings who sings.")
    uploaded(contracts, "Another")
    work()
    run = Run.objects.get(number=2)
    assert run.fallen
    assert run.fallen[0].startswith("Run 2: Recall at 5 is ")
    events = Event.objects.filter(channel=f"datasource:{contracts.pk}", kind="run_finished").order_by("seq")
    said = [(each.data["run"], each.data["status"], each.data["fallen"]) for each in events]
    assert said[-1] == (run.pk, "done", True)
    assert [fallen for _, _, fallen in said] == [False, True], "once for each run"
    told = browser_of(bob).get(page).content.decode()
    assert "Since the last upload something is worse, or below its threshold." in told
    assert "below 0.9" in told


def test_a_sure_fall_is_told_without_any_threshold(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made = question_set(contracts, alice)
    for _ in range(7):
        question = made.questions.filter(kind=Kind.SINGLE)[0]
        gold = question.gold.get()
        question.pk, question.key = None, uuid4()
        question.save()
        gold.pk, gold.question = None, question
        gold.save()
    schedule(made, alice, variant="search")
    uploaded(contracts)
    work()
    Result.objects.update(scores={"recall_at_5": 1.0})
    made.questions.filter(kind=Kind.SINGLE).update(text="Which singer is it?")
    for place in range(12):
        make_document(contracts, f"Singer {place}", "Which singer is it? It is the singer.")
    uploaded(contracts, "Another")
    work()
    (line,) = Run.objects.get(number=2).fallen
    assert line.startswith("Recall at 5 is worse by ")
    assert line.endswith("against Run 1.")


def test_who_may_not_edit_any_more_runs_nothing_and_the_page_says_so(
    contracts: Datasource, alice: User, bob: User
) -> None:
    made = question_set(contracts, alice)
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    schedule(made, bob)
    Membership.objects.filter(user=bob).update(role=Role.VIEWER)
    start_scheduled(contracts.pk)
    assert not Run.objects.exists()
    page = browser_of(alice).get(reverse("question_set", args=[contracts.pk, made.pk])).content.decode()
    assert "can no longer edit this datasource" in page


def test_why_a_run_was_not_started_is_told_in_the_readers_language(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    made = question_set(contracts, alice)
    schedule(made, alice)
    settings.QUESTIONS_PER_HOUR = 1
    start_scheduled(contracts.pk)
    page = browser_of(alice).get(
        reverse("question_set", args=[contracts.pk, made.pk]), headers={"Accept-Language": "de"}
    )
    told = "Der letzte Durchlauf ließ sich nicht beginnen: Die Grenze liegt bei 1 Frage"
    assert told in page.content.decode()


def test_it_is_set_up_on_the_page_of_the_set_and_by_programs(
    contracts: Datasource, alice: User, bob: User
) -> None:
    made = question_set(contracts, alice)
    client = browser_of(alice)
    address = reverse("question_set_schedule", args=[contracts.pk, made.pk])
    wrong = client.post(address, {"action": "save", "thresholds": "beauty=1"}, follow=True).content.decode()
    assert "is not a threshold" in wrong
    assert not Schedule.objects.exists()
    client.post(address, {"action": "save", "variant": "fast", "thresholds": "adherence=0.9"})
    assert (made.schedule.variant, made.schedule.thresholds) == ("fast", "adherence=0.9")
    told = browser_of(bob).get(f"/api/v1/question-sets/{made.pk}").json()["schedule"]
    assert (told["variant"], told["judged"]) == ("fast", False)
    client.post(address, {"action": "off"})
    assert not Schedule.objects.exists()
    api = f"/api/v1/question-sets/{made.pk}/schedule"
    assert client.put(api, {"variant": "keyless"}, content_type="application/json").status_code == 200
    assert client.put(api, {"variant": "warp=9"}, content_type="application/json").status_code == 400
    assert client.delete(api).status_code == 204
    with pytest.raises(ValidationError, match="not part of a variant"):
        schedule(made, alice, variant="quantum")
