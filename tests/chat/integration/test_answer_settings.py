"""How a datasource answers is chosen on its settings page, by its owner."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from chat.models import AnswerSettings
from datasources.models import Datasource, Membership, Role

pytestmark = pytest.mark.django_db

LIMITS = {
    "passages": 9,
    "context_tokens": 3000,
    "seconds": 60,
    "tokens": 0,
    "money": 0,
    "personal_data": "mask",
}


def post(client: Client, datasource: Datasource, **values: Any) -> Any:
    return client.post(reverse("answer_settings", args=[datasource.pk]), LIMITS | values)


def test_the_owner_switches_stages_and_sets_limits(
    contracts: Datasource, alice: User, client: Client
) -> None:
    client.force_login(alice)
    page = client.get(reverse("datasource_settings", args=[contracts.pk])).content.decode()
    assert 'id="answers"' in page
    saved = post(client, contracts, strict="on", rephrase="on")
    assert saved.status_code == 302
    chosen = AnswerSettings.objects.of(contracts)
    assert (chosen.strict, chosen.rephrase, chosen.judge, chosen.remember) == (True, True, False, False)
    assert (chosen.passages, chosen.personal_data) == (9, "mask")


def test_a_limit_that_makes_no_sense_is_refused_beside_its_field(
    contracts: Datasource, alice: User, client: Client
) -> None:
    client.force_login(alice)
    refused = post(client, contracts, passages=0)
    assert refused.status_code == 422
    assert "answers_passages_error" in refused.content.decode()
    assert not AnswerSettings.objects.filter(datasource=contracts).exists()


def test_others_see_the_settings_and_change_nothing(
    contracts: Datasource, alice: User, bob: User, client: Client
) -> None:
    Membership.objects.get_or_create(datasource=contracts, user=bob, defaults={"role": Role.EDITOR})
    client.force_login(bob)
    page = client.get(reverse("datasource_settings", args=[contracts.pk])).content.decode()
    assert "Rephrase follow-up questions" in page
    assert reverse("answer_settings", args=[contracts.pk]) not in page
    assert post(client, contracts).status_code in {403, 404}
