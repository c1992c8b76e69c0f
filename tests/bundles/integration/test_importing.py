"""Bundles on their way in: by REST and on the page, and what is left when the process is killed."""

import json
import os
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as configured
from django.core.files import File
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts import quotas
from accounts.models import AuditEntry, UsageKind, User
from datasources.models import Datasource
from datasources.storage.files import documents_storage
from datasources.storage.stored_files import orphans, stored_names
from exchange.bundles import adding, importing, services
from exchange.bundles.errors import BundleError
from exchange.bundles.models import BundleImport, ImportStatus
from tests.bundles.made import bundle_of
from tests.factories import make_document
from tests.people import browser_of
from tests.processes import url_of_test_database
from tests.responses import joined, text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bundle(contracts: Datasource, tmp_path: Path) -> Path:
    make_document(contracts)
    return bundle_of(contracts, tmp_path / "contracts.zip")


def test_out_and_in_by_rest(contracts: Datasource, alice: User, bob: User, charlie: User, work: Any) -> None:
    make_document(contracts)
    address = f"/api/v1/data-sources/{contracts.pk}/bundle"
    assert browser_of(bob).get(address).status_code == 403
    assert browser_of(charlie).get(address).status_code == 404
    given = browser_of(alice).get(address)
    assert given["Content-Disposition"] == 'attachment; filename="Contracts.zip"'
    file = SimpleUploadedFile("contracts.zip", async_to_sync(joined)(given))
    theirs = browser_of(charlie)
    begun = theirs.post("/api/v1/bundle-imports", {"file": file})
    assert begun.status_code == 202
    assert begun.json()["status"] == "queued"
    state = f"/api/v1/bundle-imports/{begun.json()['id']}"
    assert browser_of(alice).get(state).status_code == 404
    work()
    ended = theirs.get(state).json()
    assert (ended["status"], ended["error"], ended["notices"]) == ("done", None, [])
    there = Datasource.objects.get(pk=ended["datasource"])
    assert there.owner == charlie
    assert not [name for name in stored_names() if name.startswith("imports/")]
    acts = AuditEntry.objects.filter(address__contains="bundle").order_by("pk")
    assert [(entry.email, entry.act) for entry in acts] == [(alice.email, "took"), (charlie.email, "added")]


def test_what_is_refused_says_why_and_leaves_nothing(charlie: User, work: Any) -> None:
    theirs = browser_of(charlie)
    no_zip = theirs.post("/api/v1/bundle-imports", {"file": SimpleUploadedFile("a.zip", b"a letter")})
    assert no_zip.status_code == 400
    assert "was not exported by SVQ" in no_zip.content.decode()
    begun = theirs.post(
        "/api/v1/bundle-imports", {"file": SimpleUploadedFile("b.zip", b"PK, but no bundle" * 9)}
    )
    work()
    ended = theirs.get(f"/api/v1/bundle-imports/{begun.json()['id']}").json()
    assert ended["status"] == "failed"
    assert "The file has no end" in ended["error"]["message"]
    assert not list(stored_names())
    page = theirs.get("/bundles/").content.decode()
    assert "Copy or download the exported file again" in page
    assert "</svg>Failed</span>" in page
    assert 'hx-trigger="every 2s"' not in page


def test_another_zip_is_told_from_a_file_that_was_cut_off(
    bundle: Path, charlie: User, tmp_path: Path
) -> None:
    other = tmp_path / "pack.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("answer.html", "An answer. " * 30)
    with pytest.raises(BundleError, match="is whole, but SVQ has not exported it"):
        services.take_in(charlie, other)
    bundle.write_bytes(bundle.read_bytes()[:900])
    with pytest.raises(BundleError, match="cut off on its way"):
        services.take_in(charlie, bundle)


def test_that_an_hour_is_used_up_is_told_in_the_readers_language(
    bundle: Path, charlie: User, settings: Any, work: Any
) -> None:
    settings.DOCUMENTS_PER_HOUR = 1
    with transaction.atomic():
        quotas.use(charlie, {UsageKind.DOCUMENTS: 1})
    theirs = browser_of(charlie)
    with bundle.open("rb") as file:
        theirs.post("/bundles/", {"file": file})
    work()
    page = text_of(theirs.get("/bundles/state", headers={"accept-language": "de"}))
    assert "Die Grenze liegt bei 1 Dokument in einer Stunde, und Sie haben 1 hinzugefügt." in page


