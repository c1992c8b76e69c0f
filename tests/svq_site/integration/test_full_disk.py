"""A full disk: what people and programs read, that nothing is left of what came too late, and the warning."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client

from accounts.models import User
from datasources.models import Datasource, Document
from datasources.storage.errors import is_full
from svq_site.host import disk, doctor
from tests.people import browser_of
from tests.processes import url_of_test_database
from tests.rest import Api

ROOT = Path(__file__).resolve().parents[3]
SAFE = "What was stored before is safe"


class Full(FileSystemStorage):
    """A disk on which there is no space after the first block of a file."""

    error = errno.ENOSPC

    def _save(self, name: str, content: Any) -> str:
        super()._save(name, ContentFile(content.read(10)))  # type: ignore[misc]
        raise OSError(self.error, os.strerror(self.error))


@pytest.fixture(params=[errno.ENOSPC, errno.EDQUOT])
def full(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the files."""
    storage = Full(location=tmp_path / "full")
    storage.error = request.param
    monkeypatch.setattr(Document._meta.get_field("file"), "storage", storage)
    return tmp_path / "full"


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def text_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("notes.txt", b"Rent is due on the first of each month.")


def browser(user: User) -> Client:
    client = browser_of(user)
    client.raise_request_exception = False
    return client


def test_a_page_says_so_and_nothing_is_left(contracts: Datasource, alice: User, full: Path) -> None:
    page = browser(alice).post(f"/d/{contracts.pk}/upload/", {"files": [text_file()]})
    assert page.status_code == 507
    assert SAFE in page.content.decode()
    assert not contracts.documents.exists()
    assert not files_in(full)


def test_a_script_gets_the_words(contracts: Datasource, alice: User, full: Path) -> None:
    answer = browser(alice).post(
        f"/d/{contracts.pk}/upload/", {"files": [text_file()]}, headers={"HX-Request": "true"}
    )
    assert (answer.status_code, answer["Content-Type"]) == (507, "text/plain; charset=utf-8")
    assert SAFE in answer.content.decode()
    assert not files_in(full)


def test_a_program_gets_the_code(contracts: Datasource, alice: User, full: Path) -> None:
    api = Api(alice)
    api.client.raise_request_exception = False
    answer = api.client.post(
        f"/api/v1/data-sources/{contracts.pk}/documents", {"files": [text_file()]}, headers=api.headers
    )
    assert (answer.status_code, answer.json()["code"]) == (507, "disk_full")
    assert not files_in(full)


def test_postgres_on_a_full_disk_stores_nothing(
    contracts: Datasource, alice: User, settings: Any, tmp_path: Path
) -> None:
    def no_space(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("INSERT"):
            reason = psycopg.errors.DiskFull("could not extend file: No space left on device")
            raise OperationalError(*reason.args) from reason
        return execute(sql, *rest)

    client = browser(alice)
    with connection.execute_wrapper(no_space):
        page = client.post(f"/d/{contracts.pk}/upload/", {"files": [text_file()]})
    assert page.status_code == 507
    assert not contracts.documents.exists()
    assert not files_in(tmp_path / "documents")


def test_other_errors_of_a_disk_and_of_the_database_are_not_taken_for_it() -> None:
    assert not is_full(OSError(errno.EIO, "Input/output error"))
    assert not is_full(OperationalError("the connection is closed"))
    assert not is_full(None)


@pytest.mark.django_db(transaction=True)
def test_on_a_file_system_that_is_really_full(contracts: Datasource, tmp_path: Path) -> None:
    private = ["unshare", "--user", "--map-root-user", "--mount"]
    if not shutil.which("unshare") or subprocess.run([*private, "true"], check=False).returncode:
        pytest.skip("this machine lets nobody mount a file system of their own")
    folder = tmp_path / "full"
    folder.mkdir()
    command = [sys.executable, "-m", "tests.svq_site.full_disk", str(folder), str(contracts.pk)]
    environment = os.environ | {"DATABASE_URL": url_of_test_database()}
    ended = subprocess.run(
        [*private, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    assert [(status, SAFE in words) for status, _, words in told["answers"]] == [(507, True)] * 3
    assert told["left"] == []
    assert not contracts.documents.exists()


def test_health_and_doctor_warn_before(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "free", lambda: 2 * disk.LEAST)
    assert client.get("/healthz").json()["disk"] == "only 2.0 GB free in the data folder"
    finding = doctor.disk_space()
    assert finding.ok
    assert "Free some space soon" in finding.advice
    monkeypatch.setattr(disk, "free", lambda: 20 * disk.LEAST)
    assert client.get("/healthz").json()["disk"] == "ok"
    assert not doctor.disk_space().advice
