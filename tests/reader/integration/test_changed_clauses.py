"""Clauses that a newer document changes are marked wherever they are shown."""

from datetime import date

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Document
from reader.changed_clauses import ChangedClauses
from tests.factories import make_document
from tests.people import browser_of

pytestmark = pytest.mark.django_db

NOTICE = "15.2 The Customer may end this Agreement by not less than 180 days' written notice."
KEPT = "15.3 The Customer shall pay each invoice within 30 days."
AGREEMENT = f"This Agreement is made on 3 February 2025.\n{NOTICE}\n{KEPT}"
AMENDMENT = (
    "This Amendment amends the Master Services Agreement and takes effect on 1 January 2026.\n"
    "2.1 Clause 15.2 of the Agreement is deleted and replaced with: "
    '"15.2 The Customer may end this Agreement by not less than 90 days\' written notice."'
)


@pytest.fixture
def agreement(contracts: Datasource) -> Document:
    return make_document(contracts, "Master Services Agreement", AGREEMENT)


@pytest.fixture
def amendment(agreement: Document) -> Document:
    return make_document(agreement.datasource, "Amendment No. 1", AMENDMENT)


def place_of(words: str) -> tuple[int, int]:
    return AGREEMENT.index(words), AGREEMENT.index(words) + len(words)


def test_a_quote_of_a_changed_clause_knows_what_changes_it(agreement: Document, amendment: Document) -> None:
    changes = ChangedClauses(agreement.datasource_id)
    (changed,) = changes.within(agreement, *place_of("180 days"))
    assert (changed.number, changed.amendment, changed.by) == ("15.2", amendment, "2.1")
    assert changed.since == date(2026, 1, 1)
    assert not changes.within(agreement, *place_of("30 days"))
    assert not changes.within(amendment, 0, len(AMENDMENT))


def test_the_reader_leads_to_both_versions(agreement: Document, amendment: Document, alice: User) -> None:
    address = reverse("reader", args=[agreement.datasource_id, agreement.pk])
    page = browser_of(alice).get(address).content.decode()
    assert "Changed by Amendment No. 1, clause 2.1, from 1 January 2026" in page
    compared = reverse("compare_documents", args=[agreement.datasource_id, agreement.pk])
    assert f'href="{compared}?with={amendment.pk}#clause-15.2"' in page
    assert 'id="clause-15.2"' in browser_of(alice).get(compared, {"with": amendment.pk}).content.decode()


def test_what_nothing_changes_has_no_mark(agreement: Document, alice: User) -> None:
    address = reverse("reader", args=[agreement.datasource_id, agreement.pk])
    assert "Changed by" not in browser_of(alice).get(address).content.decode()
