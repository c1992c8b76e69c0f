"""Clauses that a newer document changes are marked wherever they are shown."""

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Document
from reader import changed_clauses
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
    assert changed.days.effect == date(2026, 1, 1)
    assert not changes.within(agreement, *place_of("30 days"))
    assert not changes.within(amendment, 0, len(AMENDMENT))


def test_the_reader_leads_to_both_versions(agreement: Document, amendment: Document, alice: User) -> None:
    address = reverse("reader", args=[agreement.datasource_id, agreement.pk])
    page = browser_of(alice).get(address).content.decode()
    assert "Changed by Amendment No. 1, clause 2.1, from 1 January 2026" in page
    compared = reverse("compare_documents", args=[agreement.datasource_id, agreement.pk])
    assert f'href="{compared}?with={amendment.pk}#clause-15.2"' in page
    assert 'id="clause-15.2"' in browser_of(alice).get(compared, {"with": amendment.pk}).content.decode()


def test_an_amendment_may_number_its_clauses_in_any_way_and_delete_one(
    agreement: Document, alice: User
) -> None:
    head = "This Amendment amends the Master Services Agreement as follows:\n"
    deleted = make_document(
        agreement.datasource, "Amendment No. 1", f"{head}3 Clause 15.3 deleted\nClause 15.3 is deleted."
    )
    unnumbered = make_document(agreement.datasource, "Amendment No. 2", f"{head}Clause 15.3 is deleted.")
    found = ChangedClauses(agreement.datasource_id).within(agreement, *place_of("30 days"))
    assert {(changed.amendment, changed.by) for changed in found} == {(deleted, "3"), (unnumbered, "")}
    page = browser_of(alice).get(reverse("reader", args=[agreement.datasource_id, agreement.pk]))
    assert "Changed by Amendment No. 1, clause 3" in page.content.decode()
    assert "Changed by Amendment No. 2</a>" in page.content.decode()


def test_the_day_on_which_it_was_made_is_not_the_day_from_which_it_holds(
    agreement: Document, alice: User
) -> None:
    made = AMENDMENT.replace("and takes effect on", "as varied. This Amendment is made on")
    make_document(agreement.datasource, "Amendment No. 1", made)
    page = browser_of(alice).get(reverse("reader", args=[agreement.datasource_id, agreement.pk]))
    assert "clause 2.1, made on 1 January 2026" in page.content.decode()


def test_a_table_of_many_documents_asks_for_them_together(
    agreement: Document, amendment: Document, django_assert_num_queries: Any
) -> None:
    others = [make_document(agreement.datasource, f"Policy {n}", f"{n}.1 It is kept.") for n in range(20)]
    changes = ChangedClauses(agreement.datasource_id)
    with django_assert_num_queries(3):  # how all begin, the amendment, what it amends
        for document in [agreement, *others] * 3:
            found = changes.within(document, 0, len(AGREEMENT))
            assert len(found) == (document == agreement)


def test_an_amendment_is_seen_however_many_documents_came_after_it(
    agreement: Document, amendment: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed_clauses, "MOST", 2)
    for n in range(3):
        make_document(agreement.datasource, f"Policy {n}", "It is kept.")
    assert ChangedClauses(agreement.datasource_id).within(agreement, *place_of("180 days"))


def test_what_nothing_changes_has_no_mark(agreement: Document, alice: User) -> None:
    address = reverse("reader", args=[agreement.datasource_id, agreement.pk])
    assert "Changed by" not in browser_of(alice).get(address).content.decode()
