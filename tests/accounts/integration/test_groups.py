"""Groups of people: made by administrators, filled by a provider's groups, shared with by owners."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import groups as services
from accounts.identity.models import IdentityProvider
from accounts.identity.services import disconnect, remove
from accounts.models import PeopleGroup, User
from datasources.access import people_of, roles_of
from datasources.models import Datasource, Membership, Role
from datasources.services import share_with_group
from exchange.shares.services import link_of, make_link
from tests.accounts.openid_server import OpenIdServer
from tests.accounts.through_provider import registered, sign_in
from tests.audit import noted
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import text_of


@pytest.fixture
def chief(alice: User) -> Client:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    return browser_of(alice)


@pytest.fixture
def legal(charlie: User) -> PeopleGroup:
    """charlie is in it."""
    group = PeopleGroup.objects.create(name="Legal")
    group.members.create(person=charlie)
    return group


@pytest.fixture
def server() -> Iterator[OpenIdServer]:
    with OpenIdServer() as running:
        yield running


def to(group: PeopleGroup, chief: Client, action: str, **more: Any) -> Any:
    return chief.post(reverse("group", args=[group.pk]), {"action": action, **more})


def test_an_administrator_makes_a_group_and_says_who_is_in_it(
    chief: Client, charlie: User, contracts: Datasource
) -> None:
    made = chief.post(reverse("groups"), {"name": " Legal "})
    legal = PeopleGroup.objects.get(name="Legal")
    assert made["Location"] == reverse("group", args=[legal.pk])
    assert "There is a group called “Legal” already" in text_of(
        chief.post(reverse("groups"), {"name": "LEGAL"})
    )
    chief.post(reverse("groups"), {"name": "\u200b\u202e"})  # letters that nobody sees
    assert PeopleGroup.objects.count() == 1
    assert to(legal, chief, "add", email="nobody@example.org").status_code == 422
    to(legal, chief, "add", email="Charlie@example.org")
    assert "charlie@example.org An administrator Active Remove" in text_of(
        chief.get(reverse("group", args=[legal.pk]))
    )
    share_with_group(contracts, legal, Role.VIEWER)
    assert "Legal 1 1 0 Administrators" in text_of(chief.get(reverse("groups")))
    to(legal, chief, "save", name="Lawyers")
    assert to(legal, chief, "rename", name="Others").status_code == 400
    chief.post(reverse("remove_from_group", args=[legal.pk, charlie.pk]))
    assert not Datasource.objects.visible_to(charlie).exists()
    asked = text_of(chief.get(reverse("group", args=[legal.pk]), {"ask": "delete"}))
    assert "Shared with it: 1 datasource and 0 matters. Its members lose at once" in asked
    to(legal, chief, "delete")
    with pytest.raises(ValidationError, match="Somebody has deleted this group"):
        services.rename_group(legal, "Again", by=charlie)
    assert not PeopleGroup.objects.exists()
    assert [one.address for one in noted().filter(act="group").order_by("pk")] == [
        "made Legal",
        "added charlie@example.org to Legal",
        "renamed Legal to Lawyers",
        "removed charlie@example.org from Lawyers",
        "deleted Lawyers",
    ]


def test_an_owner_shares_with_a_group(alice: User, charlie: User, contracts: Datasource, legal: Any) -> None:
    owner, page = browser_of(alice), reverse("settings_section", args=[contracts.pk, "people"])
    form = {"group-group": str(legal.pk), "group-role": "editor"}
    owner.post(reverse("share_with_group", args=[contracts.pk]), form)
    assert "Legal Group" in text_of(owner.get(page))
    reader = browser_of(charlie)
    assert reader.get(reverse("documents", args=[contracts.pk])).status_code == 200
    assert contracts.role_of(charlie) == Role.EDITOR
    change = reverse("change_group_share", args=[contracts.pk, legal.pk])
    owner.post(change, {"field": "role", "role": "viewer"})
    assert contracts.role_of(charlie) == Role.VIEWER
    owner.post(change, {"remove": "1"})
    assert reader.get(reverse("documents", args=[contracts.pk])).status_code == 404


@pytest.mark.parametrize(
    ("own", "by_group", "highest"),
    [
        ("viewer", "editor", Role.EDITOR),
        ("editor", "viewer", Role.EDITOR),
        (None, "owner", Role.OWNER),
        ("viewer", None, Role.VIEWER),
        (None, None, None),
    ],
)
def test_the_highest_role_holds(
    own: str | None,
    by_group: str | None,
    highest: Role | None,
    charlie: User,
    contracts: Datasource,
    legal: Any,
) -> None:
    if own:
        Membership.objects.create(datasource=contracts, user=charlie, role=own)
    if by_group:
        share_with_group(contracts, legal, Role(by_group))
        other = PeopleGroup.objects.create(name="All")
        other.members.create(person=charlie)
        share_with_group(contracts, other, Role.VIEWER)
    assert contracts.role_of(charlie) == highest
    assert roles_of(charlie, [contracts]).get(contracts.pk) == highest
    assert (charlie in people_of(contracts)) == bool(highest)


def test_who_is_in_two_ways_sees_a_datasource_once(charlie: User, contracts: Datasource, legal: Any) -> None:
    Membership.objects.create(datasource=contracts, user=charlie)
    share_with_group(contracts, legal, Role.EDITOR)
    assert list(Datasource.objects.visible_to(charlie)) == [contracts]
    assert people_of(contracts).count(charlie) == 1


def test_removing_a_member_who_sees_it_by_a_group_says_so(
    alice: User, charlie: User, contracts: Datasource, legal: Any
) -> None:
    Membership.objects.create(datasource=contracts, user=charlie)
    share_with_group(contracts, legal, Role.VIEWER)
    remove = reverse("change_member", args=[contracts.pk, charlie.pk])
    said = text_of(browser_of(alice).post(remove, {"remove": "1"}, follow=True))
    assert "charlie@example.org still sees “Contracts” by a group." in said


def test_share_links_end_with_the_group_of_their_maker(
    charlie: User, contracts: Datasource, legal: Any
) -> None:
    share_with_group(contracts, legal, Role.EDITOR)
    turn = make_turn(charlie, make_document(contracts, "Lease", "Rent is due."), "When?")
    _, token = make_link(charlie, turn, recipient="Dora", days=1)
    assert link_of(token)
    legal.members.all().delete()
    assert link_of(token) is None


def test_a_providers_groups_fill_mapped_groups_and_empty_them_again(
    client: Client, chief: Client, server: OpenIdServer, legal: PeopleGroup
) -> None:
    arden = registered(server, makes_accounts=True)
    assert "Say what Arden calls this group" in text_of(
        to(legal, chief, "save", name="Legal", provider=arden.pk)
    )
    to(legal, chief, "save", name="Legal", provider=arden.pk, claim="dept-legal")
    server.person["groups"] = ["staff", "dept-legal", "svq\0"]
    sign_in(client, arden)
    dora = User.objects.get(email="dora@example.org")
    assert legal.members.filter(person=dora, provider=arden).exists()
    assert "dora@example.org Arden Active Remove" in text_of(chief.get(reverse("group", args=[legal.pk])))
    server.person["groups"] = ["staff"]
    sign_in(client, arden)
    assert [one.person.email for one in legal.members.all()] == ["charlie@example.org"], "added by hand"
    server.person["groups"] = ["dept-legal"]
    sign_in(client, arden)
    to(legal, chief, "save", name="Legal", provider=arden.pk, claim="another")
    assert not legal.members.filter(person=dora).exists(), "the mapping that put them in is gone"
    to(legal, chief, "add", email="dora@example.org")
    sign_in(client, arden)
    assert legal.members.filter(person=dora, provider=None).exists()
    told = [one.address for one in noted().filter(act="group", email="dora@example.org").order_by("pk")]
    assert told == ["came into Legal, by Arden", "left Legal, by Arden", "came into Legal, by Arden"]
    assert noted().filter(address="removed dora@example.org from Legal").count() == 1, "by the new mapping"
    remove(arden)
    assert legal.members.filter(person=dora).exists()


@pytest.mark.parametrize("how", ["the person disconnects it", "it is removed"])
def test_what_a_provider_gave_ends_with_it(how: str, charlie: User, legal: PeopleGroup) -> None:
    arden = IdentityProvider.objects.create(name="Arden", issuer="https://arden.example", client_id="svq")
    legal.members.update(provider=arden)
    if how == "it is removed":
        remove(arden)
    else:
        assert disconnect(charlie, arden)
    assert not legal.members.exists()
    assert [one.address for one in noted().filter(act="group")] == ["left Legal, by Arden"]


def test_an_administrator_who_may_not_see_contents_puts_nobody_but_others_into_a_group(
    chief: Client, alice: User, bob: User, legal: PeopleGroup
) -> None:
    refused = to(legal, chief, "add", email=alice.email)
    assert refused.status_code == 422
    assert "You can’t put yourself into a group" in text_of(refused)
    to(legal, chief, "add", email=bob.email)
    assert set(legal.members.values_list("person__email", flat=True)) == {bob.email, "charlie@example.org"}
    User.objects.filter(pk=alice.pk).update(may_see_contents=True)
    to(legal, chief, "add", email=alice.email)
    assert legal.members.filter(person=alice).exists()


def test_two_at_once_make_one_group_of_a_name(alice: User, legal: PeopleGroup, monkeypatch: Any) -> None:
    """Both have looked before either has made it."""
    monkeypatch.setattr(services, "_checked", lambda name, besides=0: name)
    with pytest.raises(ValidationError, match="There is a group called “LEGAL” already"):
        services.make_group("LEGAL", by=alice)
    assert PeopleGroup.objects.count() == 1