def test_the_page_shows_the_way_in_and_the_settings_the_way_out(
    bundle: Path, contracts: Datasource, alice: User, bob: User, charlie: User, work: Any
) -> None:
    settings = f"/d/{contracts.pk}/settings/webhooks/"
    assert "Export it as one file" in browser_of(alice).get(settings).content.decode()
    assert "Export it as one file" not in browser_of(bob).get(settings).content.decode()
    theirs = browser_of(charlie)
    assert "/bundles/" in theirs.get("/new").content.decode() or "/bundles/" in new_page(theirs)
    with bundle.open("rb") as file:
        assert theirs.post("/bundles/", {"file": file}).status_code == 302
    assert 'hx-trigger="every 2s"' in theirs.get("/bundles/state").content.decode()
    work()
    row = BundleImport.objects.get()
    assert f"/d/{row.datasource_id}/" in theirs.get("/bundles/").content.decode()


def new_page(client: Client) -> str:
    from django.urls import reverse

    return client.get(reverse("new_datasource")).content.decode()


def kill_import(place: list[str], **environment: str) -> None:
    around = os.environ | {"DATABASE_URL": url_of_test_database(), **environment}
    child = [sys.executable, "-m", "tests.killed", *place]
    ended = subprocess.run(child, cwd=configured.BASE_DIR, env=around, check=False)
    assert ended.returncode == -signal.SIGKILL


def test_an_import_that_was_killed_shows_nothing_and_is_taken_up_again(
    bundle: Path, contracts: Datasource, charlie: User, settings: Any
) -> None:
    before = set(stored_names())
    with bundle.open("rb") as file:
        row = services.hand_over(charlie, "contracts.zip", file)
    documents = str(documents_storage().path(""))
    kill_import(
        ["exchange.bundles.importing", "_Writing._index_words", "before"],
        SVQ_DATA_DIR=str(Path(documents).parent),
    )
    assert list(Datasource.objects.all()) == [contracts]
    row.refresh_from_db()
    assert row.is_unfinished
    assert len(set(stored_names()) - before) == 2  # the bundle, and its one original
    services.run_import(str(row.pk))
    row.refresh_from_db()
    assert row.status == ImportStatus.DONE
    assert row.datasource
    assert row.datasource.documents.count() == contracts.documents.count()
    assert len(set(stored_names()) - before) == 1


