"""What may be done with a document in which state, and that a refusal or a failure leaves nothing behind."""

import io
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource, Deletion, Document, DocumentStatus
from events import log
from ingestion import progress
from ingestion.adding import upload
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion, pausing, retrying, unlocking
from tests.factories import SAMPLE, make_document
from tests.people import browser_of

pytestmark = pytest.mark.django_db


def code_of(act, *arguments) -> str:
    with pytest.raises(ValidationError) as refused:
        act(*arguments)
    assert refused.value.code
    return refused.value.code


def purge_now(document: Document) -> None:
    """What the job does when the time to undo is over."""
    batch = Deletion.objects.get(document=document.pk).batch
    deletion.purge_deleted(Mock(should_abort=lambda: False), batch=str(batch))


def blobs(settings: Any) -> list[Path]:
    folder = Path(settings.STORAGES["documents"]["OPTIONS"]["location"])
    return [path for path in folder.rglob("*") if path.is_file()]


def accept(datasource: Datasource, user: User, name: str = "a.pdf", extra: bytes = b"") -> Document:
    (accepted,) = accept_upload(datasource, user, name, io.BytesIO(SAMPLE.read_bytes() + extra))
    return accepted.document


def job_of(document: Document) -> ProcrastinateJob:
    assert document.job_id
    return ProcrastinateJob.objects.get(pk=document.job_id)


def announced(datasource: Datasource) -> list[str]:
    return [event.kind for event in log.read(progress.channel(datasource.pk))]


# --- uploads ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "kept", "title"),
    [
        ("../../etc/lease.pdf", "lease.pdf", "lease"),
        ("C:\\Users\\me\\lease.pdf", "lease.pdf", "lease"),
        ("a.b.pdf", "a.b.pdf", "a.b"),
    ],
)
def test_a_file_keeps_its_name_without_its_folders(
    contracts: Datasource, alice: User, name: str, kept: str, title: str
) -> None:
    document = accept(contracts, alice, name)
    assert (document.filename, document.title) == (kept, title)
    assert "lease" not in str(document.file.name)


