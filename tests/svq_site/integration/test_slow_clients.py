"""No client keeps the server from others: a real web server that may open few files, and real sockets."""

import resource
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from accounts.models import User
from datasources.models import Datasource
from svq_site.host.web_server import BOUNDED
from svq_site.management.commands import up
from tests.browser import Live
from tests.processes import wait_until
from tests.rest import Api

pytest_plugins = ["tests.browser"]

FILES = 256  # the web server's limit: 128 connections, and 64 of one address
EACH = 40
HALF_A_HEADER = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Half: "


class FewFiles(Live):
    """Its processes may open few files. Starting one keeps the test's own limit."""

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.environment["SVQ_PORT"] = str(self.port)
        process = super()._start(*arguments)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (FILES // 2, FILES))
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
        return process


@pytest.fixture(scope="module")
def server(django_db_setup: None, django_db_blocker: Any, static_files: Path) -> Iterator[FewFiles]:
    variables = {
        "SVQ_HEADER_SECONDS": "2",
        "SVQ_BODY_SECONDS": "2",
        "SVQ_CONNECTIONS_PER_ADDRESS": str(EACH),
        "SVQ_STREAMS_PER_PERSON": "3",
        "SVQ_STREAMS_PER_ADDRESS": "5",
        "SVQ_TRUSTED_PROXIES": "127.0.0.9",
    }
    with django_db_blocker.unblock():
        running = FewFiles(static_files, variables)
        running.start_web()
    yield running
    running.stop_web()


@pytest.fixture
def web(server: FewFiles, transactional_db: None) -> FewFiles:
    return server


def connect(web: Live, address: str) -> socket.socket:
    """From one of this machine's own addresses, which all belong to 127.0.0.0/8."""
    return socket.create_connection(("127.0.0.1", web.port), timeout=20, source_address=(address, 0))


def said(connection: socket.socket) -> bytes:
    """All that the server sends until it ends the connection."""
    answer = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            answer += piece
    return answer


def healthy(web: Live, address: str = "127.0.0.1", **headers: str) -> int:
    with connect(web, address) as connection:
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        request = ["GET /account/login/ HTTP/1.1", "Host: localhost", "Connection: close", *lines, "", ""]
        connection.sendall("\r\n".join(request).encode())
        return int((said(connection).split() or [b"", b"0"])[1])


def test_half_headers_of_one_address_leave_the_server_to_others(web: FewFiles) -> None:
    with ExitStack() as held:
        crowd = [held.enter_context(connect(web, "127.0.0.2")) for _ in range(FILES + 44)]
        for connection in crowd:
            with suppress(OSError):
                connection.sendall(HALF_A_HEADER)
        assert healthy(web, "127.0.0.3") == 200
        endings = [said(connection) for connection in crowd]  # all end by themselves
    assert sum(b" 408 " in ending for ending in endings) == EACH
    turned_away = [ending for ending in endings if b" 429 " in ending]
    assert turned_away
    assert all(b"Retry-After: 5" in each and b"Nothing is lost." in each for each in turned_away)
    assert healthy(web, "127.0.0.2") == 200


def test_half_headers_of_many_addresses_make_way(web: FewFiles) -> None:
    with ExitStack() as held:
        for number in range(FILES):
            connection = held.enter_context(connect(web, f"127.0.1.{number % 200 + 1}"))
            with suppress(OSError):
                connection.sendall(HALF_A_HEADER)
        assert healthy(web, "127.0.0.3") == 200


def test_a_silent_connection_and_a_slow_header_end(web: FewFiles) -> None:
    with connect(web, "127.0.0.2") as silent, connect(web, "127.0.0.2") as slow:
        slow.sendall(HALF_A_HEADER)
        for _ in range(3):
            slow.sendall(b"x")
        assert said(silent) == b""
        assert b"did not arrive in time. Nothing was done." in said(slow)


def test_a_body_that_does_not_arrive_ends_with_words(web: FewFiles, alice: User) -> None:
    token = Api(alice).headers["Authorization"]
    for headers, part in (("", b"<h1>Not now</h1>"), (f"Authorization: {token}\r\n", b'"too_slow"')):
        path = "/api/v1/data-sources" if headers else "/account/login/"
        with connect(web, "127.0.0.2") as slow:
            slow.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}".encode())
            slow.sendall(b"Content-Length: 5000\r\n\r\nhalf")
            answer = said(slow)
        assert answer.startswith(b"HTTP/1.1 408"), answer
        assert b"Nothing was stored." in answer
        assert part in answer


def test_a_body_that_nobody_reads_does_not_keep_its_connection(web: FewFiles) -> None:
    with connect(web, "127.0.0.2") as slow:
        slow.sendall(b"POST /static/css/base.css HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n")
        assert slow.recv(16).startswith(b"HTTP/1.1 ")
        slow.settimeout(20)
        said(slow)  # ends


def test_a_trusted_proxy_is_no_client_and_its_clients_are(web: FewFiles) -> None:
    with ExitStack() as held:
        for _ in range(EACH + 20):
            held.enter_context(connect(web, "127.0.0.9")).sendall(HALF_A_HEADER)
        assert healthy(web, "127.0.0.9", X_Forwarded_For="192.0.2.1") == 200
        body = "POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
        waiting = [held.enter_context(connect(web, "127.0.0.9")) for _ in range(EACH)]
        for connection in waiting:
            connection.sendall(f"{body}X-Forwarded-For: 192.0.2.2\r\n\r\n".encode())
        wait_until(lambda: healthy(web, "127.0.0.9", X_Forwarded_For="192.0.2.2") == 429, "the limit")
        assert healthy(web, "127.0.0.9", X_Forwarded_For="192.0.2.1") == 200


def test_streams_of_one_person_and_of_one_address(
    web: FewFiles, contracts: Datasource, alice: User, bob: User
) -> None:
    def opened(user: User, address: str) -> httpx.Response:
        transport = httpx.HTTPTransport(local_address=address)
        client = held.enter_context(httpx.Client(transport=transport, trust_env=False, timeout=20))
        url = f"{web.base_url}/events/"
        query: Any = {"channel": f"datasource:{contracts.pk}"}
        return held.enter_context(client.stream("GET", url, params=query, headers=Api(user).headers))

    with ExitStack() as held:
        assert [opened(alice, "127.0.0.2").status_code for _ in range(3)] == [200] * 3
        one_more = opened(alice, "127.0.0.3")
        assert one_more.status_code == 429
        assert one_more.headers["Retry-After"]
        assert "are open of your account. Nothing is lost." in one_more.read().decode()
        assert [opened(bob, "127.0.0.2").status_code for _ in range(2)] == [200] * 2
        assert "are open at your address" in opened(bob, "127.0.0.2").read().decode()
        assert opened(bob, "127.0.0.3").status_code == 200
    with ExitStack() as held:  # what has ended is given back
        wait_until(lambda: opened(alice, "127.0.0.2").status_code == 200, "a stream")


def test_up_starts_the_server_with_these_limits() -> None:
    command = up.commands()["web server"]
    assert command[-len(BOUNDED) :] == list(BOUNDED)
