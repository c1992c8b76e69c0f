"""Clouds answer oddly, or with ill will: no token leaves for it, nothing breaks, nobody counts as another."""

import json
from typing import Any
from unittest.mock import patch

import pytest

from exchange.connectors.sources.cloud.client import Cloud, Tokens
from exchange.connectors.sources.cloud.google import GoogleTokens
from exchange.connectors.sources.cloud.sharepoint import readers_in
from exchange.connectors.sources.readers import others, person
from exchange.connectors.sources.source import FileRefused, SourceError
from tests.connectors.clouds_server import CloudsServer, Said, as_json
from tests.connectors.integration.test_google_drive import key_file

BOARD = {"id": "guid", "displayName": "Board", "email": "board@example.org"}
LOGIN = "c:0o.c|federateddirectoryclaimprovider|guid"


class Saying(CloudsServer):
    def token(self, form: dict[str, str]) -> Said:
        return as_json({"expires_in": 3599, "access_token": "good"})

    def told(self, path: str, query: dict[str, str], body: bytes) -> Said:
        return as_json({})


@pytest.fixture
def saying(settings: Any) -> Any:
    with Saying() as running:
        settings.CLOUDS_URL = running.address
        yield running


@pytest.fixture
def cloud(saying: Saying) -> Any:
    made = Cloud("The cloud", "https://cloud.example/v1", lambda: "good", lambda: False)
    yield made
    made.close()


def keys(**identity: Any) -> set[str]:
    return {each.key for each in readers_in([{"roles": ["read"], "grantedToV2": identity}])}


def test_a_group_with_an_address_is_no_person() -> None:
    site = {"id": "7", "displayName": "Board", "email": "board@example.org", "loginName": LOGIN}
    assert keys(group=BOARD, siteUser=site) == {"other:group:guid"}
    assert keys(siteUser=site) == {"other:siteUser:7"}
    assert keys(group=BOARD, user=BOARD) == {"other:group:guid"}


def test_owners_of_a_group_are_not_its_members() -> None:
    site = {"id": "8", "displayName": "Board", "email": "board@example.org", "loginName": f"{LOGIN}_o"}
    assert keys(group=BOARD, siteUser=site) == {"other:group:guid_o"}


def test_a_person_is_named_by_the_site_as_well() -> None:
    bob = {"id": "9", "email": "bob@example.org", "loginName": "i:0#.f|membership|bob@example.org"}
    assert keys(siteUser=bob) == keys(user=bob, siteUser=bob) == {"mail:bob@example.org"}


def test_odd_identities_name_nobody_else() -> None:
    link = {"roles": ["read"], "link": {}, "grantedToIdentitiesV2": 7}
    assert readers_in([link]) == frozenset()
    for bad in ("\0", "\ud800"):
        assert person(f"bob{bad}@example.org").key == "mail:bob\N{REPLACEMENT CHARACTER}@example.org"
        other = others(f"group:{bad}", f"A{bad}")
        assert (f"{other.key}{other.name}".count(bad), bad in other.name) == (0, False)


@pytest.mark.parametrize("way", ["../../evil.example/x", "a/%2e%2e/%2E%2E/evil.example", "a\\..\\..\\evil"])
def test_no_token_goes_up_to_another_cloud(saying: Saying, cloud: Cloud, way: str) -> None:
    for address in (f"/{way}", f"https://cloud.example/v1/{way}"):
        with pytest.raises(SourceError):
            cloud.asked(address)
    assert saying.asked == []


def test_a_redirect_to_nowhere_is_a_refusal(saying: Saying, cloud: Cloud, tmp_path: Any) -> None:
    saying.instead["/file"] = Said(302)
    with pytest.raises(FileRefused), (tmp_path / "file").open("wb") as file:
        cloud.download("/file", file, 1000)


@pytest.mark.parametrize("seconds", ["9" * 5000, 10**400, -5, True, "²", None])
def test_a_token_is_used_for_as_long_as_is_sound(saying: Saying, seconds: object) -> None:
    saying.instead["/token"] = as_json({"access_token": "good", "expires_in": seconds})
    tokens = Tokens("The cloud", lambda: False)
    assert tokens.asked("all", "https://cloud.example/token", {}) == "good"
    assert tokens.kept("all") == "good"


def test_google_is_sent_one_signature_for_a_token(saying: Saying) -> None:
    tokens = GoogleTokens(key_file(), "", "drive", lambda: False)
    with patch("exchange.connectors.sources.cloud.google.jwt.encode", return_value="signed") as signed:
        assert {tokens.token() for _ in range(5)} == {"good"}
    assert signed.call_count == 1


def test_a_key_that_takes_minutes_to_use_is_refused(saying: Saying) -> None:
    told = json.loads(key_file())
    tokens = GoogleTokens(json.dumps(told | {"private_key": told["private_key"] + "\n" * 4000}), "", "", bool)
    with pytest.raises(SourceError):
        tokens.token()
    with patch("exchange.connectors.sources.cloud.google.MOST_BITS", 1024), pytest.raises(SourceError):
        GoogleTokens(key_file(), "", "", bool).token()
    assert saying.asked == []
