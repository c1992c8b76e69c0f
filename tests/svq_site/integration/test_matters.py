"""Matters: whose roles hold in them, what is told when something is put in, and what archived means.

That nobody changes what is archived at any address is in `test_access`.
"""

import json
from hashlib import md5
from itertools import takewhile
from typing import Any

import psycopg
import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.urls import reverse

from accounts import addresses
from accounts.models import PeopleGroup, User
from datasources import matters
from datasources.access import people_of, roles_of
from datasources.models import Datasource, Matter, Membership, Role
from datasources.refusals import ARCHIVED
from datasources.services import create_datasource
from desks.evaluation.models import Run, Schedule
from desks.evaluation.questions.services import create_set
from desks.evaluation.runs.scheduled import start_scheduled
from svq_site.people.handing_over import hand_over
from tests.audit import noted
from tests.factories import make_document, make_turn
from tests.people import browser_of, person
from tests.processes import PATIENCE, url_of_test_database
from tests.responses import text_of
from tests.rest import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def matter(contracts: Datasource, alice: User) -> Matter:
    """alice's, with her contracts."""
    made = matters.make_matter("Northwind v. Halden", by=alice)
    matters.put_in(made, contracts, by=alice)
    contracts.refresh_from_db()
    return made


@pytest.fixture
def dora() -> User:
    return person("dora")


# --- roles -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("own", [None, Role.VIEWER, Role.EDITOR])
@pytest.mark.parametrize("by_group", [None, Role.EDITOR])
@pytest.mark.parametrize("in_matter", [None, Role.VIEWER, Role.OWNER])
def test_the_highest_of_own_role_group_and_matter_holds(
    own: Role | None,
    by_group: Role | None,
    in_matter: Role | None,
    contracts: Datasource,
    matter: Matter,
    alice: User,
    dora: User,
) -> None:
    given = [role for role in (own, by_group, in_matter) if role]
    highest = max(given, key=list(Role).index, default=None)
    if own:
        Membership.objects.create(datasource=contracts, user=dora, role=own)
    if by_group:
        group = PeopleGroup.objects.create(name="Legal")
        group.members.create(person=dora)
        matters.share_matter_with_group(matter, group, by_group, by=alice)
    if in_matter:
        matter.shares.create(person=dora, role=in_matter)
    assert contracts.role_of(dora) == highest
    assert roles_of(dora, [contracts]).get(contracts.pk) == highest
    assert Datasource.objects.visible_to(dora).filter(pk=contracts.pk).exists() == bool(highest)
    assert (dora in people_of(contracts)) == bool(highest)


def test_a_role_reaches_what_is_in_the_matter_and_for_as_long(
    contracts: Datasource, matter: Matter, alice: User, dora: User, django_assert_num_queries: Any
) -> None:
    other = create_datasource(alice, "Private")
    share = matters.share_matter(matter, "Dora@example.org", Role.VIEWER, by=alice)
    assert not Datasource.objects.visible_to(person("eve")).exists()
    assert list(Datasource.objects.visible_to(dora)) == [contracts]
    with django_assert_num_queries(2):  # and whether a drive is followed, whose readers are others
        Membership.objects.create(datasource=contracts, user=dora, role=Role.VIEWER)
    with django_assert_num_queries(1):  # own role, groups and matter in one statement
        assert contracts.role_of(dora) == Role.VIEWER
    Membership.objects.all().delete()
    matters.put_in(matter, other, by=alice)
    assert Datasource.objects.visible_to(dora).count() == 2
    matters.take_out(matter, other, by=alice)
    assert list(Datasource.objects.visible_to(dora)) == [contracts]
    matters.end_share(share, by=alice)
    assert not Datasource.objects.visible_to(dora).exists()


@pytest.mark.django_db(transaction=True)
def test_open_streams_are_told_of_whoever_may_have_lost_a_role(
    contracts: Datasource, matter: Matter, alice: User, dora: User
) -> None:
    """As the web servers hear it: by a role that ends, and by a datasource that is taken out."""
    share = matter.shares.create(person=dora, role=Role.VIEWER)
    with psycopg.connect(url_of_test_database(), autocommit=True) as listening:
        listening.execute("LISTEN svq_events")
        matters.take_out(matter, contracts, by=alice)
        assert told_of(listening) == {access_key(alice), access_key(dora)}
        matters.end_share(share, by=alice)
        assert told_of(listening) == {access_key(dora)}


