"""Groups and invitations over REST: for administrators and owners, and nobody else."""

from typing import Any

import pytest
from django.core import mail

from accounts.models import AccountInvitation, AuditAct, PeopleGroup, TokenScope, User
from datasources.join_links import join
from datasources.models import Datasource, Role
from datasources.services import share_with_group
from tests.audit import noted
from tests.people import person
from tests.rest import Api, program


@pytest.fixture
def administrator(charlie: User) -> Api:
    User.objects.filter(pk=charlie.pk).update(is_superuser=True, is_staff=True)
    return Api(charlie)


def token_in(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def test_a_group_is_made_renamed_filled_and_deleted(
    administrator: Api, contracts: Datasource, bob: User
) -> None:
    dora = person("dora")
    made = administrator.post("groups", {"name": "  Litigation "})
    assert made.status_code == 201, made.content
    one = f"groups/{made.json()['id']}"
    share_with_group(contracts, PeopleGroup.objects.get(), Role.VIEWER)
    assert Api(dora).get(f"data-sources/{contracts.pk}").status_code == 404
    added = administrator.post(f"{one}/members", {"email": "Dora@example.org"})
    assert (added.status_code, added.json()["id"]) == (201, dora.pk)
    assert Api(dora).get(f"data-sources/{contracts.pk}").json()["role"] == "viewer"
    shown = administrator.send("PATCH", one, {"name": "Disputes"}).json()
    assert (shown["name"], shown["members"], shown["datasources"]) == ("Disputes", 1, 1)
    assert administrator.get("groups").json()["results"] == [shown]
    listed = administrator.get(f"{one}/members").json()["results"]
    assert [(each["email"], each["by_provider"]) for each in listed] == [("dora@example.org", False)]
    assert administrator.send("DELETE", f"{one}/members/{dora.pk}").status_code == 204
    assert Api(dora).get(f"data-sources/{contracts.pk}").status_code == 404
    assert administrator.send("DELETE", f"{one}/members/{bob.pk}").status_code == 404
    assert administrator.send("DELETE", one).status_code == 204
    assert administrator.get(one).status_code == 404


def test_what_groups_refuse(administrator: Api, charlie: User) -> None:
    one = f"groups/{administrator.post('groups', {'name': 'Litigation'}).json()['id']}"
    taken = administrator.post("groups", {"name": "LITIGATION"})
    assert (taken.status_code, taken.json()["code"]) == (400, "name_taken")
    nobody = administrator.post(f"{one}/members", {"email": "nobody@example.org"})
    assert (nobody.status_code, nobody.json()["code"]) == (400, "nobody")
    oneself = administrator.post(f"{one}/members", {"email": charlie.email})
    assert (oneself.status_code, oneself.json()["code"]) == (400, "oneself")
    assert administrator.send("PATCH", one, {"title": "Other"}).status_code == 400
    assert administrator.send("PATCH", "groups/999999", {"name": "Other"}).status_code == 404
    assert administrator.get(one).json()["members"] == 0


def test_somebody_is_invited_to_an_account(administrator: Api, settings: Any) -> None:
    settings.EMAIL_URL = ""
    made = administrator.post("account-invitations", {"email": "Gil@example.org", "days": 3})
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["email"], told["is_open"], mail.outbox) == ("gil@example.org", True, [])
    listed = administrator.get("account-invitations")
    assert [each["id"] for each in listed.json()["results"]] == [told["id"]]
    assert token_in(told["address"]) not in listed.content.decode()
    again = administrator.post("account-invitations", {"email": "gil@example.org"}).json()
    assert [each.pk for each in AccountInvitation.objects.all()] == [again["id"]], "the earlier one ended"
    assert administrator.send("DELETE", f"account-invitations/{again['id']}").status_code == 204
    assert administrator.get("account-invitations").json()["results"] == []
    for asked in ({"email": "alice"}, {"email": "charlie@example.org"}, {"email": "a@b.org", "days": 31}):
        assert administrator.post("account-invitations", asked).status_code == 400
    assert administrator.send("DELETE", "account-invitations/999999").status_code == 404


