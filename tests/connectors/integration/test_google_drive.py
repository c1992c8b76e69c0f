"""A folder of Google Drive, from a server that speaks as Google does."""

import json
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.exceptions import ValidationError

from accounts import addresses
from accounts.models import User
from datasources import services as sharing
from datasources.models import Datasource, Role
from exchange.connectors import services, trying
from exchange.connectors.kinds.kind import Kind, Opening
from exchange.connectors.kinds.registry import kind_of
from exchange.connectors.models import Connector
from exchange.connectors.sources.cloud.google import TOKENS
from exchange.connectors.sources.source import Entry, SourceError
from tests.connectors.clouds_server import OFFICE, GoogleServer, Said, as_json, shared_with
from tests.connectors.looking import looked_at, names

PLACE = f"https://drive.google.com/drive/folders/{GoogleServer.ROOT}"
ACCOUNT = "svq@arden.iam.gserviceaccount.com"
GOOGLES = "application/vnd.google-apps."


@cache
def private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@cache
def key_file() -> str:
    pem = private_key().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    told = {"type": "service_account", "client_email": ACCOUNT, "private_key": pem.decode()}
    return json.dumps(told | {"token_uri": "http://127.0.0.1:9/steal"})


@pytest.fixture(autouse=True)
def server(db: None, settings: Any) -> Iterator[GoogleServer]:
    with GoogleServer() as running:
        settings.CLOUDS_URL = running.address
        yield running


def connected(datasource: Datasource) -> Connector:
    how: dict[str, Any] = {"secret": key_file()}
    return trying.connect(datasource, Kind.GOOGLE_DRIVE, PLACE, by=datasource.owner, **how)


def entries(person: str = "") -> dict[str, Entry]:
    opening = Opening(place=PLACE, secret=key_file(), user_name=person)
    with closing(kind_of(Kind.GOOGLE_DRIVE).open(opening)) as source:
        return {entry.path: entry for entry in source.entries()}


def test_files_come_change_move_and_go(alone: Datasource, server: GoogleServer) -> None:
    server.page = 1
    server.folder("folder1", "Arden")
    server.add("a", "lease.txt", "Rent is due.", "folder1")
    server.add("b", "annex.txt", "Keys are handed over.")
    connector = connected(alone)
    assert looked_at(connector).error is None
    assert names(alone) == {"lease.txt", "annex.txt"}
    server.asked.clear()
    looked_at(connector)
    assert not [asked for asked in server.asked if "alt=media" in asked], "nothing is fetched again"
    server.add("a", "lease.txt", "Rent is due on the first.", "folder1")
    server.files["b"] |= {"name": "keys.txt", "parents": ["folder1"]}
    assert looked_at(connector).error is None
    assert names(alone) == {"lease.txt", "keys.txt"}
    assert alone.documents.filter(filename="lease.txt", version=2).exists()
    del server.files["a"]
    assert looked_at(connector).error is None
    assert names(alone) == {"keys.txt"}


def test_googles_own_documents_are_exported(alone: Datasource, server: GoogleServer) -> None:
    server.add("d", "Lease", "no matter", kind=f"{GOOGLES}document")
    server.add("s", "Sums", "no matter", kind=f"{GOOGLES}spreadsheet")
    server.add("p", "Talk", "no matter", kind=f"{GOOGLES}presentation")
    server.add("q", "Survey", "no matter", kind=f"{GOOGLES}form")
    server.add("c", "Elsewhere", "no matter", kind=f"{GOOGLES}shortcut")
    found = entries()
    assert set(found) == {"Lease.docx", "Sums.xlsx", "Talk.pptx", "Survey"}
    assert "no other program" in found["Survey"].refusal
    looked_at(connected(alone))
    exports = [asked for asked in server.asked if "/export?" in asked]
    assert len(exports) == 3
    assert all("mimeType=application%2Fvnd.openxmlformats" in asked for asked in exports)
    assert OFFICE.replace("/", "%2F") in exports[0]


def test_two_files_of_one_name_are_told_apart(server: GoogleServer) -> None:
    server.add("a", "lease.txt", "one")
    server.add("b", "lease.txt", "two")
    server.add("c", "a/b.txt", "three")
    assert set(entries()) == {"lease.txt", "lease (b).txt", "a_b.txt"}


def test_the_account_signs_in_for_itself_or_for_a_person(server: GoogleServer) -> None:
    entries()
    entries("alice@arden.example")
    claims = [
        jwt.decode(form["assertion"], private_key().public_key(), ["RS256"], audience=TOKENS)
        for form in server.forms
    ]
    assert [(each["iss"], each.get("sub")) for each in claims] == [
        (ACCOUNT, None),
        (ACCOUNT, "alice@arden.example"),
    ]
    assert claims[0]["scope"] == "https://www.googleapis.com/auth/drive.readonly"


@pytest.mark.parametrize("secret", ["", "no file", "{}", "[1]", '{"client_email": 1, "private_key": "x"}'])
def test_what_is_no_key_is_said(alone: Datasource, secret: str, server: GoogleServer) -> None:
    with pytest.raises(ValidationError) as refused:
        trying.connect(alone, Kind.GOOGLE_DRIVE, PLACE, by=alone.owner, secret=secret)
    assert "key of a service account" in refused.value.messages[0]
    assert not server.forms