def told_of(listening: psycopg.Connection[Any]) -> set[str]:
    """Up to now: what is sent last is heard last."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify('svq_events', '{}')")
    heard = (json.loads(one.payload) for one in listening.notifies(timeout=PATIENCE))
    return {one["access"] for one in takewhile(bool, heard) if "access" in one}


def access_key(person: User) -> str:
    return md5(f"user:{person.pk}".encode()).hexdigest()


def test_an_address_counts_once_it_is_confirmed_and_becomes_its_person(
    contracts: Datasource, matter: Matter, alice: User, dora: User
) -> None:
    addresses._addresses().filter(user=dora).update(verified=False)
    matters.share_matter(matter, dora.email, Role.EDITOR, by=alice)
    assert browser_of(dora).get(reverse("matter", args=[matter.pk])).status_code == 404
    addresses.confirm(dora)
    assert contracts.role_of(dora) == Role.EDITOR
    assert browser_of(dora).get(reverse("matter", args=[matter.pk])).status_code == 200
    assert matter.shares.get(person=dora).role == Role.EDITOR
    assert not matter.shares.exclude(email="").exists()


def test_only_who_owns_a_datasource_puts_it_in_and_it_is_told_who_will_see_it(
    contracts: Datasource, matter: Matter, alice: User, bob: User
) -> None:
    """bob reads the contracts, and edits the matter."""
    matter.shares.create(person=bob, role=Role.EDITOR)
    recipes = create_datasource(bob, "Recipes")
    Membership.objects.create(datasource=create_datasource(alice, "Hers"), user=bob, role=Role.EDITOR)
    client, address = browser_of(bob), reverse("put_in_matter", args=[matter.pk])
    shown = text_of(client.get(address))
    assert "Recipes" in shown
    assert "Hers" not in shown
    assert "These will see it, with the role that they have in the matter: Alice Owner Bob Editor" in shown
    assert client.post(address, {"datasource": ""}).status_code == 422, "none is chosen beforehand"
    assert "Choose one" in shown
    hers = Datasource.objects.get(name="Hers")
    assert client.post(address, {"datasource": hers.pk}).status_code == 422
    assert client.post(address, {"datasource": recipes.pk})["Location"] == reverse("matter", args=[matter.pk])
    recipes.refresh_from_db()
    assert recipes.matter == matter
    assert recipes.role_of(alice) == Role.OWNER
    second = matters.make_matter("Another", by=bob)
    with pytest.raises(ValidationError, match="in another matter"):
        matters.put_in(second, recipes, by=bob)


def test_somebody_always_owns_it(matter: Matter, alice: User, bob: User) -> None:
    own = matter.shares.get(person=alice)
    for act in (
        lambda: matters.end_share(own, by=alice),
        lambda: matters.change_share(own, Role.VIEWER, by=alice),
    ):
        with pytest.raises(ValidationError, match="last person who owns"):
            act()
    hand_over(alice, bob, by=alice)
    assert {share.person: share.role for share in matter.shares.all()} == {bob: "owner", alice: "editor"}


# --- pages -----------------------------------------------------------------------------------------------
def test_home_shows_folders_and_a_matter_what_is_in_it(
    contracts: Datasource, matter: Matter, alice: User, bob: User
) -> None:
    make_document(contracts, "Lease", "Thirty days.")
    create_datasource(alice, "Private")
    mine = browser_of(alice)
    home = text_of(mine.get(reverse("home")))
    assert "Northwind v. Halden Contracts 1 datasource, 1 document 1 In no matter" in home
    assert home.count("Contracts") == 1  # in the folder, not as a card
    found = text_of(mine.get(reverse("home"), {"find": "contr"}))
    assert "Contracts Ready" in found
    assert "Northwind" not in found
    assert "Northwind" in text_of(mine.get(reverse("home"), {"find": "halden"}))
    page = text_of(mine.get(reverse("matter", args=[matter.pk])))
    assert "1 document in 1 datasource. Put a datasource in" in page
    assert "Contracts Ready" in page
    assert "1 Documents 1 Passages" in page
    # bob is a member of the contracts alone: he sees them on his home page, and no matter.
    assert "Northwind" not in text_of(browser_of(bob).get(reverse("home")))
    assert "Contracts Ready" in text_of(browser_of(bob).get(reverse("home")))
    settings = reverse("settings_section", args=[contracts.pk, "people"])
    assert "Also by Northwind v. Halden Take it out of the matter" in text_of(mine.get(settings))


def test_all_of_a_matter_is_searched_at_once(contracts: Datasource, matter: Matter, alice: User) -> None:
    """Its page leads to the search over all, with its datasources chosen."""
    make_document(contracts, "Lease", "The lease ends after thirty days.")
    make_document(create_datasource(alice, "Private"), "Diary", "The lease is signed.")
    page = browser_of(alice).get(reverse("matter", args=[matter.pk])).content.decode()
    assert f'name="datasource" value="{contracts.pk}"' in page
    found = text_of(
        browser_of(alice).get(reverse("search_all"), {"datasource": str(contracts.pk), "q": "lease"})
    )
    assert "thirty days" in found
    assert "is signed" not in found


def test_a_deleted_matter_leaves_its_datasources(
    contracts: Datasource, matter: Matter, alice: User, dora: User
) -> None:
    matter.shares.create(person=dora, role=Role.VIEWER)
    matters.archive(matter, by=alice)
    address = reverse("delete_matter", args=[matter.pk])
    assert "The datasource in it stays with its owner and keeps everything, and is open again" in text_of(
        browser_of(alice).get(address)
    )
    assert browser_of(alice).post(address)["Location"] == reverse("home")
    contracts.refresh_from_db()
    assert (contracts.matter, contracts.archived) == (None, None)
    assert contracts.role_of(dora) is None
    assert list(Datasource.objects.listed_for(alice)) == [contracts]


def test_what_is_done_is_in_the_audit_log_without_the_name(
    contracts: Datasource, matter: Matter, alice: User, bob: User
) -> None:
    client = browser_of(alice)
    client.post(reverse("rename_matter", args=[matter.pk]), {"name": "Kestrel v. Halden"})
    client.post(reverse("share_matter", args=[matter.pk]), {"email": "dora@example.org", "role": "viewer"})
    client.post(reverse("archive_matter", args=[matter.pk]))
    client.post(reverse("open_matter", args=[matter.pk]))
    entries = noted().filter(subject="datasources.Matter").order_by("pk")
    assert [(one.act, one.address, one.datasource) for one in entries] == [
        ("matter", "made it", None),
        ("matter", "put a datasource into it", contracts.pk),
        ("matter", "renamed it", None),
        ("matter", "an invited address as viewer", None),
        ("archived", "archived", None),
        ("archived", "archived", contracts.pk),
        ("opened", "opened again", None),
        ("opened", "opened again", contracts.pk),
    ]


# --- archived --------------------------------------------------------------------------------------------
def test_what_is_archived_is_in_no_list_and_opens_with_one_click(
    contracts: Datasource, matter: Matter, alice: User, bob: User
) -> None:
    """bob, a member of the contracts, still reads them at their address."""
    document = make_document(contracts, "Lease", "The lease ends after thirty days.")
    client = browser_of(alice)
    client.post(reverse("archive_matter", args=[matter.pk]))
    for name, query in (
        ("home", {}),
        ("matters", {}),
        ("palette", {"q": "lease"}),
        ("search_all", {"q": "lease"}),
    ):
        shown = text_of(client.get(reverse(name), query))
        assert "Contracts" not in shown, name
        assert "thirty days" not in shown, name
    assert "Northwind v. Halden" in text_of(client.get(reverse("matters"), {"archived": "1"}))
    page = text_of(client.get(reverse("matter", args=[matter.pk])))
    assert "Contracts Ready" in page
    assert "Put a datasource in" not in page
    for reader in (client, browser_of(bob)):
        shown = text_of(reader.get(reverse("documents", args=[contracts.pk])))
        assert "Archived. It can be read" in shown
        assert "Add files" not in shown
        assert reader.get(reverse("reader", args=[contracts.pk, document.pk])).status_code == 200
        assert (
            "Ask about your documents"
            not in reader.get(reverse("chat", args=[contracts.pk])).content.decode()
        )
    assert browser_of(bob).post(reverse("open_matter", args=[matter.pk])).status_code == 404
    client.post(reverse("open_matter", args=[matter.pk]))
    assert "Contracts" in text_of(client.get(reverse("home")))


def test_what_is_archived_offers_nothing_that_would_be_refused(
    contracts: Datasource, matter: Matter, alice: User
) -> None:
    turn = make_turn(alice, make_document(contracts, "Lease", "The lease ends after thirty days."))
    conversation = reverse("conversation", args=[contracts.pk, turn.conversation_id])
    offered = {
        conversation: [
            *('title="New conversation"', "Ask again", "Edit the question", "Helpful", "Rename", "Delete"),
            *("Share by a link", "Keep in the notebook"),
        ],
        reverse("chat", args=[contracts.pk]): [">New conversation</h1>", "What do you want to know?"],
        reverse("documents", args=[contracts.pk]): ['type="checkbox"'],
    }
    client = browser_of(alice)
    for address, words in offered.items():
        page = client.get(address).content.decode()
        assert [each for each in words if each not in page] == []
    matters.archive(matter, by=alice)
    for address, words in offered.items():
        page = client.get(address).content.decode()
        assert [each for each in words if each in page] == []
    assert "Evidence pack" in client.get(conversation).content.decode()


def test_an_owner_of_a_datasource_opens_a_matter_whose_owners_have_left(
    contracts: Datasource, matter: Matter, alice: User, dora: User
) -> None:
    matter.shares.create(person=dora, role=Role.OWNER)
    matter.shares.filter(person=alice).delete()
    matters.archive(matter, by=dora)
    browser_of(alice).post(reverse("open_matter", args=[matter.pk]))
    contracts.refresh_from_db()
    assert contracts.archived is None


def test_schedules_rest_while_it_is_archived(contracts: Datasource, matter: Matter, alice: User) -> None:
    made = create_set(contracts, "Notice periods", alice)
    Schedule.objects.create(question_set=made, person=alice)
    matters.archive(matter, by=alice)
    start_scheduled(contracts.pk)
    assert not Run.objects.exists()
    assert Schedule.objects.get().problem == ""


# --- REST ------------------------------------------------------------------------------------------------
def test_rest_does_what_the_pages_do(contracts: Datasource, alice: User, bob: User) -> None:
    mine, his = Api(alice), Api(bob)
    made = mine.post("matters", {"name": "Northwind v. Halden"}).json()
    address = f"matters/{made['id']}"
    shared = mine.post(f"{address}/shares", {"email": "dora@example.org", "role": "editor"}).json()
    assert (shared["email"], shared["role"], shared["is_invited"]) == ("dora@example.org", "editor", True)
    put = mine.send("PUT", f"{address}/data-sources/{contracts.pk}")
    assert put.json()["datasources"] == [contracts.pk]
    assert [each["email"] for each in put.json()["shares"]] == [alice.email, "dora@example.org"]
    assert his.get(address).status_code == 404
    archived = mine.send("PATCH", address, {"is_archived": True}).json()
    assert archived["archived"]
    assert mine.get("data-sources").json()["results"] == []
    assert [each["id"] for each in mine.get("data-sources?archived=true").json()["results"]] == [contracts.pk]
    refused = mine.send("PATCH", f"data-sources/{contracts.pk}", {"name": "New"})
    assert (refused.status_code, refused.json()["code"]) == (409, "archived")
    assert f"{refused.json()['message']} {refused.json()['hint']}" == ARCHIVED
    assert mine.send("DELETE", f"{address}/data-sources/{contracts.pk}").status_code == 409
    assert mine.send("PATCH", address, {"is_archived": False, "name": "x" * 500}).status_code == 400
    assert mine.get(address).json()["archived"]  # all of a change or nothing
    assert mine.send("PATCH", address, {"is_archived": False}).json()["archived"] is None
    assert mine.send("DELETE", address).status_code == 204
    assert mine.get(f"data-sources/{contracts.pk}").json()["matter"] is None


# --- accounts that end -----------------------------------------------------------------------------------
def test_an_account_with_a_role_in_a_matter_can_be_deleted(matter: Matter, alice: User, dora: User) -> None:
    matter.shares.create(person=dora, role=Role.VIEWER)
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    address = reverse("admin:accounts_user_delete", args=[dora.pk])
    browser_of(alice).post(address, {"post": "yes"})
    assert not User.objects.filter(pk=dora.pk).exists()
    assert [share.person for share in matter.shares.all()] == [alice]
