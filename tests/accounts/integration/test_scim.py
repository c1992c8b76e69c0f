"""A firm's directory says who comes and who leaves: requests as Microsoft Entra ID and Okta document them."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import groups
from accounts.api_tokens import make_token
from accounts.models import AuditEntry, GroupMember, PeopleGroup, TokenScope, User
from accounts.scim.directories import connect, withdraw
from accounts.scim.models import Directory, DirectoryPerson
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
    withdraw(Directory.objects.get(name="Arden"), by=chief)
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


WRONG: list[tuple[str, str, Any, str]] = [
    ("POST", "Users", {"userName": "no address"}, "invalidValue"),
    ("POST", "Users", {}, "invalidValue"),
    ("POST", "Users", [], "invalidSyntax"),
    ("POST", "Users", OKTA | {"active": "perhaps"}, "invalidValue"),
    ("POST", "Users", OKTA | {"userName": "dörte@arden.example", "emails": []}, "invalidValue"),
    ("POST", "Users", OKTA | {"displayName": "x" * 151}, "invalidValue"),
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
    ['userName co "b"', "userName eq b", 'password eq "x"', 'userName eq "a" or userName eq "b"', "("],
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


def test_pages_say_what_a_directory_keeps(firm: Firm, chief: User, bob: User) -> None:
    made = {"displayName": "Tax", "members": [{"value": str(bob.pk)}]}
    number = firm.send("POST", "Groups", made, code=201)["id"]
    firm.patch(f"Users/{bob.pk}", {"op": "replace", "value": {"active": False}})
    web = browser_of(chief)
    assert "Tax 1 0 0 Arden" in text_of(web.get(reverse("groups")))
    shown = text_of(web.get(reverse("group", args=[number])))
    assert "Arden keeps this group." in shown
    assert "bob@example.org Arden Remove" in shown
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
    assert firm.send("POST", "Groups", {"displayName": "partners"}, code=409)["scimType"] == "uniqueness"


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
def test_a_token_is_shown_once_renewed_and_withdrawn(chief: User, bob: User) -> None:
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
    pages.post(address, {"action": "withdraw"})
    Firm(new).send("GET", "Users", code=401)
    bob.refresh_from_db()
    assert (bob.name, bob.is_active, DirectoryPerson.objects.get().directory) == ("Robert", True, None)


@pytest.mark.parametrize("form", [{"name": ""}, {"name": "x" * 41}, {"name": "A", "domains": "no domain!"}])
def test_a_directory_needs_a_name_and_domains_that_are_some(chief: User, form: dict[str, str]) -> None:
    assert browser_of(chief).post(reverse("directories"), form).status_code == 422
    assert not Directory.objects.exists()