@pytest.mark.parametrize(
    "said",
    [
        as_json({"files": [], "incompleteSearch": True}),
        as_json({"files": [], "nextPageToken": ""}),
        as_json({"incompleteSearch": False}),
        Said(body=b"<html>Sign in</html>"),
        as_json({"files": [{"name": "no number"}]}),
    ],
)
def test_a_broken_list_deletes_nothing(alone: Datasource, server: GoogleServer, said: Said) -> None:
    server.add("a", "lease.txt", "Rent is due.")
    connector = connected(alone)
    looked_at(connector)
    server.instead["/files?"] = said
    assert looked_at(connector).error_code == "half_a_list"
    assert names(alone) == {"lease.txt"}


def test_pages_without_an_end_are_no_list(server: GoogleServer) -> None:
    server.instead["/files?"] = as_json({"files": [], "nextPageToken": "again"})
    server.instead["/files?"].times = 10**6
    with pytest.raises(SourceError) as refused:
        entries()
    assert refused.value.code == "half_a_list"


def test_folders_in_a_circle_are_listed_once(server: GoogleServer) -> None:
    server.folder("f1", "One")
    server.folder("f2", "Two", "f1")
    server.files["f1"]["parents"].append("f2")
    server.add("a", "lease.txt", "x", "f2")
    assert set(entries()) == {"One/Two/lease.txt"}


def test_a_folder_in_the_bin_is_none(alone: Datasource, server: GoogleServer) -> None:
    server.add("a", "lease.txt", "Rent is due.")
    connector = connected(alone)
    looked_at(connector)
    server.files[server.ROOT]["trashed"] = True
    assert looked_at(connector).error_code == "not_there"
    assert names(alone) == {"lease.txt"}


@pytest.mark.parametrize(
    "place",
    [
        "https://drive.google.com/drive/folders/1'or'1",
        "https://drive.google.com.inner.example/drive/folders/0AFolderOfArden",
        "http://127.0.0.1/drive/folders/0AFolderOfArden",
        "https://drive.google.com/file/d/0AFolderOfArden",
    ],
)
def test_only_addresses_of_google_are_taken(alone: Datasource, place: str) -> None:
    with pytest.raises(ValidationError):
        services.checked_place(Kind.GOOGLE_DRIVE, place, alone.owner)
    given = "https://drive.google.com/drive/u/0/folders/0AFolderOfArden?usp=sharing"
    assert services.checked_place(Kind.GOOGLE_DRIVE, given, alone.owner) == PLACE


# --- who may read it -------------------------------------------------------------------------------------
BOB = shared_with("bob@example.org")


@pytest.fixture
def shared(contracts: Datasource, bob: User) -> Datasource:
    addresses.confirm(bob)
    return contracts


def test_a_file_that_some_reader_here_cannot_read_there_stays_out(
    shared: Datasource, server: GoogleServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.", permissions=[BOB])
    server.add("b", "salaries.txt", "Bob earns less.", permissions=[shared_with("carol@arden.example")])
    server.add("c", "silent.txt", "Nobody tells.", permissions=None)
    connector = looked_at(connected(shared))
    assert connector.error is None
    assert names(shared) == {"lease.txt"}
    server.files["a"]["permissions"] = []
    looked_at(connector)
    assert names(shared) == set()


def test_in_a_shared_drive_what_is_not_shared_further_is_as_its_folder(
    shared: Datasource, server: GoogleServer
) -> None:
    drive: dict[str, Any] = {"permissions": None, "driveId": server.ROOT}
    plain = drive | {"hasAugmentedPermissions": False}
    server.files[server.ROOT] |= drive | {"all_permissions": [BOB]}
    server.folder("open", "Open", **plain)
    server.folder("limited", "Limited", all_permissions=[], inheritedPermissionsDisabled=True, **plain)
    server.add("a", "lease.txt", "Rent is due.", "open", **plain)
    server.add("b", "board.txt", "Of the board.", "limited", **plain)
    more = drive | {"hasAugmentedPermissions": True, "all_permissions": [shared_with("x@arden.example")]}
    server.add("c", "own.txt", "Of its own.", "open", **more)
    server.add("d", "silent.txt", "It does not say.", "open", **drive)
    looked_at(connected(shared))
    assert names(shared) == {"lease.txt"}


def test_sharing_wider_takes_away_what_becomes_too_wide(shared: Datasource, server: GoogleServer) -> None:
    everybody = {"id": "e", "type": "anyone", "role": "reader", "allowFileDiscovery": True}
    server.add("a", "lease.txt", "Rent is due.", permissions=[BOB])
    server.add("b", "public.txt", "For all.", permissions=[everybody])
    looked_at(connected(shared))
    assert names(shared) == {"lease.txt", "public.txt"}
    sharing.invite(shared, "carol@arden.example", Role.VIEWER)
    assert names(shared) == {"public.txt"}
