"""Two people act on one document at the same moment, each on a connection of their own: nothing is undone."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, connections, transaction
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import change_datasource
from ingestion.lifecycle.pausing import pause, resume
from ingestion.lifecycle.purging import purge
from ingestion.lifecycle.retrying import cancel
from tests.factories import make_document
from tests.people import browser_of

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def meanwhile(act: Callable[[], object]) -> Iterator[None]:
    """Begin `act` on another connection while the block's transaction is open; it ends after the commit."""
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
    other.join(10)
    assert not other.is_alive()
    assert not failures, failures


def wait_for_lock(other: threading.Thread) -> None:
    """Until another connection waits for this one, or has ended without."""
    end = time.monotonic() + 5
    while other.is_alive() and time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
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
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
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
