"""A firm's directory says who comes and who leaves: requests as Microsoft Entra ID and Okta document them."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import groups
from accounts.api_tokens import make_token
from accounts.models import AuditEntry, GroupMember, PeopleGroup, TokenScope, User
from accounts.scim import people
from accounts.scim.directories import connect, disconnect
from accounts.scim.models import Directory, DirectoryPerson
from accounts.scim.refusals import Gone
from accounts.standing import open_again, shut_off
from datasources.models import Datasource, Role
from datasources.services import share_with_group
from tests.people import browser_of, person
from tests.responses import text_of

pytestmark = pytest.mark.django_db

CORE = "urn:ietf:params:scim:schemas:core:2.0:"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"


class Firm:
    """A directory with its token, as a program."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def send(self, method: str, path: str, body: Any = None, *, code: int = 200, **query: str) -> Any:
        response = Client().generic(
            method,
            f"/scim/v2/{path}",
            "" if body is None else json.dumps(body),
            content_type="application/scim+json; charset=utf-8",
            headers={"Authorization": f"Bearer {self.secret}", "Accept": "application/scim+json"},
            query_params=query or None,
        )
        assert response.status_code == code, response.content
        if not response.content:
            return None
        assert response["Content-Type"] == "application/scim+json"
        told = response.json()
        if code >= 400:
            assert told["schemas"] == [ERROR]
            assert told["status"] == str(code)
        return told

    def patch(self, path: str, *operations: dict[str, Any], code: int = 200) -> Any:
        return self.send("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)}, code=code)

    def found(self, kind: str, asked: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.send("GET", kind, filter=asked)["Resources"]
        return rows


@pytest.fixture
def chief(db: None) -> User:
    made = person("chief")
    User.objects.filter(pk=made.pk).update(is_superuser=True, is_staff=True)
    made.refresh_from_db()
    return made


@pytest.fixture
def firm(chief: User) -> Firm:
    return Firm(connect("Arden", "", by=chief)[1])


# As Entra ID documents a new user, with attributes that SVQ has no use for.
ENTRA = {
    "schemas": [f"{CORE}User", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
    "externalId": "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
    "userName": "Dora@arden.example",
    "active": True,
    "emails": [{"primary": True, "type": "work", "value": "Dora.Brown@arden.example"}],
    "meta": {"resourceType": "User"},
    "name": {"formatted": "Dora Brown", "familyName": "Brown", "givenName": "Dora"},
    "title": "Counsel",
    "roles": [],
}
# As Okta documents one.
OKTA = {
    "schemas": [f"{CORE}User"],
    "userName": "finn@arden.example",
    "name": {"givenName": "Finn", "familyName": "Green"},
    "emails": [{"primary": True, "value": "finn@arden.example", "type": "work"}],
    "displayName": "Finn Green",
    "locale": "en-US",
    "externalId": "00ujl29u0le5T6Aj10h7",
    "groups": [],
    "password": "1mz050nq",
    "active": True,
}


# --- who comes ---------------------------------------------------------------------------------------------
def test_entra_looks_for_somebody_and_makes_an_account(firm: Firm) -> None:
    assert firm.found("Users", 'userName eq "Dora@arden.example"') == []
    made = firm.send("POST", "Users", ENTRA, code=201)
    dora = User.objects.get(email="dora.brown@arden.example")
    assert (made["id"], made["userName"], made["active"]) == (str(dora.pk), "Dora@arden.example", True)
    assert made["externalId"] == ENTRA["externalId"]
    assert made["name"] == {"formatted": "Dora Brown", "givenName": "Dora", "familyName": "Brown"}
    assert made["meta"]["location"] == f"http://testserver/scim/v2/Users/{dora.pk}"
    assert (dora.name, dora.has_usable_password()) == ("Dora Brown", False)
    assert (dora.is_staff, dora.is_superuser) == (False, False)
    for asked in (
        'userName eq "dora@ARDEN.example"',
        f'externalId eq "{ENTRA["externalId"]}"',
        'emails[type eq "work"].value eq "dora.brown@arden.example"',
        f'id eq "{dora.pk}" and active eq true',
    ):
        assert [each["id"] for each in firm.found("Users", asked)] == [str(dora.pk)], asked
    assert firm.found("Users", 'userName eq "dora@arden.example" and active eq false') == []
    assert firm.found("Users", 'userName eq "dora@arden.example" and active eq "True"')
    again = firm.send("POST", "Users", ENTRA, code=409)
    assert again["scimType"] == "uniqueness"


def test_okta_makes_an_account_and_its_password_opens_nothing(firm: Firm) -> None:
    firm.send("GET", "Users", startIndex="1", count="2")  # its test of the connection
    made = firm.send("POST", "Users", OKTA, code=201)
    assert made["displayName"] == "Finn Green"
    assert not Client().login(username="finn@arden.example", password=OKTA["password"])


def test_an_account_that_was_there_before_is_found_and_kept(firm: Firm, bob: User) -> None:
    (found,) = firm.found("Users", 'userName eq "bob@example.org"')
    told = firm.send("PUT", f"Users/{found['id']}", OKTA | {"userName": bob.email, "emails": []})
    bob.refresh_from_db()
    assert (told["id"], bob.name, bob.email) == (str(bob.pk), "Finn Green", "bob@example.org")
    assert bob.has_usable_password()


# --- who leaves --------------------------------------------------------------------------------------------
LEAVES: list[dict[str, Any]] = [
    {"op": "replace", "value": {"active": False}},  # Okta
    {"op": "Replace", "path": "active", "value": "False"},  # Entra ID
    {"op": "Replace", "path": "active", "value": [{"value": "False"}]},  # Entra ID, some time ago
    {"op": "replace", "path": f"{CORE}User:active", "value": False},
]


@pytest.mark.parametrize("leaves", LEAVES)
def test_who_leaves_is_out_everywhere_and_loses_nothing(
    firm: Firm, alice: User, contracts: Datasource, leaves: dict[str, Any]
) -> None:
    browser = browser_of(alice)
    secret = make_token(alice, name="Bot", scopes=[TokenScope.READ], datasource_ids=None, days=1)[1]
    program = {"Authorization": f"Bearer {secret}"}
    assert Client().get(reverse("api-datasources"), headers=program).status_code == 200
    told = firm.patch(f"Users/{alice.pk}", leaves)
    assert told["active"] is False
    assert browser.get(reverse("home")).status_code == 302
    assert Client().get(reverse("api-datasources"), headers=program).status_code == 401
    assert Datasource.objects.get().owner == alice
    back = firm.patch(f"Users/{alice.pk}", {"op": "Add", "path": "active", "value": "True"})
    assert back["active"] is True
    assert not alice.api_tokens.exists()


def test_who_is_deleted_there_is_unknown_to_it_and_shut_here_until_sent_again(
    firm: Firm, contracts: Datasource, alice: User
) -> None:
    firm.send("POST", "Groups", {"displayName": "Tax", "members": [{"value": str(alice.pk)}]}, code=201)
    firm.send("DELETE", f"Users/{alice.pk}", code=204)
    assert not GroupMember.objects.exists()
    firm.send("GET", f"Users/{alice.pk}", code=404)
    firm.send("DELETE", f"Users/{alice.pk}", code=404)
    assert firm.found("Users", 'userName eq "alice@example.org"') == []
    alice.refresh_from_db()
    assert not alice.is_active
    assert contracts.owner == alice
    back = firm.send("POST", "Users", OKTA | {"userName": alice.email, "emails": []}, code=201)
    assert (back["id"], back["active"]) == (str(alice.pk), True)


def test_who_leaves_is_out_even_if_the_same_request_says_what_is_refused(
    firm: Firm, chief: User, bob: User
) -> None:
    other = person("other")
    User.objects.filter(pk=other.pk).update(is_superuser=True, is_staff=True)
    whole = OKTA | {"userName": "x@arden.example", "emails": [], "active": False}
    for _ in "again":
        told = firm.send("PUT", f"Users/{other.pk}", whole)
        assert (told["active"], told["displayName"], told["userName"]) == (False, "Other", other.email)
    other.refresh_from_db()
    assert (other.is_active, other.email) == (False, "other@example.org")
    firm.send("PUT", f"Users/{bob.pk}", whole | {"userName": chief.email})
    bob.refresh_from_db()
    assert (bob.is_active, bob.email) == (False, "bob@example.org")


def test_somebody_may_come_with_an_account_that_is_shut(firm: Firm) -> None:
    made = firm.send("POST", "Users", OKTA | {"active": False}, code=201)
    assert (made["active"], made["displayName"]) == (False, "Finn Green")
    assert firm.patch(f"Users/{made['id']}", {"op": "replace", "value": {"active": True}})["active"] is True


def test_of_two_requests_at_once_the_later_one_finds_nobody(firm: Firm, bob: User) -> None:
    """It has looked for the account before the other one has deleted it."""
    arden = Directory.objects.get()
    people.remove(arden, bob)
    for late in (
        lambda: people.change(arden, bob, people.Given(active=True)),
        lambda: people.remove(arden, bob),
    ):
        with pytest.raises(Gone):
            late()
    bob.refresh_from_db()
    assert not bob.is_active


# --- what is not the directory's to change -----------------------------------------------------------------
def test_whom_an_administrator_has_shut_off_stays_shut(firm: Firm, bob: User, chief: User) -> None:
    firm.patch(f"Users/{bob.pk}", {"op": "replace", "value": {"active": False}})
    open_again(bob, by=chief)
    shut_off(bob, by=chief)
    told = firm.patch(f"Users/{bob.pk}", {"op": "replace", "value": {"active": True}}, code=403)
    assert "shut off by an administrator" in told["detail"]
    bob.refresh_from_db()
    assert not bob.is_active


def test_administrators_are_neither_made_nor_changed_and_the_last_one_stays(firm: Firm, chief: User) -> None:
    made = firm.send("POST", "Users", OKTA | {"roles": [{"value": "admin"}], "is_superuser": True}, code=201)
    assert not User.objects.filter(pk=made["id"], is_superuser=True).exists()
    path = f"Users/{chief.pk}"
    for taken in ({"userName": "me@evil.example"}, {"displayName": "Nobody"}):
        firm.patch(path, {"op": "replace", "value": taken}, code=403)
    told = firm.patch(path, {"op": "replace", "value": {"active": False}}, code=403)
    assert "last administrator" in told["detail"]
    firm.send("DELETE", path, code=403)
    chief.refresh_from_db()
    assert (chief.email, chief.is_active, chief.is_superuser) == ("chief@example.org", True, True)
    other = person("other")
    User.objects.filter(pk=other.pk).update(is_superuser=True)
    assert firm.patch(path, {"op": "replace", "value": {"active": False}})["active"] is False
    firm.patch(path, {"op": "replace", "value": {"active": True}}, code=403)


def test_a_directory_sees_accounts_of_its_domains_that_are_no_other_ones(chief: User, bob: User) -> None:
    arden = Firm(connect("Arden", "arden.example, halden.example", by=chief)[1])
    other = Firm(connect("Other", "", by=chief)[1])
    arden.send("GET", f"Users/{bob.pk}", code=404)
    arden.patch(f"Users/{bob.pk}", {"op": "replace", "value": {"active": False}}, code=404)
    refused = arden.send("POST", "Users", OKTA | {"userName": "x@example.org", "emails": []}, code=403)
    assert "does not speak for example.org" in refused["detail"]
    finn = arden.send("POST", "Users", OKTA, code=201)["id"]
    arden.patch(f"Users/{finn}", {"op": "replace", "value": {"userName": "finn@example.org"}}, code=403)
    other.send("GET", f"Users/{finn}", code=404)
    assert other.found("Users", 'userName eq "finn@arden.example"') == []
    disconnect(Directory.objects.get(name="Arden"), by=chief)
    arden.send("GET", "Users", code=401)
    assert [each["id"] for each in other.found("Users", 'userName eq "finn@arden.example"')] == [finn]


@pytest.mark.parametrize("secret", ["", "scim_nobody", "svq_nobody"])
def test_without_a_token_there_is_nothing(secret: str, bob: User) -> None:
    for path in ("Users", f"Users/{bob.pk}", "Groups", "ServiceProviderConfig", "Schemas", "Elsewhere"):
        Firm(secret).send("GET", path, code=401)
    signed_in = browser_of(bob).get("/scim/v2/Users")
    assert signed_in.status_code == 401


def test_a_token_of_a_directory_opens_nothing_else(firm: Firm) -> None:
    sent = {"Authorization": f"Bearer {firm.secret}"}
    for path in ("/api/v1/data-sources", "/v1/models", "/settings/people/"):
        assert Client().get(path, headers=sent).status_code in (302, 401)


# --- changes -----------------------------------------------------------------------------------------------
def test_names_and_addresses_follow(firm: Firm) -> None:
    dora = firm.send("POST", "Users", ENTRA, code=201)["id"]
    told = firm.patch(
        f"Users/{dora}",
        {"op": "Replace", "path": 'emails[type eq "work"].value', "value": "dora.green@arden.example"},
        {"op": "Replace", "path": "name.familyName", "value": "Green"},
        {"op": "Add", "path": "title", "value": "Partner"},
    )
    assert told["emails"][0]["value"] == "dora.green@arden.example"
    assert told["displayName"] == "Dora Green"
    assert told["userName"] == "Dora@arden.example"
    private = {"op": "Add", "path": 'emails[type eq "home"].value', "value": "dora@home.example"}
    assert firm.patch(f"Users/{dora}", private)["emails"] == told["emails"]
    flat = {"displayName": "D. Green", "name.givenName": "D.", "externalId": "7"}
    told = firm.patch(f"Users/{dora}", {"op": "replace", "value": flat})
    assert (told["displayName"], told["externalId"], told["name"]["givenName"]) == ("D. Green", "7", "D.")
    finn = firm.send("POST", "Users", OKTA, code=201)["id"]
    doras = {"op": "replace", "path": "userName", "value": "dora@arden.example"}
    taken = firm.patch(f"Users/{finn}", doras, code=409)
    assert taken["scimType"] == "uniqueness"
    whole = firm.send("PUT", f"Users/{finn}", OKTA | {"userName": "f@arden.example", "emails": []})
    assert User.objects.get(pk=finn).email == "f@arden.example"
    assert whole["active"] is True


def test_an_address_that_an_administrator_has_changed_stays_until_the_directory_sends_one(firm: Firm) -> None:
    finn = firm.send("POST", "Users", OKTA | {"emails": []}, code=201)["id"]
    User.objects.filter(pk=finn).update(email="green@arden.example")
    renamed = firm.send("PUT", f"Users/{finn}", OKTA | {"userName": "f.green@arden.example", "emails": []})
    assert (renamed["userName"], renamed["emails"][0]["value"]) == (
        "f.green@arden.example",
        "green@arden.example",
    )
    assert firm.found("Users", 'userName eq "f.green@arden.example"')
    sent = {"op": "replace", "path": "emails", "value": [WORK]}
    assert firm.patch(f"Users/{finn}", sent)["emails"][0]["value"] == WORK["value"]


HOME = {"type": "home", "value": "finn@home.example", "primary": True}
WORK = {"type": "Work", "value": "f@arden.example"}


@pytest.mark.parametrize(
    ("emails", "address"),
    [
        ([HOME], "finn@arden.example"),
        ([HOME, WORK], "f@arden.example"),
        ([{"value": "first@arden.example"}, WORK], "f@arden.example"),
        ([WORK, {"value": "main@arden.example", "primary": "True"}], "main@arden.example"),
        ([{"value": "a@arden.example"}, {"value": "b@arden.example"}], "a@arden.example"),
    ],
)
def test_a_private_address_never_takes_the_place_of_the_one_for_work(
    firm: Firm, emails: list[dict[str, Any]], address: str
) -> None:
    finn = firm.send("POST", "Users", OKTA, code=201)["id"]
    path = f"Users/{finn}"
    for op in ("add", "replace"):
        firm.patch(path, {"op": op, "path": "emails", "value": emails})
        assert User.objects.get(pk=finn).email == address
    firm.send("PUT", path, OKTA | {"emails": emails})
    assert User.objects.get(pk=finn).email == address
    firm.send("PUT", path, OKTA | {"emails": [], 'emails[type eq "home"].value': HOME["value"]})
    firm.patch(path, {"op": "replace", "value": {'emails[type eq "home"].value': HOME["value"]}})
    assert User.objects.get(pk=finn).email == address


def test_somebody_new_without_another_address_has_the_private_one(firm: Firm) -> None:
    firm.send("POST", "Users", OKTA | {"userName": "finn", "emails": [HOME]}, code=201)
    assert User.objects.filter(email=HOME["value"]).exists()
    made = firm.send("POST", "Users", OKTA | {"emails": [HOME]}, code=201)
    assert made["emails"][0]["value"] == "finn@arden.example"


WRONG: list[tuple[str, str, Any, str]] = [
    ("POST", "Users", {"userName": "no address"}, "invalidValue"),
    ("POST", "Users", {}, "invalidValue"),
    ("POST", "Users", [], "invalidSyntax"),
    ("POST", "Users", OKTA | {"active": "perhaps"}, "invalidValue"),
    ("POST", "Users", OKTA | {"userName": "dörte@arden.example", "emails": []}, "invalidValue"),
    ("POST", "Users", OKTA | {"displayName": "x" * 151}, "invalidValue"),
    ("POST", "Users", OKTA | {"userName": "fi\0nn@arden.example", "emails": []}, "invalidValue"),
    ("POST", "Users", OKTA | {"displayName": {"value": ["x"]}}, "invalidValue"),
    ("PATCH", "Users/{}", {"Operations": []}, "invalidSyntax"),
    ("PATCH", "Users/{}", {"Operations": [{"op": "move", "path": "active"}]}, "invalidSyntax"),
    ("PATCH", "Users/{}", {"Operations": [{"op": "remove"}]}, "invalidPath"),
    ("PATCH", "Users/{}", {"Operations": [{"op": "remove", "path": "active"}]}, "invalidValue"),
    ("PATCH", "Users/{}", {"Operations": [{"op": "replace", "value": 5}]}, "invalidSyntax"),
    ("POST", "Groups", {"displayName": " "}, "invalidValue"),
    ("POST", "Groups", {"displayName": "A", "members": [{"value": "999999"}]}, "invalidValue"),
]


@pytest.mark.parametrize(("method", "path", "body", "kind"), WRONG)
def test_what_is_wrong_is_told_in_scims_words(
    firm: Firm, bob: User, method: str, path: str, body: Any, kind: str
) -> None:
    before = User.objects.count()
    told = firm.send(method, path.format(bob.pk), body, code=400)
    assert (told["scimType"], User.objects.count(), PeopleGroup.objects.count()) == (kind, before, 0)


@pytest.mark.parametrize(
    "asked",
    [
        'userName co "b"',
        "userName eq b",
        'password eq "x"',
        'userName eq "a" or userName eq "b"',
        "(",
        'userName eq "a\\u0000b"',
        'displayName eq "\\ud800"',
        'active eq "perhaps"',
    ],
)
def test_filters_that_are_not_understood_are_refused(firm: Firm, asked: str) -> None:
    assert firm.send("GET", "Users", code=400, filter=asked)["scimType"] == "invalidFilter"


def test_lists_come_in_bounded_parts(firm: Firm, chief: User) -> None:
    User.objects.bulk_create(User(email=f"p{n}@arden.example", name=f"P{n}") for n in range(210))
    first = firm.send("GET", "Users", count="1000")
    assert (first["totalResults"], first["itemsPerPage"], first["startIndex"]) == (211, 200, 1)
    rest = firm.send("GET", "Users", startIndex="201", count="50")
    assert (rest["itemsPerPage"], len(rest["Resources"])) == (11, 11)
    assert firm.send("GET", "Users", count="0")["Resources"] == []
    assert not {each["id"] for each in first["Resources"]} & {each["id"] for each in rest["Resources"]}


# --- groups ------------------------------------------------------------------------------------------------
def test_a_group_of_the_directory_lets_its_members_in(
    firm: Firm, contracts: Datasource, charlie: User
) -> None:
    named = {"schemas": [f"{CORE}Group"], "displayName": "Litigation", "externalId": "g1"}
    made = firm.send("POST", "Groups", named, code=201)
    assert made["members"] == []
    group = PeopleGroup.objects.get()
    share_with_group(contracts, group, Role.ASKER)
    path, member = f"Groups/{group.pk}", {"value": str(charlie.pk)}
    firm.patch(path, {"op": "Add", "path": "members", "value": [member]}, code=204)
    assert contracts.role_of(charlie) == Role.ASKER
    asked = f'id eq "{group.pk}" and members eq "{charlie.pk}"'
    assert [each["id"] for each in firm.found("Groups", asked)] == [str(group.pk)]
    found = firm.send("GET", "Groups", filter='displayName eq "litigation"', excludedAttributes="members")
    assert "members" not in found["Resources"][0]
    assert firm.send("GET", path)["members"][0]["display"] == charlie.email
    firm.patch(path, {"op": "remove", "path": f'members[value eq "{charlie.pk}"]'}, code=204)  # Okta
    assert contracts.role_of(charlie) is None
    firm.patch(path, {"op": "add", "path": "members", "value": [member]}, code=204)
    for unknown in ('members[type eq "User"]', "members.value", f'members[value ne "{charlie.pk}"]'):
        firm.patch(path, {"op": "remove", "path": unknown}, code=400)  # and nobody is out by it
    assert contracts.role_of(charlie) == Role.ASKER
    firm.patch(
        path, {"op": "Remove", "path": f"{CORE}Group:members", "value": [member]}, code=204
    )  # Entra ID
    assert not GroupMember.objects.exists()
    renamed = {"op": "replace", "value": {"id": str(group.pk), "displayName": "Disputes"}}
    firm.patch(path, renamed, {"op": "replace", "path": "members", "value": [member]}, code=204)
    told = firm.send("PUT", path, {"displayName": "Disputes", "members": []})
    assert (told["displayName"], told["members"]) == ("Disputes", [])
    firm.send("DELETE", path, code=204)
    assert not PeopleGroup.objects.exists()


def test_a_patch_of_a_group_is_done_whole_or_not_at_all(firm: Firm, bob: User) -> None:
    path = f"Groups/{firm.send('POST', 'Groups', {'displayName': 'Tax'}, code=201)['id']}"
    firm.patch(
        path,
        {"op": "add", "path": "members", "value": [{"value": str(bob.pk)}]},
        {"op": "add", "path": "members", "value": [{"value": "999999"}]},
        code=400,
    )
    assert firm.send("GET", path)["members"] == []


def test_who_is_in_a_group_changes_only_where_a_request_says_so(firm: Firm, bob: User) -> None:
    members = [{"value": str(bob.pk)}]
    path = f"Groups/{firm.send('POST', 'Groups', {'displayName': 'Tax', 'members': members}, code=201)['id']}"
    for renamed in ({"displayName": "Taxes"}, {"displayName": "Duties", "members": None}):
        assert [each["value"] for each in firm.send("PUT", path, renamed)["members"]] == [str(bob.pk)]
    for op in ("replace", "add"):
        told = firm.patch(path, {"op": op, "path": "members"}, code=400)
        assert told["scimType"] == "invalidSyntax"
    assert GroupMember.objects.count() == 1
    firm.patch(path, {"op": "replace", "path": "members", "value": []}, code=204)
    assert not GroupMember.objects.exists()


def test_operations_on_a_group_count_in_their_order(firm: Firm, bob: User, charlie: User) -> None:
    path = f"Groups/{firm.send('POST', 'Groups', {'displayName': 'Tax'}, code=201)['id']}"
    one, other = {"value": str(bob.pk)}, {"value": str(charlie.pk)}
    firm.patch(
        path,
        {"op": "add", "path": "members", "value": [one]},
        {"op": "add", "path": "members", "value": [other]},
        {"op": "replace", "path": "displayName", "value": "Taxes"},
        {"op": "remove", "path": f'members[value eq "{bob.pk}"]'},
        {"op": "replace", "path": "externalId", "value": "g7"},
        code=204,
    )
    told = firm.send("GET", path)
    assert [each["value"] for each in told["members"]] == [str(charlie.pk)]
    assert (told["displayName"], told["externalId"]) == ("Taxes", "g7")
    firm.patch(
        path, {"op": "remove", "path": "members"}, {"op": "add", "path": "members", "value": one}, code=204
    )
    assert GroupMember.objects.get().person == bob


def test_groups_of_a_disconnected_directory_are_administrators_until_they_give_them_away(
    chief: User, bob: User
) -> None:
    first = Firm(connect("First", "a.example", by=chief)[1])
    other = Firm(connect("Other", "b.example", by=chief)[1])
    number = first.send("POST", "Groups", {"displayName": "Partners"}, code=201)["id"]
    eve = other.send("POST", "Users", OKTA | {"userName": "eve@b.example", "emails": []}, code=201)["id"]
    path, puts_in = f"Groups/{number}", {"op": "add", "path": "members", "value": [{"value": eve}]}
    other.patch(path, puts_in, code=404)
    disconnect(Directory.objects.get(name="First"), by=chief)
    other.patch(path, puts_in, code=404)
    assert other.found("Groups", 'displayName eq "Partners"') == []
    told = other.send("POST", "Groups", {"displayName": "Partners"}, code=409)
    assert "An administrator can give it to this directory" in told["detail"]
    web, page = browser_of(chief), reverse("group", args=[number])
    assert "keeps this group" not in text_of(web.get(page))
    kept = {"action": "save", "name": "Partners", "directory": str(Directory.objects.get(name="Other").pk)}
    web.post(page, kept)
    assert "Other keeps this group." in text_of(web.get(page))
    other.patch(path, puts_in, code=204)
    web.post(page, kept | {"directory": ""})
    other.patch(path, puts_in, code=404)
    said = AuditEntry.objects.filter(act="group", email=chief.email).order_by("pk")
    assert [each.address for each in said] == ["gave Partners to Other", "took Partners from Other"]


def test_many_groups_and_members_take_no_more_queries_than_a_few(firm: Firm) -> None:
    made_now = User.objects.bulk_create(User(email=f"p{n}@arden.example") for n in range(40))
    for n in range(8):
        members = [{"value": str(each.pk)} for each in made_now[: 5 * n]]
        made = firm.send("POST", "Groups", {"displayName": f"G{n}", "members": members}, code=201)
    queries = []
    for count in ("2", "8"):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            firm.send("GET", "Groups", count=count)
        queries.append(len(asked))
    for fewer in (30, 5):
        with CaptureQueriesContext(connection) as asked:
            firm.send("PUT", f"Groups/{made['id']}", {"displayName": "G7", "members": members[:fewer]})
        queries.append(len(asked))
    assert queries[0] == queries[1]
    assert queries[2] == queries[3]
    removed = AuditEntry.objects.filter(act="group", address__startswith="removed ")
    assert removed.count() == 30  # each by name: the log says who lost what


def test_a_list_of_groups_ends_where_its_members_become_too_many(
    firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svq_site.scim.views.MOST_MEMBERS", 10)
    made_now = User.objects.bulk_create(User(email=f"p{n}@arden.example") for n in range(12))
    members = [{"value": str(each.pk)} for each in made_now]
    for n, many in enumerate((4, 4, 4, 12)):
        firm.send("POST", "Groups", {"displayName": f"G{n}", "members": members[:many]}, code=201)
    seen, start = [], 1
    while start <= 4:
        part = firm.send("GET", "Groups", startIndex=str(start))
        assert part["totalResults"] == 4
        seen.append([len(each["members"]) for each in part["Resources"]])
        start += part["itemsPerPage"]
    assert seen == [[4, 4], [4], [12]]  # one group alone is told whole
    assert firm.send("GET", "Groups", excludedAttributes="members")["itemsPerPage"] == 4


def test_pages_say_what_a_directory_keeps(firm: Firm, chief: User, bob: User) -> None:
    made = {"displayName": "Tax", "members": [{"value": str(bob.pk)}]}
    number = firm.send("POST", "Groups", made, code=201)["id"]
    firm.patch(f"Users/{bob.pk}", {"op": "replace", "value": {"active": False}})
    web = browser_of(chief)
    assert "Tax 1 0 0 Arden" in text_of(web.get(reverse("groups")))
    shown = text_of(web.get(reverse("group", args=[number])))
    assert "Arden keeps this group." in shown
    assert "bob@example.org Arden Shut off Remove" in shown
    assert "Arden keeps this account, and has shut it off." in text_of(
        web.get(reverse("person", args=[bob.pk]))
    )
    assert web.get(reverse("api-group", args=[number])).json()["directory"] == "Arden"


def test_groups_of_administrators_are_not_the_directorys(firm: Firm, chief: User, bob: User) -> None:
    own = groups.make_group("Partners", by=chief)
    assert firm.found("Groups", 'displayName eq "Partners"') == []
    firm.patch(
        f"Groups/{own.pk}", {"op": "add", "path": "members", "value": [{"value": str(bob.pk)}]}, code=404
    )
    groups.make_group("B\u00fcro", by=chief)
    for name in ("partners", " Partners ", "Bu\u0308ro"):
        assert firm.send("POST", "Groups", {"displayName": name}, code=409)["scimType"] == "uniqueness"


# --- what it says of itself, and what is kept of it --------------------------------------------------------
def test_it_says_what_it_can_do(firm: Firm) -> None:
    config = firm.send("GET", "ServiceProviderConfig")
    assert config["patch"] == {"supported": True}
    assert config["filter"]["maxResults"] == 200
    types = firm.send("GET", "ResourceTypes")["Resources"]
    assert [each["endpoint"] for each in types] == ["/Users", "/Groups"]
    schemas = firm.send("GET", "Schemas")["Resources"]
    assert [firm.send("GET", f"Schemas/{each['id']}")["name"] for each in schemas] == ["User", "Group"]
    firm.send("GET", "Schemas/urn:none", code=404)
    firm.send("GET", "Bulk", code=404)


def test_the_audit_log_says_what_it_did(firm: Firm, chief: User) -> None:
    finn = firm.send("POST", "Users", OKTA, code=201)["id"]
    firm.send("POST", "Groups", {"displayName": "Tax", "members": [{"value": finn}]}, code=201)
    firm.patch(f"Users/{finn}", {"op": "replace", "value": {"active": False}})
    said = AuditEntry.objects.filter(token="Arden", email="").order_by("pk").values_list("act", "address")
    assert list(said) == [
        ("added", "an account for finn@arden.example"),
        ("changed", "name of finn@arden.example"),
        ("group", "made Tax"),
        ("group", "added finn@arden.example to Tax"),
        ("shut", "of finn@arden.example"),
    ]
    page = text_of(browser_of(chief).get(reverse("audit_log")))
    assert "Arden a connected directory" in page


# --- the page ----------------------------------------------------------------------------------------------
def test_a_token_is_shown_once_renewed_and_disconnected(chief: User, bob: User) -> None:
    pages = browser_of(chief)
    shown = pages.post(reverse("directories"), {"name": "Okta", "domains": "Example.org"}, follow=True)
    secret = shown.context["secret"]
    assert secret in shown.content.decode()
    assert secret not in pages.get(reverse("directories")).content.decode()
    row = Directory.objects.get()
    assert row.domains == "example.org"
    assert secret not in str(Directory.objects.values())
    assert Firm(secret).send("GET", "Users")["totalResults"] == 2
    assert "Okta scim_" in text_of(pages.get(reverse("directories")))
    assert "Never" not in text_of(pages.get(reverse("directories")))
    address = reverse("directory", args=[row.pk])
    assert "Make a new token for Okta?" in text_of(pages.get(address, {"ask": "renew"}))
    new = pages.post(address, {"action": "renew"}, follow=True).context["secret"]
    Firm(secret).send("GET", "Users", code=401)
    Firm(new).patch(f"Users/{bob.pk}", {"op": "replace", "value": {"displayName": "Robert"}})
    assert "1 account, 0 groups" in text_of(pages.get(reverse("directories")))
    assert "Disconnect Okta?" in text_of(pages.get(address, {"ask": "disconnect"}))
    left = pages.post(address, {"action": "disconnect"}, follow=True)
    assert "Okta is disconnected." in text_of(left)
    assert AuditEntry.objects.filter(act="scim").latest("pk").address == "disconnected Okta"
    Firm(new).send("GET", "Users", code=401)
    bob.refresh_from_db()
    assert (bob.name, bob.is_active, DirectoryPerson.objects.get().directory) == ("Robert", True, None)


@pytest.mark.parametrize("form", [{"name": ""}, {"name": "x" * 41}, {"name": "A", "domains": "no domain!"}])
def test_a_directory_needs_a_name_and_domains_that_are_some(chief: User, form: dict[str, str]) -> None:
    assert browser_of(chief).post(reverse("directories"), form).status_code == 422
    assert not Directory.objects.exists()


def test_why_a_directory_is_refused_is_said_in_the_language_of_the_page(chief: User) -> None:
    form = {"name": "Okta", "domains": "keine！"}
    page = browser_of(chief).post(reverse("directories"), form, headers={"accept-language": "de"})
    assert "keine！ ist keine Domain." in page.content.decode()


def test_domains_may_be_typed_with_the_commas_of_any_keyboard(chief: User) -> None:
    browser_of(chief).post(reverse("directories"), {"name": "Okta", "domains": "a.example，b.example"})
    assert Directory.objects.get().domains == "a.example b.example"
