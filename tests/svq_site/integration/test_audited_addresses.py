"""Every address of the site beside the audit log: what shows words of documents is noted."""

from types import SimpleNamespace

import pytest
from django.db import transaction
from django.test import RequestFactory
from django.urls import resolve, reverse

from accounts.models import AuditAct, AuditEntry
from svq_site.audit import acts, pages
from tests.addresses import ADMINISTRATOR, OURS, OWNER, ROWS, path_of
from tests.responses import content_of
from tests.world import SECRET, client_of

pytest_plugins = ["tests.shared_world"]
pytestmark = pytest.mark.django_db

WORDS = f"The {SECRET} clause ends in May.".encode()


def test_whatever_shows_words_of_a_document_is_noted(shared_world: SimpleNamespace) -> None:
    """Looked at by the owner: where words of the document come, an entry comes too."""
    client, shown = client_of(shared_world.people[OWNER]), 0
    for address in OURS:
        row = ROWS[address.name]
        if row.GET is None or row.GET is ADMINISTRATOR:
            continue
        before = AuditEntry.objects.count()
        with transaction.atomic():
            answer = client.get(path_of(address.name, shared_world))
            noted_now = AuditEntry.objects.count() - before
            words = content_of(answer)
            transaction.set_rollback(True)
        if answer.status_code == 200 and WORDS in words:
            shown += 1
            assert noted_now, address.name
    assert shown > 15


def test_the_lists_of_acts_name_addresses_that_exist() -> None:
    named = (
        acts.SHOWS | acts.GIVES | acts.SEARCHES | acts.ASKS | acts.ADDS | acts.DELETES | acts.DELETES_A_PART
    )
    gone = (named | acts.NEW.keys() | pages.PAGES.keys()) - {address.name for address in OURS}
    assert not gone
    assert acts.BY_ITSELF | acts.PARTS <= acts.SHOWS


@pytest.mark.parametrize("name", ["webhooks", "api-connectors", "table_new"])
def test_what_is_made_is_noted_as_what_it_is(name: str) -> None:
    """And not as its datasource: that notices go to another server is for an administrator to see."""
    match = resolve(reverse(name, args=[7]))
    assert acts.about(match) == (acts.NEW[name], "", 7)
    assert acts.act_of(RequestFactory().post("/"), name) == AuditAct.ADDED
