"""Documents in an S3 bucket by settings alone, against an S3 server on this machine."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import boto3
import pytest
from botocore.exceptions import ClientError
from django.contrib.contenttypes.models import ContentType
from django.core.files.storage import FileSystemStorage
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.purging import purge
from reader import page_images
from svq_site.backup.errors import BackupError
from svq_site.backup.making import back_up
from svq_site.backup.restoring import restore
from tests.conftest import store_documents
from tests.database import connected_to, empty_database
from tests.factories import make_document
from tests.people import browser_of
from tests.s3 import s3_server

ROOT = Path(__file__).resolve().parents[3]
QUESTIONNAIRE = ROOT / "samples" / "security-questionnaire.pdf"
CREDENTIALS = {"region_name": "us-east-1", "aws_access_key_id": "k", "aws_secret_access_key": "s"}


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty bucket called "documents"; `.url` is its server's address."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with s3_server() as url:
        resource = boto3.resource("s3", endpoint_url=url, **CREDENTIALS)
        yield resource.create_bucket(Bucket="documents"), url


def storage_settings(url: str) -> dict[str, Any]:
    """What svq_site.settings makes of the documented environment variables."""
    environment = os.environ | {
        "SVQ_S3_BUCKET": "documents",
        "SVQ_S3_ENDPOINT_URL": url,
        "SVQ_S3_REGION": "us-east-1",
        "SVQ_S3_ACCESS_KEY": "k",
        "SVQ_S3_SECRET_KEY": "s",
        "SVQ_S3_PREFIX": "svq",
    }
    code = "import json; from svq_site import settings; print(json.dumps(settings.STORAGES['documents']))"
    printed = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )

    found: dict[str, Any] = json.loads(printed.stdout)
    return found


@pytest.mark.django_db(transaction=True)
def test_documents_live_in_the_bucket(
    bucket: Any, settings: Any, contracts: Datasource, alice: User, work: Any
) -> None:
    objects, url = bucket
    store_documents(settings, storage_settings(url))
    with QUESTIONNAIRE.open("rb") as file:
        document = accept_upload(contracts, alice, QUESTIONNAIRE.name, file)[0].document
    stored = list(objects.objects.all())
    assert [one.size for one in stored] == [QUESTIONNAIRE.stat().st_size]
    assert stored[0].key.startswith("svq/")
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    assert page_images.page_image(document, 1, asker=1)[8:12] == b"WEBP"
    purge(document)
    work()
    assert list(objects.objects.all()) == []


@pytest.mark.django_db(transaction=True)
def test_a_backup_of_a_bucket_is_restored_into_another_folder_of_it(
    bucket: Any, settings: Any, contracts: Datasource, tmp_path: Path
) -> None:
    objects, url = bucket
    storage = storage_settings(url)
    store_documents(settings, storage)
    document = make_document(contracts)
    with document.file.open() as file:
        content = file.read()
    assert back_up(tmp_path / "backup").manifest.missing == []
    settings.DATA_DIR = tmp_path
    settings.MODELS_DIR = tmp_path / "models"
    with empty_database() as name, connected_to(name):
        objects.put_object(Key="svq/stranger", Body=b"else's")
        with pytest.raises(BackupError, match="bucket"):
            restore(tmp_path / "backup")
        store_documents(settings, storage | {"OPTIONS": storage["OPTIONS"] | {"location": "another"}})
        restore(tmp_path / "backup")
        with Document.objects.get().file.open() as file:
            assert file.read() == content
    ContentType.objects.clear_cache()
    assert f"another/{document.file.name}" in {one.key for one in objects.objects.all()}


class Failing(FileSystemStorage):
    """Like a bucket: it has no paths, and its server refuses the first requests of each kind."""

    def __init__(self, refusals: int, **options: Any) -> None:
        super().__init__(**options)
        self.refusals = {"GetObject": refusals, "DeleteObject": refusals}

    def path(self, name: str) -> str:
        if self._disk:
            return super().path(name)
        raise NotImplementedError

    _disk = False

    @contextmanager
    def _on_disk(self) -> Iterator[None]:
        self._disk = True
        try:
            yield
        finally:
            self._disk = False

    def _request(self, operation: str) -> None:
        if self.refusals[operation]:
            self.refusals[operation] -= 1
            error = {"Error": {"Code": "SlowDown", "Message": "Please reduce your request rate."}}
            raise ClientError(error, operation)

    def _save(self, name: str, content: Any) -> str:
        with self._on_disk():
            return super()._save(name, content)  # type: ignore[misc]

    def exists(self, name: str) -> bool:
        with self._on_disk():
            return super().exists(name)

    def _open(self, name: str, mode: str = "rb") -> Any:
        self._request("GetObject")
        with self._on_disk():
            return super()._open(name, mode)  # type: ignore[misc]

    def delete(self, name: str) -> None:
        self._request("DeleteObject")
        with self._on_disk():
            super().delete(name)


@pytest.fixture
def failing(settings: Any, tmp_path: Path) -> Failing:
    """The documents' storage; it refuses the first two requests to read or to delete."""
    backend = f"{__name__}.Failing"
    options = {"location": tmp_path / "bucket", "refusals": 2}
    store_documents(settings, {"BACKEND": backend, "OPTIONS": options})
    return cast(Failing, Document._meta.get_field("file").storage)


def now_due() -> None:
    """Let no job wait for its time."""
    ProcrastinateJob.objects.filter(status="todo").update(scheduled_at=None)


@pytest.mark.django_db(transaction=True)
def test_a_file_is_read_when_the_storage_answers_again(
    failing: Failing, contracts: Datasource, alice: User, work: Any
) -> None:
    with QUESTIONNAIRE.open("rb") as file:
        document = accept_upload(contracts, alice, QUESTIONNAIRE.name, file)[0].document
    failing.refusals["GetObject"] = 4  # two jobs read the file: one counts its pages
    work()
    document.refresh_from_db()
    assert document.is_unfinished
    for _ in range(4):
        now_due()
        work()
    assert not failing.refusals["GetObject"]
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY


@pytest.mark.django_db
def test_a_download_that_the_storage_refuses_is_not_found(failing: Failing, alice: User) -> None:
    document = make_document(create_datasource(alice, "Leases"))
    address = reverse("document_original", args=[document.datasource_id, document.pk])
    assert browser_of(alice).get(address).status_code == 404
