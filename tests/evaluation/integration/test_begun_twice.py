"""A run that is asked for several times at once, by a double click or by a proxy that tries again."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from desks.evaluation.models import Run
from desks.evaluation.runs.services import start_runs, stop
from tests.evaluation.world import question_set
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import program
from tests.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def test_three_requests_at_once_make_one_run_and_the_others_are_told_which(
    contracts: Datasource, alice: User
) -> None:
    made = question_set(contracts, alice)
    api, _ = program(alice)
    address = f"data-sources/{contracts.pk}/evaluation-runs"

    def post() -> Any:
        return api.post(address, {"question_set": made.pk, "variants": ["fast"]})

    answers = sorted(together(3, post), key=lambda answer: answer.status_code)
    run = Run.objects.get()
    assert [answer.status_code for answer in answers] == [201, 409, 409]
    assert answers[0].json()[0]["id"] == run.pk
    for refused in answers[1:]:
        assert refused.json()["code"] == "under_way"
        assert refused.json()["message"] == "Run 1 of “First” is under way."
        assert refused.json()["hint"] == "Wait, or stop it."
    stop(run)
    assert post().status_code == 201, "it is not under way any more"


def test_a_double_click_leads_to_the_run_that_is_under_way(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    browser = browser_of(alice)
    form = {"set": str(made.pk), "variant": [""]}

    def post() -> Any:
        return browser.post(reverse("evaluation_new", args=[contracts.pk]), form)

    answers = together(3, post)
    assert Run.objects.count() == 1
    page = f"{reverse('evaluation', args=[contracts.pk])}?run=1"
    assert [answer["Location"] for answer in answers] == [page] * 3
    assert "Run 1 of “First” is under way." in text_of(
        browser_of(alice).post(reverse("evaluation_new", args=[contracts.pk]), form, follow=True)
    )


def test_of_several_ways_those_that_are_not_under_way_are_begun(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    start_runs(alice, made, ["fast"])
    page, browser = reverse("evaluation_new", args=[contracts.pk]), browser_of(alice)
    form = {"set": str(made.pk), "variant": ["fast", "keyless"], "own": "fast,legs=bm25"}
    told = text_of(browser.post(page, form, follow=True))
    assert "2 runs started. What else you have chosen is under way already." in told
    begun = [(1, "fast"), (2, "keyless"), (3, "fast,legs=bm25")]
    assert list(Run.objects.order_by("number").values_list("number", "variant")) == begun
    assert "is under way. Wait, or stop it." in text_of(browser.post(page, form, follow=True))
    assert Run.objects.count() == 3


def test_what_would_find_out_something_else_is_begun(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    start_runs(alice, made, ["fast"])
    start_runs(alice, made, ["fast,legs=bm25"])
    start_runs(alice, made, ["fast"], scheduled=True)
    Datasource.objects.filter(pk=contracts.pk).update(chunk_size=contracts.chunk_size - 1)
    contracts.refresh_from_db()
    made.refresh_from_db()
    start_runs(alice, made, ["fast"])
    assert [run.label for run in Run.objects.order_by("number")].count("Fast") == 3
