"""What has happened in a datasource: told to who may see it, one's own questions alone."""

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from accounts.models import User
from datasources.models import Datasource, Document
from desks.compliance.checks.services import start_check
from exchange.bundles.models import BundleImport, ImportStatus
from svq_site.activity import happenings
from tests.compliance.world import vendor
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.people import person as account

pytestmark = pytest.mark.django_db


def page_of(person: User, datasource: Datasource, query: str = "") -> str:
    answer = browser_of(person).get(reverse("activity", args=[datasource.pk]) + query)
    assert answer.status_code == 200
    content: str = answer.content.decode()
    return content


def test_documents_questions_and_checks_are_listed(contracts: Datasource, alice: User) -> None:
    assert "Nothing has happened yet" in page_of(alice, contracts)
    made, subject = vendor(contracts, alice)
    start_check(alice, made, subject, queued=False)
    turn = make_turn(alice, Document.objects.order_by("pk")[0])
    page = page_of(alice, contracts)
    for told in ("Questionnaire", "Agreement", "Tarnbeck against Rules", turn.question):
        assert told in page


def test_an_import_is_listed_with_who_did_it(contracts: Datasource, alice: User) -> None:
    BundleImport.objects.create(
        owner=alice,
        filename="lease.zip",
        reserved=contracts.pk,
        datasource=contracts,
        status=ImportStatus.DONE,
    )
    told = strip_tags(page_of(alice, contracts)).split()
    assert "Imported with all that is in it lease.zip Alice" in " ".join(told)


def test_what_others_ask_stays_theirs(contracts: Datasource, alice: User, bob: User) -> None:
    turn = make_turn(alice, make_document(contracts))
    assert turn.question in page_of(alice, contracts)
    assert turn.question not in page_of(bob, contracts)


def test_a_stranger_finds_nothing(contracts: Datasource) -> None:
    assert browser_of(account("eve")).get(reverse("activity", args=[contracts.pk])).status_code == 404


def test_older_ones_are_on_the_next_page(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happenings, "MOST", 2)
    monkeypatch.setattr("svq_site.activity.datasource_views.MOST", 2)
    for number in range(3):
        make_document(contracts, f"Order {number}", f"Order {number} is for ten tons.")
    page = page_of(alice, contracts)
    assert "Order 2" in page
    assert "Order 0" not in page
    older = page.split('href="?before=')[1].split('"')[0]
    assert "Order 0" in page_of(alice, contracts, f"?before={older}")
    for wrong in ("x", "-1", "9" * 18):
        assert "Order 2" in page_of(alice, contracts, f"?before={wrong}")
