"""`manage.py doctor`, GET /healthz, the check of the database, and accounts made on the command line."""

import contextlib
import io
import json
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.db import connection as the_database
from django.test import Client
from procrastinate.contrib.django import connector_params

from accounts.models import User
from datasources.models import Datasource, Deletion, Document
from datasources.storage import stored_files
from datasources.storage.files import derived_folder, documents_storage
from ingestion.lifecycle.purging import purge
from providers.embedders import embedder
from svq_site.host import disk
from svq_site.host.checks import vector_extension, vector_problems
from svq_site.host.health import UPKEEP_QUEUES, worker_name
from tests.factories import make_document
from tests.openai_server import MODEL, ScriptedOpenAI
from tests.processes import free_port

pytestmark = pytest.mark.django_db


@contextmanager
def listening(*queues: str) -> Iterator[None]:
    """A worker's connection, as the database sees it."""
    with psycopg.connect(**connector_params() | {"application_name": worker_name(queues)}) as connection:
        connection.execute("SELECT 1")
        yield


def examined() -> tuple[dict[str, dict[str, Any]], int]:
    """The findings by subject, and the exit status."""
    out, status = io.StringIO(), 0
    try:
        call_command("doctor", "--json", stdout=out)
    except SystemExit as end:
        status = int(str(end.code))
    return {finding["subject"]: finding for finding in json.loads(out.getvalue())}, status


def test_all_is_well_with_workers_and_a_model_server(settings):
    settings.LLM_MODEL = MODEL
    embedder().embed(["Ready?"])  # in a fresh checkout that takes longer than a silent worker counts as alive
    with ScriptedOpenAI() as server, listening("agent"), listening("ingest", *UPKEEP_QUEUES):
        settings.LLM_BASE_URL = server.base_url
        findings, status = examined()
    assert {subject for subject, finding in findings.items() if not finding["ok"]} == set()
    assert status == 0
    assert list(findings) == [
        "database",
        "tables",
        "database server",
        "pooler",
        "database log",
        "extension",
        "desks",
        "storage",
        "orphaned files",
        "missing files",
        "deletions",
        "embedding model",
        "vectors",
        "chat model",
        "worker",
        "LibreOffice",
        "Tesseract",
        "OCR server",
        "data folder",
        "sign-in providers",
        "disk",
        "proxies",
        "open files",
        "reader: limits",
        "reader: network",
        "reader: capabilities",
        "reader: privileges",
        "reader: files",
        "reader: system calls",
        "reader: attempts",
    ]


def test_a_missing_worker_is_named_with_its_remedy():
    with listening("agent"):
        findings, status = examined()
    assert status == 1
    assert "ingest" in findings["worker"]["detail"]
    assert "agent" not in findings["worker"]["detail"]
    assert "make run" in findings["worker"]["advice"]


def test_a_model_server_that_is_away_or_lacks_the_model(settings):
    settings.LLM_MODEL = "another"
    settings.LLM_BASE_URL = f"http://127.0.0.1:{free_port()}/v1"
    assert "SVQ_LLM_BASE_URL" in examined()[0]["chat model"]["advice"]
    with ScriptedOpenAI() as server:
        settings.LLM_BASE_URL = server.base_url
        finding = examined()[0]["chat model"]
    assert not finding["ok"]
    assert "SVQ_LLM_MODEL" in finding["advice"]


def test_a_storage_that_cannot_be_written(settings, tmp_path):
    (tmp_path / "file").touch()
    settings.STORAGES = {
        **settings.STORAGES,
        "documents": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path / "file"},
        },
    }
    finding = examined()[0]["storage"]
    assert not finding["ok"]
    assert "SVQ_DATA_DIR" in finding["advice"]


def test_a_full_disk(monkeypatch):
    monkeypatch.setattr(disk, "free", lambda: disk.LEAST - 1)
    findings, status = examined()
    assert not findings["disk"]["ok"]
    assert status == 1


