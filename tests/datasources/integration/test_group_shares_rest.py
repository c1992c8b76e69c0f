"""A datasource is shared with a group over REST: by its owners, and by nobody else."""

import pytest
from django.core.cache import cache

from accounts.models import AuditEntry, PeopleGroup, TokenScope, User
from datasources.models import Datasource, GroupShare, Role
from datasources.services import create_datasource, share
from tests.people import person
from tests.rest import Api, program


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


@pytest.fixture
def legal(db: None) -> PeopleGroup:
    """erin is in it."""
    group = PeopleGroup.objects.create(name="Legal")
    group.members.create(person=person("erin"))
    return group


def path(datasource: Datasource, more: str = "") -> str:
    return f"data-sources/{datasource.pk}/groups{more}"


def role_of(who: User, datasource: Datasource) -> str | None:
    """As the person's own program sees it."""
    answer = Api(who).get(f"data-sources/{datasource.pk}")
    return answer.json()["role"] if answer.status_code == 200 else None


def test_the_members_of_a_group_get_its_role_and_lose_it(
    contracts: Datasource, alice: User, legal: PeopleGroup
) -> None:
    erin, owner = User.objects.get(email="erin@example.org"), Api(alice)
    assert role_of(erin, contracts) is None
    made = owner.post(path(contracts), {"group": "Legal"})
    assert made.status_code == 201, made.content
    assert {key: made.json()[key] for key in ("id", "group", "role")} == {
        "id": legal.pk,
        "group": "Legal",
        "role": "viewer",
    }
    assert role_of(erin, contracts) == "viewer"
    assert owner.get(path(contracts)).json()["results"] == [made.json()]
    changed = owner.send("PUT", path(contracts, f"/{legal.pk}"), {"role": "editor"})
    assert (changed.status_code, changed.json()["role"]) == (200, "editor")
    assert role_of(erin, contracts) == "editor"
    again = owner.post(path(contracts), {"group": "Legal", "role": "asker"})
    assert (again.status_code, GroupShare.objects.count()) == (201, 1)
    assert role_of(erin, contracts) == "asker"
    assert owner.send("DELETE", path(contracts, f"/{legal.pk}")).status_code == 204
    assert role_of(erin, contracts) is None


def test_whoever_left_the_group_is_out_and_a_member_of_another_never_was_in(
    contracts: Datasource, alice: User, charlie: User, legal: PeopleGroup
) -> None:
    erin = User.objects.get(email="erin@example.org")
    PeopleGroup.objects.create(name="Sales").members.create(person=charlie)
    Api(alice).post(path(contracts), {"group": "Legal", "role": "owner"})
    assert Api(erin).get(path(contracts)).status_code == 200
    legal.members.all().delete()
    for who in (erin, charlie):
        stranger = Api(who)
        assert stranger.get(path(contracts)).status_code == 404
        assert stranger.post(path(contracts), {"group": "Sales"}).status_code == 404
        assert stranger.send("DELETE", path(contracts, f"/{legal.pk}")).status_code == 404
    assert GroupShare.objects.get().group == legal


def test_members_who_do_not_own_it_share_nothing(
    contracts: Datasource, alice: User, bob: User, legal: PeopleGroup
) -> None:
    for role in (Role.ASKER, Role.VIEWER, Role.EDITOR):
        share(contracts, bob, role)
        assert Api(bob).get(path(contracts)).status_code in (403, 404), role
        assert Api(bob).post(path(contracts), {"group": "Legal"}).status_code in (403, 404), role
    assert not GroupShare.objects.exists()


def test_an_administrator_of_groups_shares_nothing_that_is_not_theirs(
    contracts: Datasource, alice: User, charlie: User, legal: PeopleGroup
) -> None:
    """Who says who is in a group does not say what the group sees."""
    User.objects.filter(pk=charlie.pk).update(is_superuser=True, is_staff=True)
    chief = Api(User.objects.get(pk=charlie.pk))
    assert chief.get("groups").status_code == 200
    assert chief.post(path(contracts), {"group": "Legal"}).status_code == 404
    assert not GroupShare.objects.exists()


def test_what_makes_no_sense_is_refused_with_words(
    contracts: Datasource, alice: User, bob: User, legal: PeopleGroup
) -> None:
    owner, other = Api(alice), create_datasource(alice, "Diary")
    assert owner.post(path(contracts), {"group": "Nobody"}).status_code == 404
    for wrong in (
        {},
        {"group": "Legal", "role": "king"},
        {"group": "Legal", "rolle": "viewer"},
        {"group": 7.5},
    ):
        refused = owner.post(path(contracts), wrong)
        assert refused.status_code in (400, 404), wrong
        assert set(refused.json()) == {"code", "message", "hint"}
    owner.post(path(contracts), {"group": "Legal"})
    assert owner.send("PUT", path(other, f"/{legal.pk}"), {"role": "editor"}).status_code == 404
    assert owner.send("DELETE", path(other, f"/{legal.pk}")).status_code == 404
    assert owner.send("PUT", path(contracts, f"/{legal.pk}"), {"role": "king"}).status_code == 400
    assert GroupShare.objects.get().role == "viewer"


def test_a_program_needs_the_right_and_the_datasource(
    contracts: Datasource, alice: User, legal: PeopleGroup
) -> None:
    other = create_datasource(alice, "Diary")
    reader, _ = program(alice, TokenScope.READ)
    assert reader.get(path(contracts)).status_code == 200
    assert reader.post(path(contracts), {"group": "Legal"}).status_code == 403
    limited, _ = program(alice, only=[other])
    assert limited.post(path(contracts), {"group": "Legal"}).status_code == 404
    assert limited.post(path(other), {"group": "Legal"}).status_code == 201


def test_it_is_in_the_audit_log(contracts: Datasource, alice: User, legal: PeopleGroup) -> None:
    owner = Api(alice)
    owner.post(path(contracts), {"group": "Legal"})
    owner.send("DELETE", path(contracts, f"/{legal.pk}"))
    acts = AuditEntry.objects.filter(datasource=contracts.pk, person=alice).order_by("pk")
    assert [(one.act, one.address) for one in acts][-2:] == [
        ("added", f"POST /api/v1/{path(contracts)}"),
        ("deleted", f"DELETE /api/v1/{path(contracts, f'/{legal.pk}')}"),
    ]
