"""How a datasource answers is chosen on its settings page, by its owner."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from chat.models import AnswerSettings
from datasources.models import Datasource, Membership, Role

pytestmark = pytest.mark.django_db

FORM = re.compile(r'<form class="st-row[^"]*" id="set-(\w+)"')


def post(client: Client, datasource: Datasource, field: str, **value: Any) -> Any:
    return client.post(reverse("answer_settings", args=[datasource.pk]), {"field": field} | value)


def test_the_owner_switches_stages_and_sets_limits(
    contracts: Datasource, alice: User, client: Client
) -> None:
    client.force_login(alice)
    page = client.get(reverse("settings_section", args=[contracts.pk, "answers"])).content.decode()
    assert 'id="answers"' in page
    saved = post(client, contracts, "strict", strict="on")
    assert saved.status_code == 302
    post(client, contracts, "judge")  # a box without its tick
    post(client, contracts, "passages", passages=9)
    post(client, contracts, "personal_data", personal_data="mask", sure="1")
    chosen = AnswerSettings.objects.of(contracts)
    assert (chosen.strict, chosen.rephrase, chosen.judge, chosen.remember) == (True, True, False, True)
    assert (chosen.passages, chosen.personal_data) == (9, "mask")


def test_masking_waits_for_its_button(contracts: Datasource, alice: User, client: Client) -> None:
    client.force_login(alice)
    page = client.get(reverse("settings_section", args=[contracts.pk, "answers"])).content.decode()
    forms = dict(zip(*[iter(FORM.split(page)[1:])] * 2, strict=True))
    assert 'hx-trigger="submit"' in forms["personal_data"]
    assert "for good" in forms["personal_data"]
    assert 'hx-trigger="change, submit"' in forms["strict"]


def test_masking_for_good_is_asked_again(contracts: Datasource, alice: User, client: Client) -> None:
    """Showing it with a warning takes nothing away, so it is not."""
    client.force_login(alice)
    asked = post(client, contracts, "personal_data", personal_data="mask")
    assert "What was masked cannot be shown again" in asked.content.decode()
    assert AnswerSettings.objects.of(contracts).personal_data == "off"
    assert post(client, contracts, "personal_data", personal_data="warn").status_code == 302
    sure = post(client, contracts, "personal_data", personal_data="mask", sure="1")
    assert (sure.status_code, AnswerSettings.objects.of(contracts).personal_data) == (302, "mask")


def test_a_limit_that_makes_no_sense_is_refused_beside_its_field(
    contracts: Datasource, alice: User, client: Client
) -> None:
    client.force_login(alice)
    refused = post(client, contracts, "passages", passages=0)
    assert refused.status_code == 422
    assert "answers_passages_error" in refused.content.decode()
    assert not AnswerSettings.objects.filter(datasource=contracts).exists()


def test_others_see_the_settings_and_change_nothing(
    contracts: Datasource, alice: User, bob: User, client: Client
) -> None:
    Membership.objects.get_or_create(datasource=contracts, user=bob, defaults={"role": Role.EDITOR})
    client.force_login(bob)
    page = client.get(reverse("settings_section", args=[contracts.pk, "answers"])).content.decode()
    assert "Rephrase follow-up questions" in page
    assert reverse("answer_settings", args=[contracts.pk]) not in page
    assert post(client, contracts, "strict", strict="on").status_code in {403, 404}
