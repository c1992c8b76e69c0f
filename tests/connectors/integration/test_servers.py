"""Folders on real servers: WebDAV by a package's server, a bucket by moto."""

import time
from collections.abc import Iterator
from errno import ENOSPC
from io import BytesIO
from pathlib import Path
from typing import Any

import boto3
import pytest
from django.core.exceptions import ValidationError

from datasources.models import Datasource
from exchange.connectors import following, services
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Connector, Status
from exchange.connectors.sources.bucket import BucketSource
from exchange.connectors.sources.source import Entry, SourceError
from exchange.connectors.sources.webdav import WebDavSource
from jobs.runs import Stopped
from providers.connections.secrets import decrypted
from providers.connections.services import allow_owners
from tests.connectors.dripping_server import DrippingServer
from tests.connectors.looking import names
from tests.connectors.lying_server import LyingServer
from tests.connectors.webdav_server import NAME, PASSWORD, WebDavServer
from tests.s3 import s3_server

KEYS = {"region_name": "eu-central-1", "aws_access_key_id": "k", "aws_secret_access_key": "s"}


@pytest.fixture(autouse=True)
def _here(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    allow_owners(connect=False, private_addresses=False, private_connectors=True)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Names as people give them."""
    folder = tmp_path / "cloud"
    (folder / "Lease & annexes" / "100 % final").mkdir(parents=True)
    (folder / "Mietvertrag Übersee #1.txt").write_text("Rent is due.")
    (folder / "Lease & annexes" / "100 % final" / "annex+a?.txt").write_text("Keys are handed over.")
    return folder


@pytest.fixture
def server(files: Path) -> Iterator[WebDavServer]:
    with WebDavServer(files) as running:
        yield running


def looked_at(connector: Connector) -> Connector:
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    return connector


BOTH = {"Mietvertrag Übersee #1.txt", "annex+a?.txt"}


def test_a_folder_on_a_webdav_server(contracts: Datasource, server: WebDavServer, files: Path) -> None:
    connector = services.connect(
        contracts, Kind.WEBDAV, f"{server.address}/", by=contracts.owner, user_name=NAME, secret=PASSWORD
    )
    assert PASSWORD not in connector.encrypted_secret
    assert looked_at(connector).error is None
    assert names(contracts) == BOTH
    server.asked.clear()
    services.look_now(connector)
    looked_at(connector)
    assert {asked.split()[0] for asked in server.asked} == {"PROPFIND"}, "nothing is fetched again"
    (files / "Mietvertrag Übersee #1.txt").write_text("Rent is due on the first.")
    services.look_now(connector)
    looked_at(connector)
    assert contracts.documents.order_by("pk").last().version == 2  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("place", "secret", "code"),
    [("", "wrong", "refused"), ("/nowhere", PASSWORD, "not_there")],
)
def test_what_a_server_refuses_is_said(
    contracts: Datasource, server: WebDavServer, place: str, secret: str, code: str
) -> None:
    connector = services.connect(
        contracts, Kind.WEBDAV, server.address + place, by=contracts.owner, user_name=NAME, secret=secret
    )
    assert (looked_at(connector).status, connector.error_code) == (Status.FAILED, code)
    assert secret not in str(connector.error)


def test_a_server_that_is_away_deletes_nothing(contracts: Datasource, files: Path) -> None:
    with WebDavServer(files) as server:
        connector = services.connect(
            contracts, Kind.WEBDAV, server.address, by=contracts.owner, user_name=NAME, secret=PASSWORD
        )
        looked_at(connector)
    services.look_now(connector)
    assert looked_at(connector).error_code == "unreachable"
    assert names(contracts) == BOTH


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, str]]:
    place = {"LocationConstraint": "eu-central-1"}
    with s3_server() as address:
        made = boto3.resource("s3", endpoint_url=address, **KEYS).create_bucket(
            Bucket="firm", CreateBucketConfiguration=place
        )
        yield made, f"{address}/firm"


def told(href: str, status: str = "", size: str = "") -> str:
    """What a server says of a file, or of a folder, which ends with a slash."""
    if status:
        return f"<response><href>{href}</href><status>HTTP/1.1 {status}</status></response>"
    kind = "<collection/>" if href.endswith("/") else ""
    return (
        f"<response><href>{href}</href><propstat><prop><resourcetype>{kind}</resourcetype>"
        f"<getcontentlength>{size}</getcontentlength></prop></propstat></response>"
    )


def told_together(*answers: str) -> str:
    return f'<?xml version="1.0"?><multistatus xmlns="DAV:">{"".join(answers)}</multistatus>'


def never() -> bool:
    """Nobody stops waiting."""
    return False


class Strange:
    """Answers each request for a list with the same, and notes who is asked."""

    def __init__(self, body: str) -> None:
        self.asked: list[str] = []
        self.body = body.encode()

    def listing(self, method: str, address: str, *_: Any) -> bytes:
        self.asked.append(address)
        return self.body

    def download(self, address: str, *_: Any) -> None:
        self.asked.append(address)

    def close(self) -> None:
        pass


def test_no_other_host_is_sent_the_password() -> None:
    """A server may name any addresses: those of others are not used."""
    source = WebDavSource("https://dav.example/root", NAME, PASSWORD, never)
    hrefs = (
        "https://evil.example/root/deep/",
        "/root///evil.example/x.txt",
        "/root/../other/y.txt",
        "/root/%2e%2e/z.txt",
        "//evil.example/root/w.txt",
        "/elsewhere/v.txt",
        "/root/fine.txt",
        "/root/",
    )
    body = told_together(*map(told, hrefs))
    source._web = strange = Strange(body)  # type: ignore[assignment]
    entries = list(source.entries())
    for entry in entries:
        source.fetch(entry, BytesIO(), 10)
    assert all(address.startswith("https://dav.example/root/") for address in strange.asked)
    assert {entry.path for entry in entries} <= {"fine.txt", "w.txt"}


def listed(body: str) -> list[Entry]:
    """What is in a folder of which a server says this."""
    source = WebDavSource("https://dav.example/root", NAME, PASSWORD, never)
    source._web = Strange(body)  # type: ignore[assignment]
    return list(source.entries())


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("<html><body>Sign in</body></html>", "no_webdav"),
        (told_together(), "no_webdav"),
        (told_together(told("/root/a.txt")), "no_webdav"),
        (told_together(told("/root")), "no_webdav"),
        (told_together(told("/root/", "403 Forbidden")), "refused"),
        (told_together(told("/root/", "404 Not Found")), "not_there"),
        (told_together(told("/root/"), told("/root/sub/", "403 Forbidden")), "refused"),
        (told_together(told("/root/"), told("http://[::1/x")), "no_webdav"),
    ],
)
def test_what_is_not_the_folder_itself_is_no_empty_folder(body: str, code: str) -> None:
    with pytest.raises(SourceError) as refused:
        listed(body)
    assert refused.value.code == code


def test_what_a_server_says_of_one_file_is_of_that_file() -> None:
    body = told_together(
        told("/root/"), told("/root/a.txt"), told("/root/b.txt", "404 Gone"), told("/root/c.txt", "403 No")
    )
    found = {entry.path: entry.refusal for entry in listed(body)}
    assert found == {"a.txt": "", "c.txt": "The server does not give it (HTTP 403)."}


def test_a_size_that_no_file_has_is_too_large() -> None:
    (entry,) = listed(told_together(told("/root/"), told("/root/a.txt", size="9" * 5000)))
    assert (entry.size or 0) > 10**15


@pytest.mark.parametrize("token", ["", "<NextContinuationToken>same</NextContinuationToken>"])
def test_half_a_bucket_is_not_taken_for_all(token: str) -> None:
    source = BucketSource("https://s3.example/bucket", "k", "s", "", never)
    source._web = Strange(  # type: ignore[assignment]
        f"<ListBucketResult><Contents><Key>a.txt</Key><Size>{'9' * 5000}</Size></Contents>"
        f"<IsTruncated>true</IsTruncated>{token}</ListBucketResult>"
    )
    with pytest.raises(SourceError) as refused:
        list(source.entries())
    assert refused.value.code == "half_a_list"


def test_what_is_no_list_of_a_bucket_is_no_empty_bucket() -> None:
    source = BucketSource("https://s3.example/bucket", "k", "s", "", never)
    source._web = Strange("<html><body>Sign in</body></html>")  # type: ignore[assignment]
    with pytest.raises(SourceError, match="does not speak S3"):
        list(source.entries())


def test_a_full_disk_here_is_no_fault_of_the_server(files: Path) -> None:
    class Full(BytesIO):
        def write(self, _data: object) -> int:
            raise OSError(ENOSPC, "No space left on device")

    with WebDavServer(files) as server:
        source = WebDavSource(server.address, NAME, PASSWORD, never)
        entry = next(source.entries())
        with pytest.raises(OSError, match="No space left"):
            source.fetch(entry, Full(), 10**6)
        source.close()


def test_a_tree_of_folders_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are told in one answer: their names alone would fill the memory."""
    monkeypatch.setattr("exchange.connectors.sources.web.MOST_LISTS", 100)
    source = WebDavSource("https://dav.example/root", NAME, PASSWORD, never)
    folders = (told(f"/root/{number}/") for number in range(300))
    source._web = strange = Strange(told_together(told("/root/"), *folders))  # type: ignore[assignment]
    with pytest.raises(SourceError) as refused:
        list(source.entries())
    assert (refused.value.code, len(strange.asked)) == ("many_folders", 1)


def test_a_folder_with_an_endless_name_is_left_out() -> None:
    """A few of them would fill the memory."""
    source = WebDavSource("https://dav.example/root", NAME, PASSWORD, never)
    source._web = strange = Strange(told_together(told("/root/"), told(f"/root/{'x' * 5000}/")))  # type: ignore[assignment]
    assert list(source.entries()) == []
    assert len(strange.asked) == 1


@pytest.mark.parametrize("where", ["head", "list", "file"])
def test_a_server_that_drips_is_not_waited_for(
    contracts: Datasource, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    for name in ("LIST_SECONDS", "FILE_SECONDS"):
        monkeypatch.setattr(f"exchange.connectors.sources.web.{name}", 0.3, raising=False)
    with DrippingServer(where, told_together(told("/root/"), told("/root/a.txt"))) as address:
        connector = services.connect(contracts, Kind.WEBDAV, f"{address}/root", by=contracts.owner)
        begun = time.monotonic()
        assert looked_at(connector).error_code == "slow"
    assert time.monotonic() - begun < DrippingServer.SECONDS
    assert names(contracts) == set()


@pytest.mark.parametrize("where", ["head", "list", "file"])
def test_a_look_that_nobody_waits_for_ends_soon(contracts: Datasource, where: str) -> None:
    with DrippingServer(where, told_together(told("/root/"), told("/root/a.txt"))) as address:
        connector = services.connect(contracts, Kind.WEBDAV, f"{address}/root", by=contracts.owner)
        begun = time.monotonic()
        with pytest.raises(Stopped):
            following.carry_on(connector.pk, lambda: time.monotonic() > begun + 0.5)
    assert time.monotonic() - begun < DrippingServer.SECONDS
    connector.refresh_from_db()
    assert connector.error_code == "", "it was stopped, and has not failed"


def test_a_file_of_another_length_than_announced_fails_alone(contracts: Datasource) -> None:
    listing = told_together(told("/root/"), told("/root/a.txt"), told("/root/b.txt"))
    with LyingServer(listing) as address:
        connector = services.connect(contracts, Kind.WEBDAV, f"{address}/root", by=contracts.owner)
        assert looked_at(connector).status == Status.IDLE
    assert names(contracts) == {"b.txt"}
    assert "broke off" in connector.files.get(path="a.txt").refusal


@pytest.mark.parametrize(
    "spelling",
    [
        "http://LOCALHOST:8973/list/",
        "HTTP://localhost:08973/list",
        "http://localhost:8973/%6cist",
    ],
)
def test_one_place_is_connected_once_however_it_is_spelt(contracts: Datasource, spelling: str) -> None:
    services.connect(contracts, Kind.WEBDAV, "http://localhost:8973/list", by=contracts.owner)
    with pytest.raises(ValidationError, match="connected already"):
        services.connect(contracts, Kind.WEBDAV, spelling, by=contracts.owner)


def test_folders_without_an_end_are_not_listed(
    contracts: Datasource, server: WebDavServer, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exchange.connectors.sources.web.MOST_LISTS", 2)
    connector = services.connect(
        contracts, Kind.WEBDAV, server.address, by=contracts.owner, user_name=NAME, secret=PASSWORD
    )
    assert looked_at(connector).error_code == "many_folders"
    assert names(contracts) == set()


def test_a_part_of_a_bucket(contracts: Datasource, bucket: tuple[Any, str]) -> None:
    there, address = bucket
    for path in (
        "leases/",
        "leases/Mietvertrag Übersee #1.txt",
        "leases/100 % final/annex+a?.txt",
        "other.txt",
    ):
        there.put_object(Key=path, Body=f"The text of {path}".encode())
    connector = services.connect(
        contracts,
        Kind.S3,
        f"{address}/leases/",
        by=contracts.owner,
        user_name="k",
        secret="s",
        region="eu-central-1",
    )
    assert looked_at(connector).error is None
    assert names(contracts) == BOTH
    there.delete_objects(Delete={"Objects": [{"Key": "leases/100 % final/annex+a?.txt"}]})
    services.look_now(connector)
    looked_at(connector)
    assert names(contracts) == {"Mietvertrag Übersee #1.txt"}


def test_a_long_list_comes_in_pages(
    contracts: Datasource, bucket: tuple[Any, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exchange.connectors.sources.bucket.LISTED", 2)
    there, address = bucket
    for number in range(5):
        there.put_object(Key=f"{number:04}.mp4", Body=b"")
    connector = services.connect(
        contracts, Kind.S3, address, by=contracts.owner, user_name="k", secret="s", region="eu-central-1"
    )
    assert (looked_at(connector).error, connector.found) == (None, 5)


def test_private_networks_are_reached_where_administrators_allow_it(
    contracts: Datasource, server: WebDavServer
) -> None:
    connector = services.connect(
        contracts, Kind.WEBDAV, server.address, by=contracts.owner, user_name=NAME, secret=PASSWORD
    )
    allow_owners(connect=True, private_addresses=True, private_webhooks=True)
    server.asked.clear()
    assert looked_at(connector).error_code == "private"
    assert server.asked == []
    with pytest.raises(ValidationError, match="private network"):
        services.connect(contracts, Kind.WEBDAV, "http://127.0.0.1:9/dav", by=contracts.owner)


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        (Kind.WEBDAV, "ftp://dav.example/a"),
        (Kind.WEBDAV, "https://me:secret@dav.example/a"),
        (Kind.WEBDAV, "https://dav.example:port/a"),
        (Kind.WEBDAV, "file:///etc"),
        (Kind.WEBDAV, ""),
        (Kind.S3, "https://s3.example"),
        (Kind.S3, "https://s3.example/bucket?acl"),
        (Kind.FOLDER, "/etc"),
    ],
)
def test_what_is_no_place_is_refused(contracts: Datasource, kind: str, place: str) -> None:
    with pytest.raises(ValidationError):
        services.connect(contracts, kind, place, by=contracts.owner)
    assert not Connector.objects.exists()


def test_an_administrator_connects_released_folders_alone(
    contracts: Datasource, chief: Any, folder: Path, tmp_path: Path
) -> None:
    for place in (str(tmp_path), f"{folder}/../../", str(folder / "none"), "/etc", ""):
        with pytest.raises(ValidationError):
            services.connect(contracts, Kind.FOLDER, place, by=chief)
    services.connect(contracts, Kind.FOLDER, str(folder), by=chief)
    with pytest.raises(ValidationError, match="already"):
        services.connect(contracts, Kind.FOLDER, str(folder), by=chief)


def test_a_new_password_replaces_the_old_one(contracts: Datasource, server: WebDavServer) -> None:
    connector = services.connect(
        contracts, Kind.WEBDAV, server.address, by=contracts.owner, user_name=NAME, secret="old"
    )
    assert looked_at(connector).error_code == "refused"
    services.change(connector, secret=PASSWORD)
    assert decrypted(connector.encrypted_secret) == PASSWORD
    services.look_now(connector)
    assert looked_at(connector).error is None
