"""Two people act on one document at the same moment, each on a connection of their own: nothing is undone."""

import io
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts import quotas
from accounts.models import UsageKind, User
from datasources import derived
from datasources.models import Datasource, Deletion, Document, DocumentStatus
from datasources.services import change_datasource, create_datasource
from datasources.storage.files import documents_storage
from ingestion.adding import allowance
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion
from ingestion.lifecycle.pausing import pause, resume
from ingestion.lifecycle.purging import purge, purge_datasource
from ingestion.lifecycle.retrying import cancel
from svq_site.people.handing_over import hand_over
from tests.factories import SAMPLE, make_document
from tests.people import browser_of
from tests.processes import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def meanwhile(act: Callable[[], object], then: Callable[[], object] = int) -> Iterator[None]:
    """Begin `act` on another connection while the block's transaction is open; it ends after the commit.

    then: what the transaction still does once `act` waits for it.
    """
    failures: list[BaseException] = []

    def run() -> None:
        try:
            act()
        except BaseException as failure:  # noqa: BLE001 - told below
            failures.append(failure)
        finally:
            connections.close_all()

    other = threading.Thread(target=run)
    with transaction.atomic():
        yield
        other.start()
        wait_for_lock(other)
        then()
    other.join(PATIENCE)
    assert not other.is_alive()
    assert not failures, failures


