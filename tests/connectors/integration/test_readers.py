"""What is shown to fewer people where it lies is not shown to more here, whichever way it might be."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import addresses
from accounts.groups import add_member, make_group
from accounts.models import PeopleGroup, User
from datasources import join_links, matters
from datasources import services as sharing
from datasources.models import Datasource, Membership, Role
from exchange.connectors import following, readers, services, taking, trying
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Brought, Connector, Counterpart, Status
from ingestion.lifecycle.deletion import restore
from svq_site.people.handing_over import hand_over
from tests.connectors.clouds_server import (
    APPLICATION,
    PLACE,
    SECRET,
    TENANT,
    MicrosoftServer,
    Said,
    as_json,
    by_group,
    by_mail,
)
from tests.connectors.looking import looked_at, names
from tests.factories import make_document
from tests.people import browser_of, person
from tests.responses import text_of
from tests.rest import Api

KEY: dict[str, Any] = {"tenant": TENANT, "application": APPLICATION, "secret": SECRET}
BOB = by_mail("bob@example.org")
LEASE = {"lease.txt"}


@pytest.fixture(autouse=True)
def server(db: None, settings: Any) -> Iterator[MicrosoftServer]:
    with MicrosoftServer() as running:
        settings.CLOUDS_URL = running.address
        yield running


@pytest.fixture
def shared(contracts: Datasource, bob: User) -> Datasource:
    """Of alice, who gives the key, and bob, who has confirmed his address."""
    addresses.confirm(bob)
    return contracts


def connected(datasource: Datasource, by: User | None = None) -> Connector:
    made = trying.connect(datasource, Kind.SHAREPOINT, PLACE, by=by or datasource.owner, **KEY)
    return looked_at(made)


def test_a_file_that_some_reader_here_cannot_read_there_stays_out(
    shared: Datasource, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    server.add("b", "salaries.txt", "Bob earns less.", "root", by_mail("carol@arden.example"))
    server.add("c", "nobody.txt", "For the key alone.")
    connector = connected(shared)
    assert (connector.status, connector.error) == (Status.IDLE, None)
    assert names(shared) == LEASE
    held = connector.files.get(path="salaries.txt")
    assert (held.is_withheld, held.document) == (True, None)
    assert held.refusal == "bob@example.org can read this datasource, but not this file where it lies."
    assert not [asked for asked in server.asked if "items/b/content" in asked], "it is not even fetched"


def test_it_goes_when_it_is_shown_to_fewer_there_and_comes_back(
    shared: Datasource, server: MicrosoftServer
) -> None:
    """Also where what is deleted would ask first: all of them, and more than a hundred."""
    for number in range(3):
        server.add(f"a{number}", f"lease {number}.txt", f"Rent {number} is due.", "root", BOB)
    connector = connected(shared)
    assert len(names(shared)) == 3
    for number in range(3):
        server.permissions[f"a{number}"] = []
    assert looked_at(connector).error is None
    assert names(shared) == set()
    (document, *_) = shared.documents.removed()
    with pytest.raises(ValidationError):
        restore(document)
    server.permissions["a0"] = [BOB]
    shared.documents.all().delete()
    looked_at(connector)
    assert names(shared) == {"lease 0.txt"}


def test_an_address_that_is_not_confirmed_is_nobodys(
    contracts: Datasource, bob: User, server: MicrosoftServer
) -> None:
    addresses.confirmed_addresses(bob).model.objects.filter(user=bob).update(verified=False)
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    connector = connected(contracts)
    assert names(contracts) == set()
    addresses.confirm(bob)
    looked_at(connector)
    assert names(contracts) == LEASE


# --- the datasource is shared with more people -----------------------------------------------------------
def _with_a_person(datasource: Datasource) -> None:
    sharing.share(datasource, person("carol"), Role.ASKER)


def _with_an_address(datasource: Datasource) -> None:
    sharing.invite(datasource, "carol@arden.example", Role.VIEWER)


def _with_a_group(datasource: Datasource) -> None:
    """An empty one: somebody may come into it at any moment."""
    group = make_group("Lawyers", by=datasource.owner)
    sharing.share_with_group(datasource, group, Role.VIEWER)


def _by_a_link(datasource: Datasource) -> None:
    made = join_links.make_join_link(datasource, Role.VIEWER, by=datasource.owner, days=7)
    join_links.join(made.address.rstrip("/").rpartition("/")[2], person("carol"))


def _by_a_matter_that_is_shared(datasource: Datasource) -> None:
    matter = matters.make_matter("Arden", by=datasource.owner)
    matters.put_in(matter, datasource, by=datasource.owner)
    matters.share_matter(matter, "carol@arden.example", Role.VIEWER, by=datasource.owner)


def _by_a_matter_for_a_group(datasource: Datasource) -> None:
    matter = matters.make_matter("Arden", by=datasource.owner)
    matters.put_in(matter, datasource, by=datasource.owner)
    group = make_group("Lawyers", by=datasource.owner)
    matters.share_matter_with_group(matter, group, Role.VIEWER, by=datasource.owner)


def _into_a_matter_that_is_shared(datasource: Datasource) -> None:
    matter = matters.make_matter("Arden", by=datasource.owner)
    matters.share_matter(matter, "carol@arden.example", Role.VIEWER, by=datasource.owner)
    matters.put_in(matter, datasource, by=datasource.owner)


def _to_another_owner(datasource: Datasource) -> None:
    chief = person("chief")
    chief.is_superuser = True
    hand_over(datasource.owner, person("carol"), by=chief)


def _in_the_admin(datasource: Datasource) -> None:
    Membership(datasource=datasource, user=person("carol"), role=Role.VIEWER).save()


WIDER = (
    _with_a_person,
    _with_an_address,
    _with_a_group,
    _by_a_link,
    _by_a_matter_that_is_shared,
    _by_a_matter_for_a_group,
    _into_a_matter_that_is_shared,
    _to_another_owner,
    _in_the_admin,
)


@pytest.mark.parametrize("share", WIDER)
def test_what_becomes_too_wide_goes_at_once(
    shared: Datasource, server: MicrosoftServer, share: Callable[[Datasource], None]
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    server.add("b", "rules.txt", "For everybody.", "root", BOB, *for_all())
    connector = connected(shared)
    stand_for_all(connector)
    looked_at(connector)
    assert names(shared) == {"lease.txt", "rules.txt"}
    share(Datasource.objects.get(pk=shared.pk))
    assert names(shared).isdisjoint(LEASE), "before any look"
    looked_at(connector)
    assert names(shared).isdisjoint(LEASE)


def for_all() -> list[dict[str, Any]]:
    return [by_group("Everyone except external users")]


def stand_for_all(connector: Connector) -> None:
    group = PeopleGroup.objects.create(name="All of the firm")
    row = connector.counterparts.get(name="Everyone except external users")
    readers.stand_for(connector, {row.pk: group}, by=connector.datasource.owner)


def test_whom_it_is_shared_with_may_read_it_there_as_well(
    shared: Datasource, server: MicrosoftServer
) -> None:
    carol = person("carol")
    addresses.confirm(carol)
    server.add("a", "lease.txt", "Rent is due.", "root", BOB, by_mail("Carol@Example.org"))
    connected(shared)
    sharing.share(shared, carol, Role.VIEWER)
    assert names(shared) == LEASE
    sharing.invite(shared, "dora@arden.example", Role.VIEWER)
    assert names(shared) == set()


def test_a_file_taken_while_somebody_comes_in_stays_out(
    shared: Datasource, server: MicrosoftServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the list, which is judged as a whole, and the moment in which the file is taken."""
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    before = taking._fetch

    def meanwhile(*given: Any) -> str:
        sharing.invite(shared, "carol@arden.example", Role.VIEWER)
        return before(*given)

    monkeypatch.setattr(taking, "_fetch", meanwhile)
    connector = connected(shared)
    assert names(shared) == set()
    assert connector.files.get().is_withheld


