"""A library of SharePoint, from a server that speaks as Microsoft Graph does."""

from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from datasources.models import Datasource
from exchange.connectors import services, trying
from exchange.connectors.kinds.kind import Kind, Opening
from exchange.connectors.kinds.registry import kind_of
from exchange.connectors.models import Connector, Status
from exchange.connectors.sources.cloud import client
from exchange.connectors.sources.source import Entry, FileRefused, SourceError
from providers.connections.secrets import decrypted
from tests.connectors.clouds_server import (
    APPLICATION,
    PLACE,
    SECRET,
    TENANT,
    MicrosoftServer,
    Said,
    as_json,
)
from tests.connectors.looking import looked_at, names

KEY: dict[str, Any] = {"tenant": TENANT, "application": APPLICATION, "secret": SECRET}


@pytest.fixture(autouse=True)
def server(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[MicrosoftServer]:
    monkeypatch.setattr(client, "STEP", 0.01)
    with MicrosoftServer() as running:
        settings.CLOUDS_URL = running.address
        yield running


def connected(datasource: Datasource, place: str = PLACE) -> Connector:
    return trying.connect(datasource, Kind.SHAREPOINT, place, by=datasource.owner, **KEY)


def entries(place: str = PLACE) -> list[Entry]:
    with closing(kind_of(Kind.SHAREPOINT).open(Opening(place=place, **KEY))) as source:
        return list(source.entries())


def test_files_come_change_move_and_go(alone: Datasource, server: MicrosoftServer) -> None:
    server.page = 2
    server.folder("f1", "Arden & Co")
    server.add("a", "lease.txt", "Rent is due.", "f1")
    server.add("b", "annex.txt", "Keys are handed over.")
    connector = connected(alone)
    assert SECRET not in connector.encrypted_secret
    assert decrypted(connector.encrypted_secret) == SECRET
    assert looked_at(connector).error is None
    assert names(alone) == {"lease.txt", "annex.txt"}
    paths = connector.files.values_list("path", flat=True)
    assert set(paths) == {"Arden & Co/lease.txt", "annex.txt"}
    server.asked.clear()
    assert looked_at(connector).error is None
    assert not [asked for asked in server.asked if "/content" in asked], "nothing is fetched again"
    server.add("a", "lease.txt", "Rent is due on the first.", "f1")
    server.items["b"]["name"] = "keys.txt"
    assert looked_at(connector).error is None
    assert names(alone) == {"lease.txt", "keys.txt"}
    assert alone.documents.filter(filename="lease.txt", version=2).exists()
    assert alone.documents.get(filename="keys.txt").version == 1, "moved there, and the same here"
    del server.items["a"]
    assert looked_at(connector).error is None
    assert names(alone) == {"keys.txt"}


def test_the_file_is_fetched_without_the_token(alone: Datasource, server: MicrosoftServer) -> None:
    server.add("a", "lease.txt", "Rent is due.")
    looked_at(connected(alone))
    assert server.tokens["graph.microsoft.com"] == {"Bearer good"}
    assert server.tokens["arden.sharepoint.com"] == {""}
    assert {form["scope"] for form in server.forms} == {"https://graph.microsoft.com/.default"}


def test_a_folder_of_the_library_is_followed_alone(server: MicrosoftServer) -> None:
    server.folder("f1", "Arden")
    server.folder("f2", "Inner", "f1")
    server.folder("f3", "Arden 2")
    server.add("a", "lease.txt", "x", "f1")
    server.add("b", "annex.txt", "x", "f2")
    server.add("c", "other.txt", "x", "f3")
    server.items["n"] = {"id": "n", "name": "Notes", "package": {"type": "oneNote"}} | {
        "parentReference": {"id": "f1"}
    }
    assert {entry.path for entry in entries(f"{PLACE}/Arden")} == {"lease.txt", "Inner/annex.txt"}
    with pytest.raises(SourceError) as refused:
        entries(f"{PLACE}/Nowhere")
    assert refused.value.code == "not_there"


def test_an_item_that_the_feed_tells_again_is_as_told_last(server: MicrosoftServer) -> None:
    server.add("a", "lease.txt", "x")
    server.add("b", "gone.txt", "x")
    server.items["again"] = server.items["a"] | {"name": "lease 2.txt"}
    server.items["deleted"] = {"id": "b", "deleted": {"state": "deleted"}}
    assert {entry.path for entry in entries()} == {"lease 2.txt"}


@pytest.mark.parametrize(
    "said",
    [
        as_json({"value": []}),  # no end, and no next page
        as_json({"value": "none"}),
        as_json({"@odata.deltaLink": "https://graph.microsoft.com/v1.0/x"}),
        as_json([]),
        Said(body=b"<html>Sign in</html>"),
        as_json(
            {"value": [{"id": "a", "name": "x.txt", "file": {}, "parentReference": {"id": "lost"}}]}
            | {"@odata.deltaLink": "x"}
        ),
        as_json({"value": [], "@odata.nextLink": "https://inner.example/v1.0/drives"}),
        as_json({"value": [], "@odata.nextLink": "https://graph.microsoft.com.inner.example/v1.0/drives"}),
    ],
)
def test_a_broken_list_deletes_nothing(alone: Datasource, server: MicrosoftServer, said: Said) -> None:
    server.add("a", "lease.txt", "Rent is due.")
    connector = connected(alone)
    looked_at(connector)
    server.instead["root/delta"] = said
    looked_at(connector)
    assert (connector.status, connector.error_code) == (Status.FAILED, "half_a_list")
    assert names(alone) == {"lease.txt"}


def test_pages_without_an_end_are_no_list(server: MicrosoftServer) -> None:
    circle = "https://graph.microsoft.com/v1.0/drives/b!library/root/delta?token=1"
    server.instead["root/delta"] = as_json({"value": [], "@odata.nextLink": circle})
    server.instead["root/delta"].times = 10**6
    with pytest.raises(SourceError) as refused:
        entries()
    assert refused.value.code == "half_a_list"
    assert len(server.asked) < 10


def test_a_short_wait_is_waited_and_a_long_one_ends_the_look(
    alone: Datasource, server: MicrosoftServer
) -> None:
    server.add("a", "lease.txt", "Rent is due.")
    connector = connected(alone)
    server.instead["root/delta"] = Said(429, headers={"Retry-After": "1"})
    server.instead["permissions of a"] = Said(429, headers={"Retry-After": "1"})
    assert looked_at(connector).error is None
    assert names(alone) == {"lease.txt"}
    server.instead["root/delta"] = Said(503, headers={"Retry-After": "4000"})
    looked_at(connector)
    assert (connector.status, connector.error_code) == (Status.FAILED, "busy")
    assert (connector.next_look - timezone.now()).total_seconds() > 3_800
    assert names(alone) == {"lease.txt"}


def test_a_wrong_key_is_said_before_anything_is_kept(alone: Datasource) -> None:
    with pytest.raises(ValidationError) as refused:
        trying.connect(alone, Kind.SHAREPOINT, PLACE, by=alone.owner, **(KEY | {"secret": "wrong"}))
    assert refused.value.code == "secret"
    assert "invalid_client" in refused.value.messages[0]
    assert "Nothing was saved." in refused.value.messages[0]
    with pytest.raises(ValidationError) as refused:
        trying.connect(alone, Kind.SHAREPOINT, PLACE, by=alone.owner, **(KEY | {"tenant": "../evil"}))
    assert not Connector.objects.exists()


@pytest.mark.parametrize(
    "place",
    [
        "https://127.0.0.1/sites/Matters/Docs",
        "https://arden.sharepoint.com.inner.example/sites/Matters/Docs",
        "https://inner.example/arden.sharepoint.com/Docs",
        "http://arden.sharepoint.com/sites/Matters/Docs",
        "https://arden.sharepoint.com:8443/sites/Matters/Docs",
        "https://a@arden.sharepoint.com/sites/Matters/Docs",
        "https://sharepoint.com/sites/Matters/Docs",
    ],
)
def test_only_addresses_of_microsoft_are_taken(alone: Datasource, place: str) -> None:
    with pytest.raises(ValidationError):
        services.checked_place(Kind.SHAREPOINT, place, alone.owner)


def test_the_address_may_be_as_a_browser_shows_it(alone: Datasource) -> None:
    given = f"{PLACE}/Forms/AllItems.aspx?id=%2Fsites%2FMatters%2FShared%20Documents%2FArden&viewid=1"
    assert services.checked_place(Kind.SHAREPOINT, given, alone.owner) == f"{PLACE}/Arden"
    assert services.checked_place(Kind.SHAREPOINT, f"{PLACE}/Forms/AllItems.aspx", alone.owner) == PLACE
    chinese = services.checked_place(Kind.SHAREPOINT, "https://arden.sharepoint.cn/sites/M/D", alone.owner)
    with closing(kind_of(Kind.SHAREPOINT).open(Opening(place=chinese, **KEY))) as source:
        assert source._cloud._base == "https://microsoftgraph.chinacloudapi.cn/v1.0"  # type: ignore[attr-defined]


def test_a_file_is_fetched_up_to_the_size_that_is_taken(server: MicrosoftServer) -> None:
    server.add("a", "lease.txt", "Rent is due. " * 1_000)
    with closing(kind_of(Kind.SHAREPOINT).open(Opening(place=PLACE, **KEY))) as source:
        (entry,) = source.entries()
        with pytest.raises(FileRefused):
            source.fetch(entry, BytesIO(), 1_000)