def wait_for_lock(other: threading.Thread) -> None:
    """Until another connection waits for this one, or has ended without."""
    end = time.monotonic() + PATIENCE
    while other.is_alive() and time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute(
                # Not from pg_stat_activity: within a transaction that stays as it was first seen.
                "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone():
                return
        time.sleep(0.02)


@pytest.fixture
def queued(contracts: Datasource) -> Document:
    """A queued document in a datasource whose reading is paused."""
    document = make_document(contracts, status=DocumentStatus.QUEUED)
    pause(contracts)
    return document


def test_resuming_does_not_undo_a_cancellation(queued: Document) -> None:
    with meanwhile(lambda: resume(queued.datasource)):
        cancel(queued)
    queued.refresh_from_db()
    assert queued.status == DocumentStatus.CANCELLED
    assert not ProcrastinateJob.objects.filter(task_name__endswith="ingest").exists()


def test_resuming_does_not_bring_a_deleted_document_back(queued: Document) -> None:
    with meanwhile(lambda: resume(queued.datasource)):
        purge(queued)
    assert not Document.objects.exists()


def test_resuming_waits_for_a_cancellation_and_keeps_the_other_documents(queued: Document) -> None:
    other = make_document(queued.datasource, "B", "b", status=DocumentStatus.QUEUED)
    with meanwhile(lambda: resume(queued.datasource)):
        cancel(queued)
    other.refresh_from_db()
    assert other.status == DocumentStatus.QUEUED
    assert other.job_id


def test_a_new_title_in_the_admin_does_not_undo_a_cancellation(queued: Document, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True, may_see_contents=True)
    client = browser_of(alice)
    address = reverse("admin:datasources_document_change", args=[queued.pk])
    with meanwhile(lambda: client.post(address, {"title": "Lease"})):
        cancel(queued)
    queued.refresh_from_db()
    assert (queued.title, queued.status) == ("Lease", DocumentStatus.CANCELLED)


def test_renaming_a_datasource_does_not_resume_its_reading(contracts: Datasource) -> None:
    with meanwhile(lambda: change_datasource(Datasource.objects.get(pk=contracts.pk), name="Leases")):
        pause(contracts)
    contracts.refresh_from_db()
    assert (contracts.name, contracts.paused) == ("Leases", True)


def test_an_undo_and_a_purge_at_the_same_moment_both_end(contracts: Datasource) -> None:
    document = make_document(contracts)
    deletion.delete(document)
    with meanwhile(lambda: purge(document)):
        assert deletion.restore_documents(contracts, [document.pk]).documents
    assert not Document.objects.exists()


def test_a_purge_before_an_undo_leaves_nothing_to_restore(contracts: Datasource) -> None:
    document = make_document(contracts)
    deletion.delete(document)
    refused: list[int] = []
    with meanwhile(lambda: refused.extend(deletion.restore_documents(contracts, [document.pk]).refused)):
        purge(document)
    assert refused == [document.pk]


@pytest.mark.parametrize("chosen", ["document", "datasource"])
def test_an_undo_that_has_just_locked_its_documents_does_not_cross_a_purge(
    contracts: Datasource, monkeypatch: pytest.MonkeyPatch, chosen: str
) -> None:
    document = make_document(contracts)
    deletion.delete(document)
    bring_back = deletion._bring_back
    purging = (lambda: purge(document)) if chosen == "document" else (lambda: purge_datasource(contracts))
    failures: list[BaseException] = []

    def purge_beside() -> None:
        try:
            purging()
        except BaseException as failure:  # noqa: BLE001 - told below
            failures.append(failure)
        finally:
            connections.close_all()

    other = threading.Thread(target=purge_beside)

    def stopped(*args: Any) -> None:
        other.start()
        wait_for_lock(other)
        bring_back(*args)

    monkeypatch.setattr(deletion, "_bring_back", stopped)
    deletion.restore(document)
    other.join(PATIENCE)
    assert not failures, failures
    assert not Document.objects.exists()


def test_a_file_that_comes_in_while_its_datasource_is_deleted_is_not_left_behind(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch, settings: Any, work: Any
) -> None:
    make_document(contracts)
    purge_derived = derived.purge_datasource
    same = Datasource.objects.get(pk=contracts.pk)
    ends: list[str] = []

    def upload() -> None:
        try:
            accept_upload(same, alice, "late.pdf", io.BytesIO(SAMPLE.read_bytes()))
        except ValidationError as failure:
            ends.append(str(failure.code))
        finally:
            connections.close_all()

    other = threading.Thread(target=upload)

    def meanwhile_uploaded(datasource: Datasource) -> None:
        other.start()
        wait_for_lock(other)
        purge_derived(datasource)

    monkeypatch.setattr(derived, "purge_datasource", meanwhile_uploaded)
    purge_datasource(contracts)
    other.join(PATIENCE)
    work()
    assert ends == ["datasource_gone"]
    assert Deletion.objects.get().completed
    assert [*Path(settings.STORAGES["documents"]["OPTIONS"]["location"]).rglob("*")] == []


def test_deleting_a_datasource_twice_at_the_same_moment_gives_one_receipt(contracts: Datasource) -> None:
    make_document(contracts)
    again = Datasource.objects.get(pk=contracts.pk)
    given: list[Deletion] = []
    with meanwhile(lambda: given.append(purge_datasource(again))):
        receipt = purge_datasource(contracts)
    assert given == [receipt]


def test_two_questions_at_once_never_use_the_same_rest(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.QUESTIONS_PER_HOUR = 1
    later = timedelta(0)
    monkeypatch.setattr(quotas.timezone, "now", lambda: datetime.now(UTC) + later)
    ends: list[str] = []

    def use() -> None:
        with transaction.atomic():
            quotas.use(alice, {UsageKind.QUESTIONS: 1})

    def second() -> None:
        try:
            use()
        except quotas.QuotaUsedUp:
            ends.append("used up")

    with meanwhile(second):
        use()
        later = timedelta(minutes=1)  # beyond the full minute, on another row
    assert ends == ["used up"]


def test_two_files_at_once_do_not_share_the_last_place(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.MAX_DATASOURCE_DOCUMENTS = 1
    ends: list[str] = []

    def second() -> None:
        try:
            accept_upload(contracts, alice, "two.txt", io.BytesIO(b"two"), counted=False)
        except ValidationError as refused:
            ends.append(str(refused.code))

    with meanwhile(second):
        accept_upload(contracts, alice, "one.txt", io.BytesIO(b"one"), counted=False)
    assert ends == ["datasource_full"]
    assert [document.title for document in contracts.documents.all()] == ["one"]


@pytest.mark.parametrize("limit", ["MAX_DATASOURCE_DOCUMENTS", "MAX_DATASOURCE_BYTES", "DOCUMENTS_PER_HOUR"])
def test_of_many_files_at_once_just_as_many_are_taken_as_fit(
    contracts: Datasource, alice: User, settings: Any, limit: str
) -> None:
    setattr(settings, limit, 5)

    def add(number: int) -> bool:
        try:
            accept_upload(contracts, alice, f"{number}.txt", io.BytesIO(b"%d" % number))
        except ValidationError:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(10) as people:
        taken = list(people.map(add, range(10)))
    storage: Any = documents_storage()
    files = [path for path in Path(storage.location).rglob("*") if path.is_file()]
    assert (sum(taken), contracts.documents.count(), len(files)) == (5, 5, 5)


def test_the_one_that_is_refused_at_the_last_moment_is_told_what_there_is_without_it(
    contracts: Datasource, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept_upload(contracts, alice, "one.txt", io.BytesIO(b"one"), counted=False)
    settings.MAX_DATASOURCE_DOCUMENTS = 1
    monkeypatch.setattr(allowance, "check_capacity", lambda *_, **__: None)  # another was quicker
    with pytest.raises(ValidationError, match="has 1 documents and takes 1 at most"):
        accept_upload(contracts, alice, "two.txt", io.BytesIO(b"two"), counted=False)


@pytest.mark.parametrize("full", [False, True])
def test_a_datasource_is_not_counted_for_each_file(
    contracts: Datasource, alice: User, settings: Any, full: bool
) -> None:
    for number in range(4):
        accept_upload(contracts, alice, f"{number}.txt", io.BytesIO(b"%d" % number), counted=False)
    first = contracts.documents.earliest("pk")
    Document.objects.filter(pk=first.pk).update(status=DocumentStatus.DELETED)  # may come back
    if full:
        settings.MAX_DATASOURCE_DOCUMENTS = 4  # one more fits
    with CaptureQueriesContext(connection) as queries:
        accept_upload(contracts, alice, "more.txt", io.BytesIO(b"more"), counted=False)
    sums = [each["sql"] for each in queries if "SUM(" in each["sql"]]
    assert bool(sums) is full
    if full:
        with pytest.raises(ValidationError, match="has 4 documents and takes 4 at most"):
            accept_upload(contracts, alice, "most.txt", io.BytesIO(b"most"), counted=False)


def test_a_hand_over_waits_for_whoever_holds_a_datasource_and_then_its_owner(
    alice: User, bob: User, charlie: User, contracts: Datasource
) -> None:
    """Such as an upload or a renaming. Neither ends in a deadlock."""
    with meanwhile(
        lambda: hand_over(alice, bob, by=charlie),
        then=lambda: change_datasource(Datasource.objects.get(pk=contracts.pk), name="Leases"),
    ):
        Datasource.objects.select_for_update(no_key=True).get(pk=contracts.pk)
    contracts.refresh_from_db()
    assert (contracts.owner, contracts.name) == (bob, "Leases")


def test_a_renaming_that_waits_for_a_hand_over_meets_the_names_of_the_new_owner(
    alice: User, bob: User, charlie: User, contracts: Datasource
) -> None:
    create_datasource(bob, "Leases")

    def rename() -> None:
        with pytest.raises(ValidationError, match="already have a datasource"):
            change_datasource(contracts, name="Leases")

    with meanwhile(rename):
        hand_over(alice, bob, by=charlie)
