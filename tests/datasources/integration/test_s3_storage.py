"""Documents in an S3 bucket by settings alone, against an S3 server on this machine."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from accounts.models import User
from datasources.models import Datasource, DocumentStatus
from ingestion.lifecycle.purging import purge
from ingestion.upload import accept_upload
from reader import page_images
from tests.conftest import store_documents

ROOT = Path(__file__).resolve().parents[3]
QUESTIONNAIRE = ROOT / "samples" / "security-questionnaire.pdf"
CREDENTIALS = {"region_name": "us-east-1", "aws_access_key_id": "k", "aws_secret_access_key": "s"}


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty bucket called "documents"; `.url` is its server's address."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    resource = boto3.resource("s3", endpoint_url=url, **CREDENTIALS)
    yield resource.create_bucket(Bucket="documents"), url
    server.stop()


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
    assert page_images.page_image(document, 1)[8:12] == b"WEBP"
    purge(document)
    assert list(objects.objects.all()) == []
