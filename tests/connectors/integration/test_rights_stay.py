"""What fewer people may read at its source is told to no more here: versions, attachments, graph."""

import hashlib
from io import BytesIO
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from accounts import addresses
from accounts.models import User
from datasources import services as sharing
from datasources.models import Datasource, Document, Role
from exchange.connectors import services, taking
from exchange.connectors.models import Brought, FollowedFile
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.deletion import restore
from svq_site.people.handing_over import hand_over
from tests.connectors.clouds_server import MicrosoftServer, by_mail
from tests.connectors.integration.test_readers import BOB, connected, server, shared
from tests.connectors.looking import looked_at, names
from tests.graph.corpus import TEXTS, upload
from tests.ingestion.integration.test_mail_attachments import LICENCE, RENT
from tests.people import browser_of, person
from tests.rest import Api

__all__ = ["server", "shared"]
pytestmark = pytest.mark.django_db(transaction=True)

CAROL = by_mail("carol@example.org")
FIRST = "FIRST edition of the lease, which is secret."


def contents(datasource: Datasource) -> set[str]:
    return set(datasource.documents.current().values_list("sha256", flat=True))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def carol_comes(datasource: Datasource) -> User:
    carol = person("carol")
    addresses.confirm(carol)
    sharing.share(datasource, carol, Role.VIEWER)
    return carol


def opened(reader: User, datasource: Datasource, document: Document) -> set[str]:
    """The ways by which the document still opens."""
    page = browser_of(reader).get(reverse("reader", args=[datasource.pk, document.pk]))
    ways = {"reader"} if page.status_code == 200 else set()
    for path in (f"documents/{document.pk}", f"documents/{document.pk}/pages/1"):
        ways |= {path} if Api(reader).get(path).status_code == 200 else set()
    return ways


# --- versions --------------------------------------------------------------------------------------------
def test_a_version_made_by_hand_leaves_those_of_the_source_the_sources(
    shared: Datasource, bob: User, server: MicrosoftServer, work: Any
) -> None:
    sharing.share(shared, bob, Role.EDITOR)
    server.add("a", "lease.txt", FIRST, "root", BOB)
    connector = connected(shared)
    work()
    first = shared.documents.get()
    by_hand = "Bob wrote a summary of the lease."
    accept_upload(shared, bob, "lease.txt", BytesIO(by_hand.encode()), replaces=first)
    work()
    second = "SECOND edition of the lease, which is secret."
    server.add("a", "lease.txt", second, "root", BOB)
    looked_at(connector)
    work()
    assert contents(shared) == {sha256(by_hand), sha256(second)}
    server.permissions["a"] = []
    looked_at(connector)
    assert contents(shared) == {sha256(by_hand)}, "what people have written is theirs"
    assert not opened(carol_comes(shared), shared, first)
    work()
    assert contents(shared) == {sha256(by_hand)}


def test_what_lies_below_a_version_made_by_hand_closes(
    shared: Datasource, bob: User, server: MicrosoftServer, work: Any
) -> None:
    sharing.share(shared, bob, Role.EDITOR)
    server.add("a", "lease.txt", FIRST, "root", BOB)
    connected(shared)
    work()
    first = shared.documents.get()
    accept_upload(shared, bob, "lease.txt", BytesIO(b"Bob wrote a summary of the lease."), replaces=first)
    work()
    assert opened(bob, shared, first)
    assert not opened(carol_comes(shared), shared, first)
    assert len(names(shared)) == 1


def test_an_earlier_version_is_closed_to_who_could_never_read_it(
    shared: Datasource, bob: User, server: MicrosoftServer, work: Any
) -> None:
    server.add("a", "lease.txt", FIRST, "root", BOB)
    connector = connected(shared)
    work()
    first = shared.documents.get()
    server.add("a", "lease.txt", "A clean edition of the lease.", "root", BOB, CAROL)
    looked_at(connector)
    work()
    assert opened(bob, shared, first)
    carol = carol_comes(shared)
    assert not opened(carol, shared, first), "before anything is purged"
    assert contents(shared) == {sha256("A clean edition of the lease.")}


def test_who_comes_while_the_next_version_is_read_does_not_find_the_one_before(
    shared: Datasource, server: MicrosoftServer, work: Any
) -> None:
    server.add("a", "lease.txt", FIRST, "root", BOB)
    connector = connected(shared)
    work()
    first = shared.documents.get()
    server.add("a", "lease.txt", "A clean edition of the lease.", "root", BOB, CAROL)
    looked_at(connector)
    assert not opened(carol_comes(shared), shared, first)
    work()
    assert contents(shared) == {sha256("A clean edition of the lease.")}