def test_a_proxy_that_nobody_named(settings):
    assert examined()[0]["proxies"]["ok"]
    settings.HTTPS = True
    told = examined()[0]["proxies"]
    assert not told["ok"]
    assert "SVQ_TRUSTED_PROXIES" in told["advice"]
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    assert examined()[0]["proxies"]["detail"] == "10.0.0.0/8"


def test_settings_of_a_database_that_let_words_into_its_log_are_named():
    findings, _ = examined()
    assert findings["database log"]["items"] == [], "the embedded server keeps them out"
    with the_database.cursor() as cursor:
        cursor.execute("SET log_min_messages = 'warning'")
        cursor.execute("SET log_min_duration_statement = '2s'")
    findings, _ = examined()
    assert [item.partition(";")[0] for item in findings["database log"]["items"]] == [
        "log_min_messages = warning",
        "log_min_duration_statement = 2000",
    ]
    assert findings["database log"]["ok"], "a server of other people's choice is no failure"
    assert "ALTER ROLE" in findings["database log"]["advice"]


def test_the_report_for_people_says_what_to_do():
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    assert re.search(r"^ok +database +Postgres \d+", out.getvalue(), re.MULTILINE)
    assert re.search(r"^FAILED +worker .*\n +Start everything", out.getvalue(), re.MULTILINE)


def test_this_database_passes_the_check():
    assert vector_extension(databases=["default"]) == []


@pytest.mark.parametrize(
    ("row", "word"),
    [
        (None, "no extension"),
        (("0.7.4", True, True), "0.7.4"),
        (("0.8.0", False, False), "may not create"),
    ],
)
def test_an_unfit_database_is_told_apart(row, word):
    ((problem, hint),) = vector_problems(row)
    assert word in problem
    assert hint
    assert vector_problems(("0.10.1", False, True)) == []


@pytest.mark.usefixtures("_model_prepared")
class TestHealthz:
    def test_ready(self, client: Client) -> None:
        with listening("agent", "ingest", *UPKEEP_QUEUES):
            answer = client.get("/healthz")
        assert answer.status_code == 200
        assert answer.json() == dict.fromkeys(
            [
                "status",
                "web",
                "pages",
                "connections",
                "model",
                "language_model",
                "database",
                "worker",
                "upkeep",
                "disk",
            ],
            "ok",
        )

    def test_without_upkeep_questions_are_answered(self, client: Client) -> None:
        with listening("agent"), listening("ingest", "upkeep"):
            answer = client.get("/healthz")
        assert answer.status_code == 200
        assert answer.json()["upkeep"] == "none for runs and heavy"

    def test_without_worker(self, client: Client) -> None:
        with listening("agent"):
            answer = client.get("/healthz")
        assert answer.status_code == 503
        assert answer.json()["worker"] == "none for ingest"
        assert answer.json()["database"] == "ok"

    def test_a_database_that_accepts_and_stays_silent(self, client: Client, monkeypatch) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            monkeypatch.setattr(
                "svq_site.host.health.connector_params",
                lambda: {"host": "127.0.0.1", "port": port, "dbname": "svq"},
            )
            answer = client.get("/healthz")
        assert answer.status_code == 503
        assert answer.json()["database"] == "does not answer"


@pytest.fixture
def _model_prepared(settings, tmp_path):
    (tmp_path / "made.onnx").touch()
    settings.MODELS_DIR = tmp_path


def test_pages_without_their_files_are_not_ready(client, settings, tmp_path):
    collected = {"BACKEND": "svq_site.host.static_files.CollectedStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": collected}
    settings.STATIC_ROOT = tmp_path
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["pages"] == "their files are not collected: start the server with manage.py web"


def test_an_unprepared_model_is_not_ready(client, settings, tmp_path):
    settings.MODELS_DIR = tmp_path
    with listening("agent", "ingest"):
        answer = client.get("/healthz")
    assert answer.status_code == 503
    assert "model" in answer.json()["model"]


