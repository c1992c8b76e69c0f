"""SVQ behind PgBouncer in transaction mode: a real one, as Debian has it, with three sessions for all."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from django.conf import settings as configured
from django.db import connection, connections
from psycopg.conninfo import conninfo_to_dict
from rest_framework_simplejwt.tokens import AccessToken

from accounts.models import User
from datasources.models import Datasource
from graph.exchange.graphml import graphml
from ingestion.models import Chunk
from jobs.direct import direct_parameters
from retrieval.query import Scope
from retrieval.vocabulary import IndexedVocabulary
from sql import rows
from svq_site.database import pooler
from svq_site.host import doctor, web_server
from svq_site.settings import database
from tests.factories import make_document
from tests.processes import PATIENCE, free_port, url_of_test_database, wait_until, with_models

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
NAMESPACE = configured.BASE_DIR / "svq_site" / "host" / "user_namespace.py"
SESSIONS = 3

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not PROGRAM, reason="pgbouncer is not installed: apt-get install pgbouncer"),
]


@pytest.fixture(scope="module")
def port(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any) -> Iterator[int]:
    """Of a PgBouncer in front of the tests' server."""
    folder, port = tmp_path_factory.mktemp("pgbouncer"), free_port()
    with django_db_blocker.unblock():
        given = conninfo_to_dict(url_of_test_database())
    server = {name: given[name] for name in ("host", "port", "user") if given.get(name)}
    if passfile := given.get("passfile"):
        server["password"] = Path(str(passfile)).read_text().strip().rpartition(":")[2]
    told = " ".join(f"{name}='{value}'" for name, value in server.items())
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n* = {told}\n[pgbouncer]\npool_mode = transaction\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nunix_socket_dir =\nauth_type = any\nadmin_users = app\n"
        f"default_pool_size = {SESSIONS}\nmax_client_conn = 200\n"
    )
    command = [str(PROGRAM), "-q", str(folder / "pgbouncer.ini")]
    if os.geteuid() == 0:  # which it refuses
        command = [sys.executable, "-I", "-S", str(NAMESPACE), "1000", "1000", *command]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log)
        try:
            wait_until(lambda: process.poll() is not None or answers(port), "PgBouncer")
            if process.poll() is not None:
                pytest.skip(f"pgbouncer does not start here: {(folder / 'log').read_text()}")
            yield port
        finally:
            process.terminate()
            process.wait(PATIENCE)


def answers(port: int) -> bool:
    try:
        console(port, "SHOW VERSION")
    except psycopg.OperationalError:
        return False
    return True


def console(port: int, statement: str) -> None:
    """Of its administrators. It has but the simple protocol, and no transaction."""
    with psycopg.connect(host="127.0.0.1", port=port, dbname="pgbouncer", user="app", autocommit=True) as one:
        one.execute(statement)


@pytest.fixture
def addresses(port: int, settings: Any) -> dict[str, str]:
    """DATABASE_URL to PgBouncer and the direct one, which are this process's too; see `through`."""
    direct = url_of_test_database()
    pooled = f"postgresql://app@127.0.0.1:{port}/{connection.settings_dict['NAME']}"
    settings.DATABASE_DIRECT_URL = direct
    settings.DATABASE_DIRECT = database(direct)
    settings.DATABASE_POOLED = database(pooled, through_pooler=True)
    pooler.keep_session_settings()
    console(port, "RECONNECT")
    return {"DATABASE_URL": pooled, "SVQ_DATABASE_DIRECT_URL": direct}


@contextmanager
def through() -> Iterator[None]:
    """This process's connections are to PgBouncer."""
    given = dict(connections.settings["default"])
    pooler.go_through()
    try:
        yield
    finally:
        connection.close()
        connections.settings["default"].update(given)


def test_a_session_begins_with_what_svq_needs(port: int, addresses: dict[str, str]) -> None:
    assert pooler.lacking() == []
    assert doctor.pooler().ok
    for name in configured.SESSION_SETTINGS:
        rows(f"ALTER ROLE CURRENT_USER IN DATABASE {connection.settings_dict['NAME']} RESET {name}")
    console(port, "RECONNECT")
    found = doctor.pooler()
    assert not found.ok
    assert len(found.items) == len(configured.SESSION_SETTINGS)


