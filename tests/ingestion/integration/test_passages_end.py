"""Ready passages and lost jobs: whatever happens to a job, no document waits for ever."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone
from procrastinate.contrib.django import app

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from graph.models import EntityMention
from ingestion.adding.upload import accept_upload
from ingestion.forgotten import queue_forgotten
from ingestion.lifecycle import pausing
from ingestion.lifecycle.retrying import retry
from ingestion.models import ChunkEmbedding
from ingestion.run import start
from ingestion.step import steps
from ingestion.steps.embed import Embed
from providers.embedders import embedder
from providers.protocols import ProviderError

pytestmark = pytest.mark.django_db(transaction=True)


def add(datasource: Datasource, user: User, count: int = 5) -> list[Document]:
    lines = [
        json.dumps({"title": f"T{n}", "text": f"Mira Okafor founded shop {n} in Leeds."})
        for n in range(count)
    ]
    file = io.BytesIO("\n".join(lines).encode())
    return [one.document for one in accept_upload(datasource, user, "p.jsonl", file)]


def states(datasource: Datasource) -> set[str]:
    return set(datasource.documents.values_list("status", flat=True))


def embedding_raises(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def broken(self: Any, texts: Any) -> Any:
        raise error

    monkeypatch.setattr(type(embedder()), "embed", broken)


@pytest.mark.parametrize(
    "error", [IntegrityError("two rows"), ValueError("a bug"), ProviderError("The key was refused.")]
)
def test_passages_whose_job_fails_say_so_and_can_be_retried(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    documents = add(contracts, alice)
    with monkeypatch.context() as patch:
        embedding_raises(patch, error)
        work()
    assert states(contracts) == {DocumentStatus.FAILED}
    failed = contracts.documents.first()
    assert failed is not None
    assert failed.error_message
    assert failed.error_hint
    for document in documents:
        retry(document)
    work()
    assert states(contracts) == {DocumentStatus.READY}


def test_a_retried_passage_that_was_paused_after_its_vector_is_read_to_its_end(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = add(contracts, alice)
    with monkeypatch.context() as patch:
        embedding_raises(patch, ProviderError("The key was refused."))
        work()
    retry(documents[0])
    run = start(documents[0].pk)
    assert run is not None
    for step in steps():
        step.run(run)
        if isinstance(step, Embed):
            break
    pausing.pause(contracts)
    for document in documents[1:]:
        retry(document)
    pausing.resume(contracts)
    work()
    assert states(contracts) == {DocumentStatus.READY}
    assert ChunkEmbedding.objects.filter(space__datasource=contracts).count() == 5
    mentions = EntityMention.objects.filter(document__in=documents)
    assert len({mentions.filter(document=document).count() for document in documents}) == 1


def test_passages_that_kill_every_worker_are_given_up(contracts: Datasource, alice: User, work: Any) -> None:
    add(contracts, alice)
    contracts.documents.update(attempts=6)  # so often a worker died over them
    work()
    assert states(contracts) == {DocumentStatus.FAILED}
    assert set(contracts.documents.values_list("error_code", flat=True)) == {"gave_up"}


def lose_jobs(datasource: Datasource) -> None:
    """All jobs are gone, and the uploads are some minutes old."""
    with app.replace_connector(app.connector.get_sync_connector()):
        for job in app.job_manager.list_jobs():
            assert job.id is not None
            app.job_manager.cancel_job_by_id(job.id, delete_job=True)
    datasource.documents.update(created=timezone.now() - timedelta(minutes=5))


@pytest.mark.parametrize("kind", ["passages", "file"])
def test_what_waits_without_a_job_is_queued_again(
    contracts: Datasource, alice: User, work: Any, kind: str
) -> None:
    if kind == "passages":
        add(contracts, alice)
    else:
        accept_upload(contracts, alice, "a.txt", io.BytesIO(b"Mira Okafor founded a shop in Leeds."))
    lose_jobs(contracts)
    work()
    assert DocumentStatus.READY not in states(contracts)
    queue_forgotten(0)
    work()
    assert states(contracts) == {DocumentStatus.READY}


def test_what_has_a_job_or_is_paused_is_left_alone(contracts: Datasource, alice: User) -> None:
    add(contracts, alice)
    accept_upload(contracts, alice, "a.txt", io.BytesIO(b"Mira Okafor founded a shop in Leeds."))
    contracts.documents.update(created=timezone.now() - timedelta(minutes=5))

    def queued() -> int:
        with app.replace_connector(app.connector.get_sync_connector()):
            return len([job for job in app.job_manager.list_jobs() if job.queue == "ingest"])

    before = queued()
    queue_forgotten(0)
    assert queued() == before == 3  # the reading of each, and the counting of pages
    pausing.pause(contracts)
    lose_jobs(contracts)
    queue_forgotten(0)
    assert queued() == 0
