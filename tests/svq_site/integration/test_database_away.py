"""What a person is told while the database is away or has no connection free."""

import os
import socketserver
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

from django.db import connection
from django.db.utils import OperationalError

from accounts.models import User
from tests.rest import Api


def away(*_: Any) -> None:
    raise OperationalError("couldn't get a connection after 3.00 sec")


def test_a_page_and_the_api_tell_when_to_try_again(alice: User) -> None:
    api = Api(alice)
    api.client.raise_request_exception = False
    api.client.force_login(alice)
    with connection.execute_wrapper(away):
        page, answer = api.client.get("/"), api.get("data-sources")
    for response in (page, answer):
        assert (response.status_code, response["Retry-After"]) == (503, "5")
        assert "What was stored before is safe" in response.content.decode()
    assert answer.json()["code"] == "unavailable"
    assert api.client.get("/").status_code == 200


class Starting(socketserver.BaseRequestHandler):
    """Postgres while it starts: it refuses every connection, and says why."""

    def handle(self) -> None:
        self.request.recv(1024)
        said = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
        self.request.sendall(b"E" + (len(said) + 4).to_bytes(4, "big") + said)


def deletions(port: int, *more: str) -> subprocess.CompletedProcess[str]:
    address = f"postgresql://svq:secret@127.0.0.1:{port}/svq?sslmode=disable&gssencmode=disable"
    return subprocess.run(
        [sys.executable, "manage.py", "deletions", *more],
        env=os.environ | {"DATABASE_URL": address},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_command_says_in_a_line_that_the_database_is_starting() -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), Starting) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        ended = deletions(server.server_address[1])
        shown = deletions(server.server_address[1], "--traceback")
        server.shutdown()
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith("svq: The database cannot be used just now: the database system is starting up.")
    assert "What was stored before is safe. Run the command again" in line
    assert "secret" not in line
    assert "Traceback" in shown.stderr


def test_a_command_says_in_a_line_that_the_database_is_gone() -> None:
    ended = deletions(port=1)
    (line,) = ended.stderr.splitlines()
    assert "Connection refused. What was stored before is safe." in line