def test_what_is_read_in_batches_comes_whole(addresses: dict[str, str], contracts: Datasource) -> None:
    for number in range(3):
        make_document(contracts, f"Lease {number}", f"The tenant of mill {number} pays the rent in advance.")
    with through():
        assert [chunk.index for chunk in Chunk.objects.iterator(chunk_size=1)] == [0, 0, 0]
        words = IndexedVocabulary(Scope(user_id=contracts.owner_id, datasource_id=contracts.pk))
        assert words.resembling(["tennant"])["tennant"] == {"tenant"}
        assert "</graphml>" in "".join(graphml(contracts))
        assert connection.settings_dict["HOST"] == "127.0.0.1"
        with psycopg.connect(**direct_parameters()) as direct:
            assert direct.info.host != "127.0.0.1"


class Site:
    """A web server and a worker for files and answers."""

    def __init__(self, folder: Path, addresses: dict[str, str]) -> None:
        self.log, self.port = folder / "log", free_port()
        environment = (
            os.environ
            | addresses
            | {
                "SVQ_DATA_DIR": str(with_models(folder)),
                "SVQ_SECRET_KEY": configured.SECRET_KEY,
            }
        )
        manage = [sys.executable, str(configured.BASE_DIR / "manage.py")]
        commands = (
            web_server.command("127.0.0.1", self.port),  # without `manage.py web`, which collects files
            [*manage, "worker", "--queue=agent", "--queue=ingest", "--queue=upkeep"],
        )
        with self.log.open("wb") as log:
            self.processes = [
                subprocess.Popen(command, cwd=configured.BASE_DIR, env=environment, stderr=log)
                for command in commands
            ]

    def is_up(self) -> bool:
        assert all(process.poll() is None for process in self.processes), self.log.read_text()
        try:
            told = httpx.get(f"http://127.0.0.1:{self.port}/healthz", timeout=5).json()
        except httpx.TransportError:
            return False
        return bool(told["worker"] == "ok")

    def end(self) -> None:
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def test_upload_reading_question_and_events(
    addresses: dict[str, str], tmp_path: Path, alice: User, contracts: Datasource
) -> None:
    site = Site(tmp_path, addresses)
    try:
        wait_until(site.is_up, "the site", state=site.log.read_text)
        headers = {"Authorization": f"Bearer {AccessToken.for_user(alice)}"}
        with httpx.Client(
            base_url=f"http://127.0.0.1:{site.port}", headers=headers, timeout=PATIENCE
        ) as client:
            text = b"Backups are kept for thirty days in a second region.\n"
            sent = client.post(
                f"/api/v1/data-sources/{contracts.pk}/documents", files={"files": ("a.txt", io.BytesIO(text))}
            )
            assert sent.status_code in (200, 201, 202), sent.text
            wait_until(
                lambda: statuses(client, contracts) == ["ready"], "the document", state=site.log.read_text
            )
            asked = client.post(
                f"/api/v1/data-sources/{contracts.pk}/ask", json={"question": "How long are backups kept?"}
            )
            assert asked.status_code in (200, 201, 202), asked.text
            turn = asked.json()["id"]
            kinds = list(events_of(client, f"turn:{turn}"))
            assert kinds[-1] == ("turn_finished", len(kinds))
            assert [seq for _, seq in kinds] == list(range(1, len(kinds) + 1))
            assert "thirty days" in client.get(f"/api/v1/turns/{turn}").json()["answer"]
    finally:
        site.end()
    assert "Traceback" not in site.log.read_text()


def statuses(client: httpx.Client, datasource: Datasource) -> list[str]:
    listed = client.get(f"/api/v1/data-sources/{datasource.pk}/documents").json()
    return [document["status"] for document in listed["results"]]


def events_of(client: httpx.Client, channel: str) -> Iterator[tuple[str, int]]:
    """Until the stream's clean end: the kind and number of each event."""
    with client.stream("GET", "/events/", params={"channel": channel}) as response:
        kind = ""
        for line in response.iter_lines():
            name, _, value = line.partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                yield kind, json.loads(value)["seq"]
