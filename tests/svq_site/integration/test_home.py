"""The home page: what its cards say of each datasource, and that many of them cost little more than one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, DocumentStatus
from datasources.services import create_datasource
from svq_site.dashboard.cards import cards
from tests.factories import make_document
from tests.people import browser_of

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


def test_a_further_datasource_takes_one_statement_more(contracts: Datasource, alice: User) -> None:
    browser, home = browser_of(alice), reverse("home")
    browser.get(home)
    with CaptureQueriesContext(connection) as of_one:
        browser.get(home)
    for name in ("Reports", "Leases", "Policies"):
        make_document(create_datasource(alice, name), "A document", "Something is said here.")
    with CaptureQueriesContext(connection) as of_four:
        browser.get(home)
    assert len(of_four) <= len(of_one) + 3
