"""The S3 server goes away in the middle of reading and of deleting: all is done once it is back."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import boto3
import pytest
from botocore.exceptions import BotoCoreError
from moto.server import ThreadedMotoServer

from datasources.models import Deletion, DocumentStatus
from ingestion.lifecycle import deletion
from tests.conftest import run_jobs, store_documents
from tests.datasources.integration.test_s3_storage import CREDENTIALS, storage_settings
from tests.faults.harness import finish, undisturbed
from tests.faults.picture import left_over, picture
from tests.faults.scenarios import SCENARIOS, results
from tests.processes import free_port
from tests.s3 import forget_all_objects


class Bucket:
    """A bucket whose server can be stopped; what it has stays in its memory."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.server: ThreadedMotoServer | None = None

    def start(self) -> None:
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=self.port, verbose=False)
        self.server.start()

    def stop(self) -> None:
        if self.server:
            self.server.stop()
            self.server = None

    @property
    def objects(self) -> list[Any]:
        return list(
            boto3.resource("s3", endpoint_url=self.url, **CREDENTIALS).Bucket("documents").objects.all()
        )


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    made = Bucket()
    made.start()
    forget_all_objects(made.url)
    boto3.resource("s3", endpoint_url=made.url, **CREDENTIALS).create_bucket(Bucket="documents")
    with ExitStack() as end:
        end.callback(made.stop)
        yield made


def test_reading_and_deleting_wait_for_the_storage(
    make_stage: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, bucket: Bucket
) -> None:
    scenario = SCENARIOS["reading"]
    expected = undisturbed(scenario, make_stage)
    stage = make_stage()
    store_documents(settings, storage_settings(bucket.url))
    scenario.begin(stage)
    assert len(bucket.objects) == 1
    bucket.stop()
    with pytest.raises(BotoCoreError):
        assert bucket.objects
    run_jobs()
    document = stage.datasource.documents.get()
    assert document.status not in (DocumentStatus.READY, DocumentStatus.FAILED), "it waits"
    bucket.start()
    finish(stage)
    assert picture(stage.datasource, results(stage)).difference(expected) == []
    monkeypatch.setattr(deletion, "UNDO_SECONDS", 0)
    deletion.delete(stage.datasource.documents.get(), stage.alice)
    bucket.stop()
    run_jobs()
    assert not Deletion.objects.get().completed, "the receipt says nothing that is not so"
    bucket.start()
    finish(stage)
    assert Deletion.objects.get().completed
    assert bucket.objects == []
    assert left_over() == []