def made(*arguments: str) -> tuple[str, str]:
    """E-mail and password that `make_account` printed."""
    out = io.StringIO()
    call_command("make_account", *arguments, stdout=out)
    found = re.search(r"as (\S+) with the password (\S+)", out.getvalue())
    assert found
    return found[1], found[2]


def test_make_account_and_reset():
    email, password = made("dana@example.org")
    dana = User.objects.get(email=email)
    assert dana.check_password(password)
    assert not dana.is_superuser
    with pytest.raises(CommandError, match="--reset"):
        made("dana@example.org")
    _, newer = made("DANA@example.org", "--reset", "--admin")
    dana.refresh_from_db()
    assert dana.check_password(newer)
    assert not dana.check_password(password)
    assert dana.is_superuser


def test_accounts_that_cannot_be():
    with pytest.raises(CommandError, match="valid email"):
        made("dana")
    with pytest.raises(CommandError, match="no account"):
        made("nobody@example.org", "--reset")


# --- files and rows --------------------------------------------------------------------------------------
def make_old(path: Path) -> None:
    """As if it had been written two hours ago."""
    then = time.time() - 7200
    os.utime(path, (then, then))


def test_files_without_a_row_are_listed_and_deleted_on_request(contracts: Datasource, settings: Any) -> None:
    document = make_document(contracts)
    storage = documents_storage()
    orphan, young = (storage.save(f"{contracts.pk}/{name}", ContentFile(b"x")) for name in ("old", "young"))
    make_old(Path(storage.path(orphan)))
    make_old(Path(document.file.path))
    folder = derived_folder("ab" * 32)
    folder.mkdir(parents=True)
    (folder / "page.webp").write_bytes(b"x")
    findings, _ = examined()
    finding = findings["orphaned files"]
    assert (finding["ok"], finding["items"]) == (False, [orphan, str(folder)])
    assert "--delete-orphans" in finding["advice"]
    with contextlib.suppress(SystemExit):
        call_command("doctor", "--delete-orphans", stdout=io.StringIO())
    assert examined()[0]["orphaned files"]["ok"]
    assert not folder.exists()
    assert [storage.exists(name) for name in (orphan, young, str(document.file.name))] == [False, True, True]


def test_files_that_wait_to_be_deleted_are_no_orphans(contracts: Datasource) -> None:
    document = make_document(contracts)
    make_old(Path(document.file.path))
    purge(document)
    assert examined()[0]["orphaned files"]["ok"]


def test_documents_without_a_file_are_listed(contracts: Datasource) -> None:
    present, lost = make_document(contracts), make_document(contracts, "Lease", "b")
    Path(lost.file.path).unlink()
    finding = examined()[0]["missing files"]
    assert (finding["ok"], finding["items"]) == (False, [f"{lost.pk}: Lease"])
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    assert f"{lost.pk}: Lease" in out.getvalue()
    assert present.title not in out.getvalue()


def test_a_deletion_that_does_not_come_to_its_end_is_told(contracts: Datasource) -> None:
    purge(make_document(contracts))
    assert examined()[0]["deletions"]["ok"]
    Deletion.objects.update(requested="2020-01-01T00:00:00Z")
    finding = examined()[0]["deletions"]
    assert not finding["ok"]
    assert finding["items"] == ["Questionnaire, deleted 2020-01-01 00:00"]


def test_a_file_that_goes_while_the_storage_is_examined_is_no_orphan(
    contracts: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_files, "stored_names", lambda: iter([f"{contracts.pk}/gone"]))
    assert examined()[0]["orphaned files"]["ok"]


def test_what_a_deletion_takes_over_while_the_storage_is_examined_is_no_orphan(
    contracts: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = make_document(contracts)
    monkeypatch.setattr(stored_files, "UNDER_WAY", -timedelta(hours=1))
    unused = stored_files.unused

    def after_a_purge(names: list[str]) -> set[str]:
        if Document.objects.exists():
            purge(document)
        return unused(names)

    monkeypatch.setattr(stored_files, "unused", after_a_purge)
    assert examined()[0]["orphaned files"]["ok"]