@pytest.mark.parametrize("number", ["a", "z"])
def test_what_is_refused_opens_nothing_of_what_was_there_before(
    shared: Datasource, server: MicrosoftServer, work: Any, number: str
) -> None:
    """A next version, and another file of that name."""
    server.add("a", "lease.txt", FIRST, "root", BOB)
    connector = connected(shared)
    work()
    first = shared.documents.get()
    del server.items["a"]
    server.add(number, "lease.txt", "It can't be had.", "root", BOB, CAROL)
    del server.contents[number]
    looked_at(connector)
    assert bool(names(shared)) is (number == "a"), "what is there is shown to whom it was"
    assert not opened(carol_comes(shared), shared, first)


def test_another_file_of_the_same_name_is_another_file(
    shared: Datasource, server: MicrosoftServer, work: Any
) -> None:
    server.add("a", "lease.txt", FIRST, "root", BOB)
    connector = connected(shared)
    work()
    first = shared.documents.get()
    del server.items["a"]
    server.add("z", "lease.txt", "Another file at this path.", "root", BOB, CAROL)
    looked_at(connector)
    work()
    assert shared.documents.get().replaces is None
    assert not opened(carol_comes(shared), shared, first)


# --- what is also elsewhere ------------------------------------------------------------------------------
def test_an_attachment_that_is_a_file_as_well_goes_with_both(
    shared: Datasource, server: MicrosoftServer, work: Any
) -> None:
    server.add("m", "licence.eml", LICENCE.decode(), "root", BOB)
    connector = connected(shared)
    work()
    server.add("r", "rent.txt", RENT.decode(), "root", BOB)
    looked_at(connector)
    server.permissions["m"] = server.permissions["r"] = []
    looked_at(connector)
    services.disconnect(connector)
    assert names(shared) == set()


def test_the_graph_says_nothing_of_what_is_withdrawn_before_any_job_runs(
    shared: Datasource, server: MicrosoftServer
) -> None:
    connector = connected(shared)
    for number, document in enumerate(upload(shared, *TEXTS[:2])):
        rows: dict[str, Any] = {"path": f"{number}.txt", "version": "1", "readers": ["mail:bob@example.org"]}
        FollowedFile.objects.create(connector=connector, document=document, **rows)
        Brought.objects.create(document=document)
    assert Api(shared.owner).get(f"data-sources/{shared.pk}/entities").json()["count"]
    carol = carol_comes(shared)
    assert Api(carol).get(f"data-sources/{shared.pk}/entities").json()["count"] == 0


def test_rights_that_narrow_while_a_file_is_fetched_count(
    shared: Datasource, server: MicrosoftServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    fetch = taking._fetch

    def meanwhile(*given: Any) -> str:
        server.add("a", "lease.txt", "Bob is to be dismissed.", "root")
        return fetch(*given)

    monkeypatch.setattr(taking, "_fetch", meanwhile)
    connector = connected(shared)
    assert names(shared) == set()
    assert connector.files.get().is_withheld


# --- what is gone there ----------------------------------------------------------------------------------
def test_what_is_gone_there_goes_at_once_and_is_not_brought_back(
    shared: Datasource, server: MicrosoftServer
) -> None:
    """All of them: they may have been moved to where Bob can't read them."""
    for number in range(3):
        server.add(f"a{number}", f"lease {number}.txt", f"Rent {number} is due.", "root", BOB)
    connector = connected(shared)
    for number in range(3):
        del server.items[f"a{number}"]
    assert looked_at(connector).error is None
    assert names(shared) == set()
    (document, *_) = shared.documents.removed()
    with pytest.raises(ValidationError):
        restore(document)


def test_receipts_of_what_is_withdrawn_have_no_names(shared: Datasource, server: MicrosoftServer) -> None:
    server.add("a", "Carol is to be dismissed.txt", "A plan.", "root", BOB)
    connected(shared)
    chief, carol = person("chief"), person("carol")
    chief.is_superuser = True
    hand_over(shared.owner, carol, by=chief)
    assert names(shared) == set()
    told = Api(carol).get("deletions")
    assert told.json()["count"] == 1
    assert "dismissed" not in told.content.decode()
    page = browser_of(carol).get(reverse("receipts")).content.decode()
    assert "dismissed" not in page
    assert "A document that was withdrawn" in page
