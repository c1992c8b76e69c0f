"""What was asked in a datasource, as the test of its index takes it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from chat.models import Turn
from chat.questions_asked import latest
from datasources.models import Datasource
from tests.factories import make_document, make_turn

pytestmark = pytest.mark.django_db


def test_the_latest_questions_come_first_each_once(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts)
    for age, question in enumerate(["Fifth?", "Fourth?", "Fifth?", "Third?", "Second?", "First?"]):
        turn = make_turn(alice, document, question=question)
        Turn.objects.filter(pk=turn.pk).update(created=timezone.now() - timedelta(days=age))
    assert latest(contracts.pk, 3) == ["Fifth?", "Fourth?", "Third?"]
