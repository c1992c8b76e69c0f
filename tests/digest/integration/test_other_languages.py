"""What the page at a glance says of documents whose language its rules don't know."""

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from tests.factories import make_document
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db


def test_a_chinese_note_is_not_said_to_hold_no_date_and_no_duty(contracts: Datasource, alice: User) -> None:
    note = make_document(
        contracts, "笔记", "乙方应当于2025年3月1日前支付人民币五万元。本协议自签署之日起生效。"
    )
    page = browser_of(alice).get(reverse("document_glance", args=[contracts.pk, note.pk]))
    said = text_of(page)
    assert "Only English is understood here" in said
    assert "No sentence names" not in said
