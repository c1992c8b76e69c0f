"""The home page: what its cards say of each datasource, and how the others are found."""

import pytest
from django.urls import reverse

from accounts import addresses
from accounts.models import User
from datasources.access import roles_of
from datasources.models import Datasource, DocumentStatus, Role
from datasources.services import create_datasource
from svq_site.dashboard.cards import cards, worth_asking
from tests.factories import make_document
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_card_counts_its_own_datasource(contracts: Datasource, alice: User) -> None:
    others = create_datasource(alice, "Reports")
    for title in ("Lease", "Agreement"):
        make_document(contracts, title, f"{title} of the head office.")
    failed = make_document(others, "Report", "Nothing of it.")
    failed.status = DocumentStatus.FAILED
    failed.save()
    empty = create_datasource(alice, "Empty")
    told = {
        card.datasource: (card.counts.documents, card.counts.searchable, card.counts.failed, card.activity)
        for card in cards(alice, [contracts, others, empty])
    }
    assert told == {
        contracts: (2, 2, 0, "Last file added"),
        others: (1, 0, 1, "Last file added"),
        empty: (0, 0, 0, "Nothing added yet"),
    }


def test_the_home_page_shows_some_and_finds_the_others(contracts: Datasource, alice: User) -> None:
    names = [f"Lease {number:04}" for number in range(60)]
    Datasource.objects.bulk_create(Datasource(owner=alice, name=name) for name in names)
    browser, home = browser_of(alice), reverse("home")
    pages = [text_of(browser.get(home, {"page": number})) for number in (1, 2, 3)]
    shown = [[name for name in ("Contracts", *names) if name in page] for page in pages]
    assert [len(each) for each in shown] == [23, 23, 15]
    assert [name for page in shown for name in page] == ["Contracts", *names]
    assert "1 to 23 of 61" in pages[0]
    assert "0 documents in 61 datasources" in pages[2]
    found = text_of(browser.get(home, {"find": "lease 0059"}))
    assert "Lease 0059" in found
    assert "Lease 0058" not in found
    assert "No datasource has “nowhere”" in text_of(browser.get(home, {"find": "nowhere"}))


def test_datasources_that_offer_the_same_questions_offer_them_once(
    contracts: Datasource, alice: User
) -> None:
    twin = create_datasource(alice, "Copy of the contracts")
    Datasource.objects.filter(pk=contracts.pk).update(suggested_questions=["Who pays?", "When does it end?"])
    Datasource.objects.filter(pk=twin.pk).update(suggested_questions=["Who pays?"])
    assert worth_asking(alice) == [(twin, ["Who pays?"]), (contracts, ["When does it end?"])]


def test_a_card_shows_the_role_of_who_was_invited_or_is_a_member(
    contracts: Datasource, alice: User, bob: User
) -> None:
    leases = create_datasource(alice, "Leases")
    leases.invitations.create(email=bob.email, role=Role.EDITOR)
    addresses.confirm(bob)
    assert roles_of(bob, [contracts, leases]) == {contracts.pk: Role.VIEWER, leases.pk: Role.EDITOR}
    assert roles_of(alice, [contracts, leases]) == {contracts.pk: Role.OWNER, leases.pk: Role.OWNER}
