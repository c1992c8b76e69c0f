"""The restore drill: what was backed up while others wrote is all there on another host."""

import io
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings as configured
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings

from accounts.models import User
from chat.models import Turn
from chat.services import ask
from datasources.models import Datasource, Document
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.purging import purge
from ingestion.models import Chunk
from providers.local_models import store as local_models
from svq_site.backup import database, files, making, restoring, store
from svq_site.backup.checking import check
from svq_site.backup.errors import BackupError
from svq_site.backup.making import back_up
from svq_site.backup.restoring import restore
from svq_site.host import doctor
from tests.conftest import documents_kept_in, run_jobs
from tests.database import connected_to, empty_database
from tests.factories import SAMPLE, make_document
from tests.processes import url_of_test_database, with_models

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "How long are backups kept?"
WORDS = "correct horse battery"


@contextmanager
def another_host(tmp_path: Path) -> Iterator[Path]:
    """An empty one: a database, a data folder, a storage."""
    folder = tmp_path / "another"
    folder.mkdir()
    (folder / "secret_key").write_text("made by the first command")
    places = override_settings(DATA_DIR=folder, MODELS_DIR=folder / "models", CACHE_DIR=folder / "cache")
    field: Any = Document._meta.get_field("file")
    storage = field.storage
    try:
        with empty_database() as name, connected_to(name), places, documents_kept_in(folder / "documents"):
            forget_what_is_cached()
            yield folder
    finally:
        field.storage = storage
        forget_what_is_cached()


def forget_what_is_cached() -> None:
    cache.clear()
    ContentType.objects.clear_cache()


def upload(datasource: Datasource, name: str, text: str) -> Document:
    content = io.BytesIO(text.encode())
    return accept_upload(datasource, datasource.owner, name, content)[0].document


def beside(act: Any) -> None:
    """In another thread, as another process would: with a connection of its own."""

    def closing() -> None:
        try:
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(closing).result()


def quotes(turn: Turn) -> list[tuple[Any, ...]]:
    """With their places in the document and on its pages."""
    return list(
        turn.citations.order_by("n").values_list("quote", "document__title", "start", "end", "pages", "boxes")
    )


