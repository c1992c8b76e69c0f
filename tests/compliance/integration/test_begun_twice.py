"""A check that is asked for several times at once, by a double click or by a proxy that tries again."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from desks.compliance.models import Check
from tests.compliance.world import vendor
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import program
from tests.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def test_three_requests_at_once_make_one_check_and_the_others_are_told_which(
    contracts: Datasource, alice: User
) -> None:
    made, subject = vendor(contracts, alice)
    api, _ = program(alice)
    asked = {"framework": made.pk, "subject": subject.pk}
    address = f"data-sources/{contracts.pk}/assessments"

    def post() -> Any:
        return api.post(address, asked)

    answers = sorted(together(3, post), key=lambda answer: answer.status_code)
    assert Check.objects.count() == 1
    assert [answer.status_code for answer in answers] == [201, 409, 409]
    for refused in answers[1:]:
        assert refused.json()["code"] == "under_way"
        assert refused.json()["message"] == "Check 1 of “Tarnbeck” is under way."


def test_a_double_click_leads_to_the_check_that_is_under_way(contracts: Datasource, alice: User) -> None:
    made, subject = vendor(contracts, alice)
    browser = browser_of(alice)
    form = {"framework": str(made.pk), "subject": str(subject.pk)}
    address = reverse("gap_check", args=[contracts.pk])
    answers = together(3, lambda: browser.post(address, form))
    assert Check.objects.count() == 1
    assert [answer.status_code for answer in answers] == [302] * 3
    assert len({answer["Location"] for answer in answers}) == 1
    assert "Check 1 of “Tarnbeck” is under way." in text_of(browser.post(address, form, follow=True))