# --- groups ----------------------------------------------------------------------------------------------
@pytest.fixture
def lawyers(contracts: Datasource) -> PeopleGroup:
    contracts.memberships.all().delete()
    group = make_group("Lawyers", by=contracts.owner)
    sharing.share_with_group(contracts, group, Role.VIEWER)
    return group


def test_a_group_reads_what_its_counterpart_reads_there(
    contracts: Datasource, lawyers: PeopleGroup, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", by_group("Matters Members"))
    server.add("b", "other.txt", "Of others.", "root", by_group("Other Members of another size"))
    connector = connected(contracts)
    assert names(contracts) == set(), "groups are never taken to be the same for their names"
    assert {each.name: each.files for each in connector.counterparts.all()} == {
        "Matters Members": 1,
        "Other Members of another size": 1,
    }
    row = connector.counterparts.get(name="Matters Members")
    readers.stand_for(connector, {row.pk: lawyers}, by=connector.datasource.owner)
    looked_at(connector)
    assert names(contracts) == LEASE
    add_member(lawyers, person("carol"), by=contracts.owner)
    looked_at(connector)
    assert names(contracts) == LEASE, "who is in the group is said of the group"
    readers.stand_for(connector, {row.pk: None}, by=connector.datasource.owner)
    assert names(contracts) == set(), "at once"


def test_a_member_of_a_group_is_not_one_by_themselves(
    contracts: Datasource, lawyers: PeopleGroup, bob: User, server: MicrosoftServer
) -> None:
    """They may leave the group, here or there, and would still be shared with."""
    addresses.confirm(bob)
    add_member(lawyers, bob, by=contracts.owner)
    server.add("a", "lease.txt", "Rent is due.", "root", by_group("Matters Members"))
    connector = connected(contracts)
    readers.stand_for(connector, {connector.counterparts.get().pk: lawyers}, by=connector.datasource.owner)
    looked_at(connector)
    assert names(contracts) == LEASE
    sharing.share(contracts, bob, Role.VIEWER)
    assert names(contracts) == set()


def test_a_group_that_is_deleted_here_stands_for_nobody(
    contracts: Datasource, lawyers: PeopleGroup, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", by_group("Matters Members"))
    connector = connected(contracts)
    readers.stand_for(connector, {connector.counterparts.get().pk: lawyers}, by=connector.datasource.owner)
    lawyers.delete()
    again = make_group("Lawyers", by=contracts.owner)
    sharing.share_with_group(contracts, again, Role.VIEWER)
    looked_at(connector)
    assert names(contracts) == set()
    assert Counterpart.objects.get().group is None


# --- the key ---------------------------------------------------------------------------------------------
def test_who_gives_the_key_reads_what_it_reads_and_who_gave_another_does_not(
    shared: Datasource, bob: User, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    connector = connected(shared)
    assert names(shared) == LEASE
    sharing.share(shared, bob, Role.OWNER)
    changed: dict[str, Any] = {"secret": SECRET}
    trying.check_change(connector, changed, bob)
    services.change(connector, **changed)
    assert names(shared) == set(), "alice is named by nobody there"
    looked_at(connector)
    assert names(shared) == set()


# --- what the source does not tell -----------------------------------------------------------------------
def test_where_nobody_may_tell_who_reads_it_stays_out(shared: Datasource, server: MicrosoftServer) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    connector = connected(shared)
    server.instead["permissions of a"] = Said(403, times=10)
    looked_at(connector)
    assert names(shared) == set()


@pytest.mark.parametrize(
    "said",
    [
        as_json({"responses": []}),
        as_json({"responses": [{"id": "0", "status": 200, "body": {}}]}),
        as_json({"responses": [{"id": "0", "status": 500}]}),
        as_json({}),
    ],
)
def test_a_broken_list_of_readers_changes_nothing(
    shared: Datasource, server: MicrosoftServer, said: Said
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    connector = connected(shared)
    server.instead["$batch"] = said
    assert looked_at(connector).error_code == "half_a_list"
    assert names(shared) == LEASE


# --- the same content in two places ----------------------------------------------------------------------
def test_a_document_goes_when_none_of_its_files_may_be_read(
    shared: Datasource, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    server.add("b", "copy.txt", "Rent is due.", "root", BOB)
    connector = connected(shared)
    assert shared.documents.current().count() == 1
    server.permissions["b"] = []
    looked_at(connector)
    assert shared.documents.current().count() == 1, "the other may be read as before"
    server.permissions["a"] = []
    looked_at(connector)
    assert not shared.documents.current().exists()


def test_it_goes_when_the_only_file_that_may_be_read_is_deleted(
    shared: Datasource, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    server.add("b", "copy.txt", "Rent is due.", "root", BOB)
    server.add("c", "other.txt", "Keys are handed over.", "root", BOB)
    connector = connected(shared)
    server.permissions["b"] = []
    looked_at(connector)
    del server.items["a"]
    looked_at(connector)
    assert names(shared) == {"other.txt"}


# --- what is no longer followed --------------------------------------------------------------------------
def test_nothing_stays_of_which_nobody_asks_any_more(shared: Datasource, server: MicrosoftServer) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", BOB)
    server.add("b", "annex.txt", "Keys are handed over.", "root", BOB)
    how: dict[str, Any] = KEY | {"deletes": False}
    connector = looked_at(trying.connect(shared, Kind.SHAREPOINT, PLACE, by=shared.owner, **how))
    services.change(connector, deletes=False)
    assert connector.deletes, "what is gone there goes here"
    del server.items["b"]
    looked_at(connector)
    assert names(shared) == LEASE
    services.disconnect(connector)
    assert names(shared) == set()


# --- the page --------------------------------------------------------------------------------------------
def test_its_owner_is_told_what_is_held_back_and_says_who_is_who(
    contracts: Datasource, lawyers: PeopleGroup, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", by_group("Matters Members"))
    connector = connected(contracts)
    browser, page = browser_of(contracts.owner), reverse("connector", args=[contracts.pk, connector.pk])
    shown = text_of(browser.get(page))
    assert "One file is held back" in shown
    assert "Lawyers can read this datasource, but not this file where it lies." in shown
    row = connector.counterparts.get()
    wrong = {"action": "readers", f"counterpart_{row.pk}": "99999"}
    assert browser.post(page, wrong).status_code == 422
    browser.post(page, {"action": "readers", f"counterpart_{row.pk}": str(lawyers.pk)})
    following.carry_on(connector.pk)
    assert names(contracts) == LEASE
    assert "Its documents are deleted here" in text_of(browser.get(f"{page}?ask=disconnect"))
    assert 'name="deletes"' not in browser.get(page).content.decode()


def test_only_what_this_source_names_can_be_given_a_group(
    contracts: Datasource, lawyers: PeopleGroup, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", by_group("Matters Members"))
    connector = connected(contracts)
    with pytest.raises(ValidationError):
        readers.stand_for(
            connector, {connector.counterparts.get().pk + 1: lawyers}, by=connector.datasource.owner
        )


def test_another_owner_says_nothing_of_it_and_learns_no_names(
    shared: Datasource, bob: User, server: MicrosoftServer
) -> None:
    """They would open to themselves what they can't read there."""
    sharing.share(shared, bob, Role.OWNER)
    server.add("a", "salaries.txt", "Bob earns less.", "root", by_group("Board"))
    connector = connected(shared)
    page = reverse("connector", args=[shared.pk, connector.pk])
    row, group = connector.counterparts.get(), PeopleGroup.objects.create(name="All")
    shown = text_of(browser_of(bob).get(page))
    assert "One file is held back" in shown
    assert "salaries" not in shown
    given = {"action": "readers", f"counterpart_{row.pk}": str(group.pk)}
    assert "Only whoever gave the key" in text_of(browser_of(bob).post(page, given, follow=True))
    files = f"data-sources/{shared.pk}/connectors/{connector.pk}/files"
    assert Api(bob).get(files).json()["results"] == []
    assert [file["is_withheld"] for file in Api(shared.owner).get(files).json()["results"]] == [True]
    row.refresh_from_db()
    assert row.group is None


def statements_of_sharing(datasource: Datasource, documents: int, reader: User) -> int:
    """With somebody who can't read them where they lie: a request waits for that."""
    owner = datasource.owner
    drive = Connector.objects.create(
        datasource=datasource, kind=Kind.SHAREPOINT, place="x", made_by=owner, key_of=owner
    )
    for number in range(documents):
        document = make_document(datasource, f"Lease {number}", f"Rent {number} is due in May.")
        Brought.objects.create(document=document)
        drive.files.create(path=f"{number}.txt", version="1", document=document, readers=[])
    with CaptureQueriesContext(connection) as queries:
        sharing.share(datasource, reader, Role.VIEWER)
    assert names(datasource) == set()
    held = drive.files.filter(is_withheld=True, refusal__startswith=reader.email)
    assert held.count() == documents
    return len(queries)


def test_however_many_documents_go_it_takes_as_many_statements(contracts: Datasource, charlie: User) -> None:
    contracts.memberships.all().delete()
    others = sharing.create_datasource(contracts.owner, "Leases")
    few, many = (
        statements_of_sharing(each, number, charlie) for each, number in ((contracts, 2), (others, 12))
    )
    assert few == many


def test_a_program_says_which_group_here_one_of_the_source_is(
    contracts: Datasource, lawyers: PeopleGroup, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", "root", by_group("Matters Members"))
    connector = connected(contracts)
    sharing.share(contracts, other := person("carol"), Role.OWNER)
    one = f"data-sources/{contracts.pk}/connectors/{connector.pk}/readers"
    (told,) = Api(contracts.owner).get(one).json()["results"]
    assert told == {"id": told["id"], "name": "Matters Members", "files": 1, "group": None}
    place = f"{one}/{told['id']}"
    refused = Api(other).send("PUT", place, {"group": "Lawyers"})
    assert (refused.status_code, refused.json()["code"]) == (400, "not_yours")
    contracts.memberships.all().delete()
    owner = Api(contracts.owner)
    assert owner.send("PUT", place, {"group": "Nobody"}).status_code == 404
    assert owner.send("PUT", place, {"group": "Lawyers"}).json() == told | {"group": "Lawyers"}
    following.carry_on(connector.pk)
    assert names(contracts) == LEASE, "it has been looked at without being asked"
    assert owner.send("PUT", place, {"group": None}).json() == told
    assert names(contracts) == set(), "at once"


def test_a_group_of_another_place_is_another_group(
    contracts: Datasource, lawyers: PeopleGroup, server: MicrosoftServer
) -> None:
    """Numbers of groups are those of a site."""
    connector = trying.connect(contracts, Kind.SHAREPOINT, PLACE, by=contracts.owner, **KEY)
    row = Counterpart.objects.create(connector=connector, key="other:siteGroup:7", name="Members")
    readers.stand_for(connector, {row.pk: lawyers}, by=contracts.owner)
    server.folder("f1", "Arden")
    changed: dict[str, Any] = {"place": f"{PLACE}/Arden", "secret": SECRET}
    trying.check_change(connector, changed, contracts.owner)
    services.change(connector, **changed)
    assert not connector.counterparts.exists()


def test_a_key_opens_nothing_for_another_name(contracts: Datasource, server: MicrosoftServer) -> None:
    """One of them may open all mailboxes of a firm: an owner who does not know it chooses none."""
    connector = connected(contracts)
    for name in ("tenant", "application", "user_name"):
        with pytest.raises(ValidationError, match="Enter the password again"):
            trying.check_change(connector, {name: "another"}, contracts.owner)
        with pytest.raises(ValidationError, match="Enter the password again"):
            services.change(connector, **{name: "another"})
