"""A file whose passages are many is embedded in turns, between which smaller files are read."""

import io
from typing import Any

import pytest

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from ingestion.adding.upload import accept_upload
from ingestion.indexes import embedding
from ingestion.models import ChunkEmbedding
from ingestion.run import start
from ingestion.step import steps
from ingestion.steps import embed
from jobs.runs import Stopped

pytestmark = pytest.mark.django_db(transaction=True)


def add(datasource: Datasource, user: User, name: str, text: str) -> Document:
    return accept_upload(datasource, user, name, io.BytesIO(text.encode()))[0].document


def test_a_long_file_lets_smaller_ones_of_the_same_person_pass(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "SECONDS_A_TURN", 0.0)
    monkeypatch.setattr(embedding, "CHUNKS_AT_ONCE", 1)
    sentence = "The lessor keeps the roof of house {} in repair, and the tenant its windows. "
    long = add(contracts, alice, "long.txt", "".join(sentence.format(n) for n in range(60)))
    run = start(long.pk)
    assert run
    for step in steps():
        if isinstance(step, embed.Embed):
            break
        step.run(run)
    small = add(contracts, alice, "small.txt", "The mooring fee is nineteen euro a night.")
    with pytest.raises(Stopped):
        embed.Embed().run(run)
    long.refresh_from_db()
    assert (long.status, ChunkEmbedding.objects.filter(chunk__document=long).count()) == ("queued", 1)
    work()
    for document in (long, small):
        document.refresh_from_db()
        assert document.status == DocumentStatus.READY
    assert small.ready_at
    assert long.ready_at
    assert small.ready_at < long.ready_at
    assert ChunkEmbedding.objects.filter(chunk__document=long).count() == long.chunk_count