def test_a_link_lets_one_person_in_until_it_is_withdrawn(
    alice: User, contracts: Datasource, settings: Any
) -> None:
    settings.EMAIL_URL = ""
    owner, place, dora = Api(alice), f"data-sources/{contracts.pk}/join-links", person("dora")
    made = owner.post(place, {"role": "editor", "days": 1})
    assert made.status_code == 201, made.content
    secret = token_in(made.json()["address"])
    listed = owner.get(place)
    assert listed.json()["results"] == [
        {name: value for name, value in made.json().items() if name != "address"}
    ]
    assert secret not in listed.content.decode()
    assert join(secret, dora) == contracts
    assert owner.get(place).json()["results"][0]["used_by"] == dora.email
    assert Api(dora).get(f"data-sources/{contracts.pk}").json()["role"] == "editor"
    other = owner.post(place).json()
    assert (other["role"], other["used_by"]) == ("viewer", "")
    assert owner.send("DELETE", f"{place}/{other['id']}").status_code == 204
    assert join(token_in(other["address"]), person("erin")) is None
    assert owner.post(place, {"days": 0}).json()["code"] == "days"
    assert owner.post(place, {"role": "king"}).status_code == 400


def test_a_link_that_was_mailed_is_not_told(alice: User, contracts: Datasource, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    made = Api(alice).post(f"data-sources/{contracts.pk}/join-links", {"email": "dora@example.org"})
    assert (made.status_code, made.json()["address"]) == (201, "")


def test_who_may_not(
    administrator: Api, charlie: User, alice: User, bob: User, contracts: Datasource
) -> None:
    group = PeopleGroup.objects.create(name="Litigation")
    own = Datasource.objects.create(name="Own", owner=charlie)
    addresses = ["groups", f"groups/{group.pk}", f"groups/{group.pk}/members", "account-invitations"]
    limited = program(charlie, TokenScope.READ, TokenScope.WRITE, only=[own])[0]
    for api, status in [(Api(alice), 404), (limited, 404), (program(charlie, TokenScope.ASK)[0], 403)]:
        assert [api.get(each).status_code for each in addresses] == [status] * 4
        sent = [
            api.post("groups", {"name": "Another"}),
            api.send("PATCH", f"groups/{group.pk}", {"name": "Another"}),
            api.send("DELETE", f"groups/{group.pk}"),
            api.post(f"groups/{group.pk}/members", {"email": bob.email}),
            api.post("account-invitations", {"email": "gil@example.org"}),
        ]
        assert [each.status_code for each in sent] == [status] * 5
    reader = program(charlie, TokenScope.READ)[0]
    assert reader.get("groups").status_code == 200
    assert reader.post("groups", {"name": "Another"}).json()["code"] == "token_scope"
    links = f"data-sources/{contracts.pk}/join-links"
    assert [Api(bob).get(links).status_code, Api(bob).post(links).status_code] == [403, 403]
    assert [administrator.get(links).status_code, administrator.post(links).status_code] == [404, 404]
    assert list(PeopleGroup.objects.values_list("name", flat=True)) == ["Litigation"]
    assert not group.members.exists()
    assert not AccountInvitation.objects.exists()
    assert not contracts.join_links.exists()


def test_the_log_has_each_act_once(administrator: Api, bob: User) -> None:
    group = administrator.post("groups", {"name": "Litigation"}).json()["id"]
    administrator.post(f"groups/{group}/members", {"email": bob.email})
    administrator.send("DELETE", f"groups/{group}")
    found = [(each.act, each.address) for each in noted()]
    assert found == [
        (AuditAct.GROUP, "deleted Litigation"),
        (AuditAct.GROUP, "added bob@example.org to Litigation"),
        (AuditAct.GROUP, "made Litigation"),
    ]