def test_a_backup_under_writes_is_all_there_on_another_host(
    tmp_path: Path, contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random()
    accept_upload(contracts, alice, SAMPLE.name, io.BytesIO(SAMPLE.read_bytes()))
    for number in range(3):
        amount = chance.randrange(1_000, 9_000)
        upload(contracts, f"note-{number}.txt", f"The fee of contract {number} is {amount} euros a year.\n")
    run_jobs()
    asked = ask(alice, contracts, QUESTION)
    run_jobs()
    answered = quotes(asked)
    assert answered
    real = database.snapshot
    moments: list[database.Snapshot] = []

    @contextmanager
    def snapshot() -> Iterator[Any]:
        """Others write before and after each moment."""
        number = len(moments)
        if number == 0:
            upload(contracts, "just-in-time.txt", "Added before the moment.")
            going = upload(contracts, "going.txt", "Deleted after the first moment, with its file.")
        with real() as moment:
            moments.append(moment)
            beside(lambda: upload(contracts, f"late-{number}.txt", f"Added after moment {number}."))
            if number == 0:
                beside(lambda: purge(going))
                beside(lambda: run_jobs("upkeep"))
            yield moment

    monkeypatch.setattr(database, "snapshot", snapshot)
    monkeypatch.setenv("SVQ_BACKUP_PASSPHRASE", WORDS)
    folder, said = tmp_path / "backup", io.StringIO()
    call_command("backup", folder, stdout=said)
    assert len(moments) == 2  # in the first one a file was missing
    assert "had been lost" not in said.getvalue()
    key = (configured.DATA_DIR / "secret_key").read_text()
    chunks = Chunk.objects.exclude(document__filename="late-1.txt").count()
    with another_host(tmp_path) as there:
        said = io.StringIO()
        call_command("restore", folder, stdout=said)
        assert "as they were backed up" in said.getvalue()
        assert (there / "secret_key").read_text() == key
        assert (there / "secret_key").stat().st_mode & 0o777 == 0o600
        names = set(Document.objects.values_list("filename", flat=True))
        assert {"just-in-time.txt", "note-0.txt", "note-1.txt", "note-2.txt", SAMPLE.name} <= names
        assert not {"going.txt", "late-1.txt"} & names
        assert Chunk.objects.count() == chunks
        for document in Document.objects.all():
            with document.file.open() as file:
                assert len(file.read()) == document.size
        for examine in (doctor.database, doctor.tables, doctor.missing_files, doctor.orphaned_files):
            assert examine().ok, examine()
        again = ask(User.objects.get(email=alice.email), Datasource.objects.get(), QUESTION, fresh=True)
        run_jobs()
        assert quotes(asked) == quotes(again) == answered
        assert not Document.objects.unfinished().exists()


def test_a_backup_that_was_killed_goes_on_and_copies_only_what_is_missing(
    tmp_path: Path, contracts: Datasource
) -> None:
    for number in range(5):
        make_document(contracts, f"Paper {number}")
    folder = tmp_path / "backup"
    data = with_models(tmp_path)
    environment = os.environ | {
        "DATABASE_URL": url_of_test_database(),
        "SVQ_DATA_DIR": str(data),
        "COMMAND": json.dumps(["backup", str(folder)]),
    }
    place = ["svq_site.backup.sealing", "Plain.seal", "before", "4"]
    child = [sys.executable, "-m", "tests.killed", *place]
    ended = subprocess.run(child, cwd=configured.BASE_DIR, env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    before = {path: path.stat().st_ino for path in (folder / "contents").rglob("*") if path.is_file()}
    assert len(before) == 3
    with pytest.raises(BackupError, match="no complete backup"):
        restore(folder)
    with pytest.raises(SystemExit):
        call_command("backup", folder, check=True)
    made = back_up(folder)
    assert made.copied == len(made.manifest.files) - 3
    assert {path: path.stat().st_ino for path in before} == before
    assert [each.damages for each in check(folder)] == [[]]
    assert back_up(folder).copied == 0


def test_a_host_that_is_in_use_is_not_restored_into(tmp_path: Path, contracts: Datasource) -> None:
    make_document(contracts)
    back_up(tmp_path / "backup")
    words = r"in use: .* 1 document.*Nothing was changed. Restore into an empty host: set SVQ_DATA_DIR"
    with pytest.raises(CommandError, match=words):
        call_command("restore", tmp_path / "backup")
    with another_host(tmp_path) as there:
        with pytest.raises(CommandError, match="nothing to back up"):
            call_command("backup", tmp_path / "of-nothing")
        (there / "documents" / "7").mkdir(parents=True)
        (there / "documents" / "7" / "somebody").write_bytes(b"else's")
        with pytest.raises(CommandError, match="holds 1 file that the backup does not have"):
            call_command("restore", tmp_path / "backup")
        assert connection.introspection.table_names() == []
        assert (there / "secret_key").read_text() == "made by the first command"


def test_nothing_is_written_of_a_damaged_backup(tmp_path: Path, contracts: Datasource) -> None:
    document = make_document(contracts)
    first = back_up(tmp_path / "backup")
    make_document(contracts, "Another")
    back_up(tmp_path / "backup")
    (damaged,) = (f for f in first.manifest.files if f.name == document.file.name)
    path = tmp_path / "backup" / "contents" / damaged.content[:2] / damaged.content
    path.write_bytes(path.read_bytes()[:-1])
    with another_host(tmp_path) as there:
        with pytest.raises(CommandError, match=r"is damaged.*Nothing was changed.*backup --check"):
            call_command("restore", tmp_path / "backup")
        assert not (there / "documents").exists()
        assert (there / "secret_key").read_text() == "made by the first command"
        assert connection.introspection.table_names() == []
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("backup", tmp_path / "backup", check=True, stdout=said)
    assert f"{path} is damaged" in said.getvalue()
    path.unlink()  # as it says
    assert back_up(tmp_path / "backup", keep=1).copied == 1
    assert [each.damages for each in check(tmp_path / "backup")] == [[]]


def test_a_restore_that_was_ended_in_the_middle_is_begun_again(
    tmp_path: Path, contracts: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = make_document(contracts)
    model = tmp_path / "models" / "installed" / "embedding" / "m--small@12345678"
    model.mkdir(parents=True)
    (model / "model.onnx").write_bytes(b"weights")
    with override_settings(MODELS_DIR=tmp_path / "models"):
        monkeypatch.setattr(local_models, "installed", lambda: [type("Model", (), {"folder": model})])
        back_up(tmp_path / "backup")
    with another_host(tmp_path) as there:
        real = store.Store.write

        def full(place: Any, content: Any, target: Any = None) -> None:
            if target is not None and content.size > 100_000:
                target.write(b"a part")
                raise OSError(28, "No space left on device")
            real(place, content, target)

        with monkeypatch.context() as patched:
            patched.setattr(store.Store, "write", full)
            with pytest.raises(CommandError, match=r"No space left.*run the same command again"):
                call_command("restore", tmp_path / "backup")
        assert connection.introspection.table_names() == []
        with monkeypatch.context() as patched:
            patched.setattr(restoring, "_compare", failing)
            with pytest.raises(CommandError, match="No space left"):  # behind the database
                call_command("restore", tmp_path / "backup")
        assert Document.objects.count() == 1
        call_command("restore", tmp_path / "backup")
        with pytest.raises(CommandError, match="in use"):  # it has come to its end
            call_command("restore", tmp_path / "backup")
        with Document.objects.get().file.open() as file:
            assert len(file.read()) == document.size
        key = configured.DATA_DIR / "secret_key"
        if key.exists():  # else there is none to restore
            assert (there / "secret_key").read_text() == key.read_text()
            assert (there / "secret_key.before-restore").read_text() == "made by the first command"
        restored = there / "models" / "installed" / model.parent.name / model.name / "model.onnx"
        assert restored.read_bytes() == b"weights"


def failing(*args: Any) -> None:
    raise OSError(28, "No space left on device")


def test_the_newest_backup_stays_whatever_clocks_said(tmp_path: Path, contracts: Datasource) -> None:
    folder = tmp_path / "backup"
    make_document(contracts)
    with patch.object(making.timezone, "now", lambda: datetime(2099, 1, 1, tzinfo=UTC)):
        back_up(folder)
    newest = back_up(folder, keep=1)
    assert [each.point.name for each in check(folder)] == [newest.point.name]
    assert [each.damages for each in check(folder)] == [[]]


def test_a_dump_that_broke_off_is_not_kept(tmp_path: Path, contracts: Datasource) -> None:
    folder = tmp_path / "backup"
    make_document(contracts)
    back_up(folder)
    before = sorted((folder / "contents").glob("*/*"))
    broken = tmp_path / "pg_dump"
    broken.write_text("#!/bin/sh\nprintf 'a half'\necho 'pg_dump: error: server went away' >&2\nexit 1\n")
    broken.chmod(0o755)
    program = SimpleNamespace(path=broken, major=17)
    with (
        patch.object(database.postgres_programs, "find", lambda *args: program),
        pytest.raises(BackupError, match=r"pg_dump has failed: server went away\. SVQ is unchanged"),
    ):
        back_up(folder)
    assert sorted((folder / "contents").glob("*/*")) == before


def test_an_older_backup_is_upgraded_and_a_newer_one_refused(
    tmp_path: Path, contracts: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_document(contracts)
    back_up(tmp_path / "as-it-is")
    recorder = MigrationRecorder(connection)
    try:
        recorder.record_applied("datasources", "9999_of_next_year")
        back_up(tmp_path / "newer")
    finally:
        recorder.record_unapplied("datasources", "9999_of_next_year")
    with another_host(tmp_path):
        with pytest.raises(CommandError, match=r"9999_of_next_year.*Nothing was changed"):
            call_command("restore", tmp_path / "newer")
        assert connection.introspection.table_names() == []
        with monkeypatch.context() as patched:
            patched.setattr(database, "server_version", lambda: 14)
            with pytest.raises(BackupError, match=r"this is Postgres 14\. Nothing was changed"):
                restore(tmp_path / "as-it-is")
        assert connection.introspection.table_names() == []
        restore(tmp_path / "as-it-is")
        before = len(database.migrations())
        call_command("migrate", "svq_site", "0001", verbosity=0)
        taken_back = before - len(database.migrations())
        back_up(tmp_path / "older")
    (tmp_path / "another").rename(tmp_path / "before")
    with another_host(tmp_path):
        assert restore(tmp_path / "older").upgraded == taken_back > 0
        assert doctor.tables().ok


def test_files_that_were_lost_before_are_told(tmp_path: Path, contracts: Datasource) -> None:
    document = make_document(contracts)
    document.file.storage.delete(str(document.file.name))
    said = io.StringIO()
    call_command("backup", tmp_path / "backup", stdout=said)
    assert "1 file of documents had been lost before" in said.getvalue()
    assert "this host's keys" in said.getvalue()
    assert files.secret_key_in_folder()