def test_a_file_above_the_limit_is_refused_before_it_is_stored(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = SAMPLE.stat().st_size
    accept(contracts, alice)
    assert code_of(accept, contracts, alice, "b.pdf", b"!") == "too_large"
    assert len(blobs(settings)) == contracts.documents.count() == 1


def test_an_upload_that_cannot_be_queued_leaves_neither_row_nor_file(
    contracts: Datasource, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(document: Document) -> None:
        raise RuntimeError("the power is out")

    monkeypatch.setattr(upload, "enqueue", broken)
    with pytest.raises(RuntimeError):
        accept(contracts, alice)
    assert not contracts.documents.exists()
    assert blobs(settings) == []


def test_the_same_bytes_are_stored_once_and_again_after_a_deletion(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    first = accept(contracts, alice)
    assert accept(contracts, alice, "again.pdf") == first
    assert len(blobs(settings)) == 1
    deletion.delete(first)
    assert accept(contracts, alice, "again.pdf") != first


# --- retrying and cancelling -----------------------------------------------------------------------------
@pytest.mark.parametrize("status", [DocumentStatus.FAILED, DocumentStatus.CANCELLED])
def test_a_document_that_stopped_is_read_again_with_all_its_attempts(
    contracts: Datasource, status: DocumentStatus
) -> None:
    document = make_document(contracts, status=status, attempts=6, error_code="corrupt", error_message="No.")
    retrying.retry(document)
    document.refresh_from_db()
    assert (document.status, document.attempts) == (DocumentStatus.QUEUED, 0)
    assert (document.error_code, document.error_message) == ("", "")
    assert job_of(document).status == "todo"


@pytest.mark.parametrize("status", [DocumentStatus.READY, DocumentStatus.QUEUED, DocumentStatus.DELETED])
def test_a_document_that_did_not_fail_is_not_retried(contracts: Datasource, status: DocumentStatus) -> None:
    document = make_document(contracts, status=status)
    assert code_of(retrying.retry, document) == "not_failed"
    assert not ProcrastinateJob.objects.exists()


def test_a_cancelled_document_loses_its_run(contracts: Datasource, alice: User) -> None:
    document = accept(contracts, alice)
    retrying.cancel(document)
    document.refresh_from_db()
    assert (document.status, document.run_token) == (DocumentStatus.CANCELLED, None)
    assert announced(contracts)[-1] == "document_cancelled"


@pytest.mark.parametrize("status", [DocumentStatus.READY, DocumentStatus.FAILED, DocumentStatus.CANCELLED])
def test_what_is_not_being_read_cannot_be_cancelled(contracts: Datasource, status: DocumentStatus) -> None:
    document = make_document(contracts, status=status)
    assert code_of(retrying.cancel, document) == "finished"
    document.refresh_from_db()
    assert document.status == status


# --- deleting and restoring ------------------------------------------------------------------------------
def test_deleting_twice_is_deleting_once(contracts: Datasource) -> None:
    document = make_document(contracts)
    deletion.delete(document)
    deletion.delete(document)
    assert announced(contracts).count("documents_removed") == 1
    assert ProcrastinateJob.objects.filter(task_name__endswith="purge_deleted").count() == 1
    deletion.restore(document)
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY


@pytest.mark.parametrize(
    "status", [DocumentStatus.READY, DocumentStatus.FAILED, DocumentStatus.CANCELLED, DocumentStatus.QUEUED]
)
def test_a_restored_document_is_what_it_was(contracts: Datasource, status: DocumentStatus) -> None:
    document = make_document(contracts, status=status)
    deletion.delete(document)
    assert not contracts.documents.current().exists()
    deletion.restore(document)
    document.refresh_from_db()
    assert document.status == status


def test_a_document_whose_reading_was_deleted_midway_is_queued_again(
    contracts: Datasource, alice: User
) -> None:
    document = accept(contracts, alice)
    first_job = document.job_id
    deletion.delete(document)
    deletion.restore(document)
    document.refresh_from_db()
    assert document.status == DocumentStatus.QUEUED
    assert document.job_id != first_job
    assert job_of(document).args["document_id"] == document.pk


def test_a_document_added_again_meanwhile_is_not_restored_beside_it(
    contracts: Datasource, alice: User
) -> None:
    document = accept(contracts, alice)
    deletion.delete(document)
    accept(contracts, alice, "again.pdf")
    assert code_of(deletion.restore, document) == "added_again"
    assert contracts.documents.current().count() == 1


def test_what_was_never_deleted_cannot_be_restored(contracts: Datasource) -> None:
    assert code_of(deletion.restore, make_document(contracts)) == "gone"


def test_a_purge_that_comes_after_a_restore_deletes_nothing(contracts: Datasource) -> None:
    document = make_document(contracts)
    deletion.delete(document)
    batch = Deletion.objects.get(document=document.pk).batch
    deletion.restore(document)
    deletion.purge_deleted(Mock(should_abort=lambda: False), batch=str(batch))
    assert contracts.documents.ready().get() == document


def test_a_purge_cannot_be_undone(contracts: Datasource) -> None:
    document = make_document(contracts)
    deletion.delete(document)
    purge_now(document)
    assert not Document.objects.filter(pk=document.pk).exists()
    assert code_of(deletion.restore, document) == "gone"


# --- pausing and unlocking -------------------------------------------------------------------------------
def test_pausing_twice_is_told_once(contracts: Datasource) -> None:
    for switch in (pausing.pause, pausing.pause, pausing.resume, pausing.resume):
        switch(contracts)
    assert announced(contracts) == ["reading_paused", "reading_resumed"]
    contracts.refresh_from_db()
    assert not contracts.paused


def test_only_a_document_that_waits_for_a_password_takes_one(contracts: Datasource, alice: User) -> None:
    ready = make_document(contracts)
    damaged = make_document(contracts, "B", "b", status=DocumentStatus.FAILED, error_code="corrupt")
    for document in (ready, damaged):
        assert code_of(unlocking.unlock, document, "secret", alice) == "not_encrypted"


def test_passwords_of_a_document_cannot_be_guessed_quickly(
    contracts: Datasource, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each try may cost a minute of a processor."""
    tried: list[str] = []

    def refuse(document: Document, password: str) -> bytes:
        tried.append(password)
        raise ValidationError("That password does not open it.", code="wrong_password")

    monkeypatch.setattr(unlocking, "_without_protection", refuse)
    sealed = make_document(contracts, "A", "a", status=DocumentStatus.FAILED, error_code="encrypted")
    address = reverse("document_unlock", args=[contracts.pk, sealed.pk])
    client = browser_of(alice)
    told = [client.post(address, {"password": f"guess {n}"}) for n in range(8)]
    assert [each.status_code for each in told] == [422] * 5 + [429] * 3
    assert len(tried) == 5
    assert "Too many passwords were tried within a minute" in told[-1].content.decode()
    assert 0 < int(told[-1]["Retry-After"]) <= 60
    in_dialog = client.post(address, {"password": "guess"}, headers={"HX-Request": "true"})
    assert in_dialog.status_code == 422  # which htmx shows in the dialog
    assert "try it again in" in in_dialog.content.decode()
    assert code_of(unlocking.unlock, sealed, "guess", bob) == "wrong_password"  # others may try
    others = [
        make_document(contracts, f"B{n}", "b", status=DocumentStatus.FAILED, error_code="encrypted")
        for n in range(15)
    ]
    codes = [code_of(unlocking.unlock, each, "guess", alice) for each in others]
    assert codes[-1] == "quota"  # nor at many documents, one after the other