def test_what_a_killed_command_has_left_is_removed(
    bundle: Path, contracts: Datasource, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(stored_names())
    documents = str(documents_storage().path(""))
    kill_import(
        ["exchange.bundles.importing", "_Writing._index_words", "before"],
        SVQ_DATA_DIR=str(Path(documents).parent),
        COMMAND=json.dumps(["import_bundle", str(bundle), "--owner", charlie.email]),
    )
    assert list(Datasource.objects.all()) == [contracts]
    assert len(set(stored_names()) - before) == 1
    services.tidy()
    assert BundleImport.objects.exists()  # it may still be at work
    monkeypatch.setattr(services, "LEFT_AFTER", services.LEFT_AFTER * 0)
    services.tidy()
    assert not BundleImport.objects.exists()
    assert set(stored_names()) == before
    assert orphans() == []


def test_an_import_whose_job_was_lost_ends_with_words(bundle: Path, charlie: User) -> None:
    """As when it has taken all the memory of its worker."""
    before = set(stored_names())
    with bundle.open("rb") as file:
        row = services.hand_over(charlie, "contracts.zip", file)
    services.tidy()
    row.refresh_from_db()
    assert row.status == ImportStatus.QUEUED
    ProcrastinateJob.objects.all().delete()
    services.tidy()
    row.refresh_from_db()
    assert (row.status, row.error_code) == (ImportStatus.FAILED, "gave_up")
    assert set(stored_names()) == before


def test_an_upload_that_was_killed_before_its_row_was_written_is_removed(
    bundle: Path, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bundle.open("rb") as file:
        services.hand_over(charlie, "known.zip", file)
    before = set(stored_names())
    with bundle.open("rb") as file:
        documents_storage().save(f"{services.FOLDER}/{uuid4().hex}", File(file))
    assert len(set(stored_names()) - before) == 1
    services.tidy()
    assert len(set(stored_names()) - before) == 1  # its row may still come
    monkeypatch.setattr(services, "LEFT_AFTER", services.LEFT_AFTER * 0)
    services.tidy()
    assert set(stored_names()) == before


def test_documents_into_a_datasource_that_is_there(
    bundle: Path, contracts: Datasource, charlie: User, capsys: Any
) -> None:
    said = {"title": "Renamed by hand", "description": "Signed in May", "metadata": {"tags": ["Lease"]}}
    contracts.documents.update(**said)
    again = bundle_of(contracts, bundle.with_name("again.zip"))
    other = Datasource.objects.create(owner=charlie, name="Other")
    call_command("import_bundle", again, into=str(other.pk))
    assert re.search(r"1 document added, 0 were there", capsys.readouterr().out)
    added = other.documents.get()
    assert (added.title, added.description, added.tags) == ("Renamed by hand", "Signed in May", ["Lease"])
    assert added.status == "queued"
    call_command("import_bundle", again, into="Other")
    assert "0 documents added, 1 were there" in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no datasource “Nothing”"):
        call_command("import_bundle", again, into="Nothing")


# --- at once, and meanwhile ------------------------------------------------------------------------------
def at_once(does: Callable[[], Any]) -> list[Any]:
    """What each of two threads gives that begin at the same moment."""
    both = Barrier(2)

    def one() -> Any:
        try:
            both.wait(10)
            return does()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        return [begun.result() for begun in [threads.submit(one), threads.submit(one)]]


def test_two_commands_at_once_make_two_whole_datasources(bundle: Path, charlie: User) -> None:
    made = [row.datasource for row in at_once(lambda: services.take_in(charlie, bundle))]
    assert sorted(datasource.name for datasource in made) == ["Contracts", "Contracts (2)"]
    for datasource in made:
        document = datasource.documents.get()
        assert (document.chunks.count(), document.pages.count()) == (1, 1)
        assert documents_storage().exists(document.file.name)


def test_two_commands_at_once_into_the_same_datasource_double_nothing(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    make_document(contracts, "Second", "Tapes are burnt.")
    again = bundle_of(contracts, bundle.with_name("two.zip"))
    before = set(stored_names())
    other = Datasource.objects.create(owner=charlie, name="Other")
    added = at_once(lambda: adding.add_documents(other, None, again))
    assert sorted(other.documents.values_list("title", flat=True)) == ["Questionnaire", "Second"]
    assert sum(each.new for each in added) == sum(each.known for each in added) == 2
    assert len(set(stored_names()) - before) == 2
    assert orphans() == []


@pytest.mark.parametrize("at", ["before it begins", "while it is stored"])
@pytest.mark.parametrize("goes", ["shut off", "deleted"])
def test_an_import_of_somebody_who_is_gone_stores_nothing(
    at: str, goes: str, bundle: Path, contracts: Datasource, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(stored_names())
    with bundle.open("rb") as file:
        row = services.hand_over(charlie, "contracts.zip", file)
    store = importing.store_originals

    def go() -> None:
        if goes == "deleted":
            User.objects.get(pk=charlie.pk).delete()
        else:
            User.objects.filter(pk=charlie.pk).update(is_active=False)

    def stored(*given: Any) -> dict[str, str]:
        names = store(*given)
        go()
        return names

    if at == "before it begins":
        go()
    else:
        monkeypatch.setattr(importing, "store_originals", stored)
    services.run_import(str(row.pk))
    assert list(Datasource.objects.all()) == [contracts]
    if goes == "shut off":
        row.refresh_from_db()
        assert row.status == ImportStatus.FAILED
        assert row.error
        assert "is switched off" in row.error["message"]
    services.tidy()
    monkeypatch.setattr(services, "LEFT_AFTER", services.LEFT_AFTER * 0)
    services.tidy()
    assert set(stored_names()) == before


def test_a_command_takes_nothing_in_for_an_account_that_is_shut_off(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    User.objects.filter(pk=charlie.pk).update(is_active=False)
    with pytest.raises(CommandError, match="is switched off"):
        call_command("import_bundle", bundle, owner=charlie.email)
    assert list(Datasource.objects.all()) == [contracts]
