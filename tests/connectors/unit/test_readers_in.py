"""Whom the permissions of a file name, as Microsoft and Google tell them."""

from typing import Any

import pytest

from exchange.connectors.sources.cloud import google_drive, sharepoint
from exchange.connectors.sources.cloud.items import Homeless, Item, files_below
from exchange.connectors.sources.readers import EVERYBODY, keys_of_address
from tests.connectors.clouds_server import by_group, by_mail, shared_with

BOB = "mail:bob@arden.example"
LINK: dict[str, Any] = {"id": "l", "roles": ["read"]}


def keys(found: Any) -> set[str]:
    return {each.key for each in found}


@pytest.mark.parametrize(
    ("permission", "named"),
    [
        (by_mail("Bob@Arden.example"), {BOB}),
        (by_mail("Bob@Arden.example") | {"expirationDateTime": "0001-01-01T00:00:00Z"}, {BOB}),
        (by_mail("Bob@Arden.example") | {"expirationDateTime": "2030-01-01T00:00:00Z"}, set()),
        (by_mail("Bob@Arden.example") | {"hasPassword": True}, set()),
        (by_mail("Bob@Arden.example") | {"roles": []}, set()),
        (by_mail("Bob@Arden.example") | {"roles": ["sp.restrictedView"]}, set()),
        (by_group("Members"), {"other:siteGroup:7"}),
        (LINK | {"grantedToV2": {"user": {"id": "9", "displayName": "bob@arden.example"}}}, {"other:user:9"}),
        (LINK | {"link": {"scope": "anonymous", "type": "view"}}, {"other:link:anonymous"}),
        (LINK | {"link": {"scope": "organization", "type": "edit"}}, {"other:link:organization"}),
        (
            LINK
            | {
                "link": {"scope": "users"},
                "grantedToIdentitiesV2": [by_mail("bob@arden.example")["grantedToV2"]],
            },
            {BOB},
        ),
        (LINK | {"link": {"scope": "existingAccess"}}, set()),
        (LINK | {"invitation": {"email": "bob@arden.example"}}, set()),
        (LINK | {"grantedToV2": "bob@arden.example"}, set()),
        (LINK | {"link": "broken", "grantedToIdentitiesV2": None}, set()),
        ({}, set()),
    ],
)
def test_microsoft(permission: dict[str, Any], named: set[str]) -> None:
    assert keys(sharepoint.readers_in([permission])) == named


@pytest.mark.parametrize(
    ("permission", "named"),
    [
        (shared_with("Bob@Arden.example"), {BOB}),
        (shared_with("bob@arden.example", role="published"), set()),
        (shared_with("bob@arden.example", deleted=True), set()),
        (shared_with("bob@arden.example", expirationTime="2030-01-01T00:00:00Z"), set()),
        (shared_with("bob@arden.example", view="metadata"), set()),
        (shared_with("all@arden.example", "group"), {"other:group:all@arden.example"}),
        (
            shared_with("", "domain", domain="Arden.example", allowFileDiscovery=True),
            {"domain:arden.example"},
        ),
        (shared_with("", "domain", domain="arden.example"), {"other:link:arden.example"}),
        (shared_with("", "anyone", allowFileDiscovery=True), {EVERYBODY.key}),
        (shared_with("", "anyone", allowFileDiscovery=False), {"other:link:anonymous"}),
        (shared_with("", "anyone"), {"other:link:anonymous"}),
        (shared_with("", "user"), set()),
        ({}, set()),
    ],
)
def test_google(permission: dict[str, Any], named: set[str]) -> None:
    assert keys(google_drive.readers_in([permission])) == named


def test_an_address_is_of_one_domain() -> None:
    assert "domain:arden.example" not in keys_of_address("bob@evil.arden.example")
    assert "domain:arden.example" not in keys_of_address("arden.example@evil.example")


def test_paths_are_made_of_what_lies_in_what() -> None:
    items = {
        "root": Item("root", "", is_folder=True),
        "f": Item("a/b", "root", is_folder=True),
        "x": Item("lease.txt", "f", version="1"),
        "y": Item("..", "root", version="1"),
    }
    assert {path for _, path, _ in files_below("root", items)} == {"a_b/lease.txt", "_"}
    assert {path for _, path, _ in files_below("f", items)} == {"lease.txt"}
    with pytest.raises(Homeless):
        list(files_below("root", items | {"z": Item("lost.txt", "elsewhere", version="1")}))
    circle = {"p": Item("p", "q", is_folder=True), "q": Item("q", "p", is_folder=True)}
    with pytest.raises(Homeless):
        list(files_below("root", items | circle | {"z": Item("lost.txt", "p", version="1")}))
