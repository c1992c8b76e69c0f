"""No request is larger than its route allows, whoever sends it, and nothing is kept of one that is."""

import json
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from accounts.scim.directories import connect
from datasources.models import Datasource
from tests.browser import PATIENCE, Live
from tests.rest import Api

pytest_plugins = ["tests.browser"]

MEGABYTE = 1024 * 1024
BLOCK = b"x" * 65536


@pytest.fixture(scope="module")
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("temporary")


@pytest.fixture
def live_variables(temporary: Path) -> dict[str, str]:
    return {"TMPDIR": str(temporary), "SVQ_MAX_UPLOAD_MB": "3", "SVQ_MAX_GRAPH_IMPORT_MB": "2"}


def spooled(live: Live) -> int:
    """Bytes of the server's temporary files; they have no name any more, so no folder lists them."""
    assert live.web
    total = 0
    for handle in Path(f"/proc/{live.web.pid}/fd").iterdir():
        with suppress(OSError):
            if handle.readlink().as_posix().startswith(live.variables["TMPDIR"]):
                total += handle.stat().st_size
    return total


class Sent:
    """A request whose body has `length` bytes, sent block by block until the server ends the connection."""

    def __init__(
        self, live: Live, path: str, length: int, headers: dict[str, str], *, chunked: bool = False
    ) -> None:
        self.answer = b""
        self.spooled = 0
        self.sent = 0
        size = {"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(length)}
        lines = [f"{name}: {value}" for name, value in ({"Host": "localhost"} | size | headers).items()]
        with socket.create_connection(("127.0.0.1", live.port), timeout=PATIENCE) as connection:
            connection.sendall("\r\n".join([f"POST {path} HTTP/1.1", *lines, "", ""]).encode())
            begun = time.monotonic()
            with suppress(OSError):
                while self.sent < length:
                    block = BLOCK[: length - self.sent]
                    connection.sendall(b"%x\r\n%s\r\n" % (len(block), block) if chunked else block)
                    self.sent += len(block)
                    self.spooled = max(self.spooled, spooled(live))
                connection.sendall(b"0\r\n\r\n" if chunked else b"")
            with suppress(OSError):
                while piece := connection.recv(65536):  # until the server ends the connection
                    self.answer += piece
            self.seconds = time.monotonic() - begun

    @property
    def status(self) -> int:
        return int(self.answer.split(b" ", 2)[1]) if self.answer else 0

    @property
    def body(self) -> str:
        return self.answer.partition(b"\r\n\r\n")[2].decode()


def cookie(user: User) -> str:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


ANYWHERE = [
    "/healthz",
    "/account/login/",
    "/admin/login/",
    "/no-such-page",
    "/static/css/base.css",
    "/events/",
    "/api/v1/auth/login",
    "/d/1/upload/",
    "/api/v1/data-sources/1/documents",
    "/api/v1/data-sources/1/graph/import",
]


@pytest.mark.parametrize("chunked", [False, True])
def test_a_stranger_sends_next_to_nothing(live: Live, chunked: bool) -> None:
    forged = {"Cookie": "sessionid=forged", "Authorization": "Bearer forged"}
    for path in ANYWHERE:
        sent = Sent(live, path, 20 * MEGABYTE, forged if "upload" in path else {}, chunked=chunked)
        assert sent.status == 413, path
        assert "64.0 KB that are allowed here. Nothing was stored." in sent.body
        assert "Sign in, then send it again." in sent.body
        assert b"connection: close" in sent.answer.lower()
        assert sent.spooled == 0, path
        assert sent.seconds < 10, path


def test_the_answer_comes_before_the_body(live: Live) -> None:
    with socket.create_connection(("127.0.0.1", live.port), timeout=PATIENCE) as connection:
        connection.sendall(b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1500000000\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 413")
        while connection.recv(65536):
            pass  # ends: the connection is closed though nothing was sent


def test_headers_without_end_are_refused(live: Live) -> None:
    sent = 0
    with socket.create_connection(("127.0.0.1", live.port), timeout=PATIENCE) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        with suppress(OSError):
            while sent < 50 * MEGABYTE:
                connection.sendall(b"X-%d: %s\r\n" % (sent, b"x" * 30_000))
                sent += 30_000
        with suppress(OSError):
            assert connection.recv(65536).split()[1] in (b"400", b"431")
    assert sent < 10 * MEGABYTE  # what fits into the buffers of the connection


def test_whoever_is_signed_in_has_the_limit_of_the_route(
    live: Live, alice: User, contracts: Datasource
) -> None:
    bearer = Api(alice).headers
    upload = f"/d/{contracts.pk}/upload/"
    documents = f"/api/v1/data-sources/{contracts.pk}/documents"
    graph = f"/api/v1/data-sources/{contracts.pk}/graph/import"
    form = {"Content-Type": "application/json"}
    for path, length, status, headers in (
        (upload, 3 * MEGABYTE, {403}, {"Cookie": cookie(alice)}),  # allowed; then it lacks Django's token
        (upload, 5 * MEGABYTE, {413}, {"Cookie": cookie(alice)}),
        (documents, 3 * MEGABYTE, {400, 415}, bearer | form),  # allowed; then it is no form
        (documents, 5 * MEGABYTE, {413}, bearer),
        (graph, 2 * MEGABYTE, {400, 415}, bearer | form),
        (graph, 4 * MEGABYTE, {413}, bearer),
        ("/api/v1/data-sources", 2 * MEGABYTE, {413}, bearer),
        ("/palette/", 2 * MEGABYTE, {413}, {"Cookie": cookie(alice)}),
    ):
        for chunked in (False, True):
            sent = Sent(live, path, length, {"Connection": "close"} | headers, chunked=chunked)
            assert sent.status in status, (path, length, chunked, sent.answer[:300])
    assert not spooled(live)
    assert not list(Path(live.variables["TMPDIR"]).glob("*.upload*"))


def test_a_directory_sends_large_groups_to_its_own_addresses_alone(live: Live, alice: User) -> None:
    bearer = {"Authorization": f"Bearer {connect('Arden', '', by=alice)[1]}", "Connection": "close"}
    forged = {"Authorization": "Bearer scim_forged"}
    for path, length, status, headers in (
        ("/scim/v2/Groups", MEGABYTE // 2, 400, bearer),  # allowed; then it is no JSON
        ("/scim/v2/Groups", 2 * MEGABYTE, 413, bearer),
        ("/scim/v2/Groups", MEGABYTE // 2, 413, forged),
        ("/api/v1/data-sources", MEGABYTE // 2, 413, bearer),
    ):
        for chunked in (False, True):
            kind = {"Content-Type": "application/scim+json"}
            sent = Sent(live, path, length, headers | kind, chunked=chunked)
            assert sent.status == status, (path, length, chunked, sent.answer[:300])


def test_the_refusal_is_in_words_for_each_reader(live: Live, alice: User) -> None:
    program = Sent(live, "/api/v1/data-sources", 2 * MEGABYTE, Api(alice).headers)
    error = json.loads(program.body)
    assert error["code"] == "too_large"
    assert "larger than the 1.0 MB that are allowed here. Nothing was stored." in error["message"]
    assert json.loads(Sent(live, "/mcp", 2 * MEGABYTE, Api(alice).headers).body)["code"] == "too_large"
    script = Sent(live, "/d/1/upload/", 9 * MEGABYTE, {"Cookie": cookie(alice), "HX-Request": "true"})
    assert b"content-type: text/plain" in script.answer
    assert "SVQ_MAX_UPLOAD_MB" in script.body
    person = Sent(live, "/d/1/upload/", 9 * MEGABYTE, {"Cookie": cookie(alice)})
    assert "<h1>Too large</h1>" in person.body
    assert "4.0 MB" in person.body


def test_a_file_within_the_limit_arrives(live: Live, alice: User, contracts: Datasource) -> None:
    import httpx

    files: Any = {"files": ("a.txt", b"Backups are kept for thirty days. " * 60_000)}
    address = f"{live.base_url}/api/v1/data-sources/{contracts.pk}/documents"
    answer = httpx.post(address, files=files, headers=Api(alice).headers, timeout=PATIENCE)
    assert answer.status_code == 201, answer.text
    assert contracts.documents.get().size == 34 * 60_000
