"""What is embedded once is not embedded again in its datasource, and nowhere else is it known."""

import io
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from ingestion.adding.upload import accept_upload
from ingestion.indexes import reembedding
from ingestion.lifecycle.purging import purge
from ingestion.models import Chunk, ChunkEmbedding, VectorSpace
from tests.openai_server import ScriptedOpenAI

pytestmark = pytest.mark.django_db(transaction=True)

LEASE = "".join(f"House {n} has a rent of {900 + n} euros a month, due on day {n % 28}. " for n in range(80))


@pytest.fixture
def server(settings: Any) -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(dimensions=48) as running:
        settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = running.base_url, "served"
        yield running


def read(datasource: Datasource, work: Any, text: str, name: str = "lease.txt", **more: Any) -> Document:
    document = accept_upload(datasource, datasource.owner, name, io.BytesIO(text.encode()), **more)[
        0
    ].document
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    return document


def asked(server: ScriptedOpenAI, document: Document) -> list[str]:
    """The document's chunks that the server was asked to embed since the last call, in their order."""
    inputs = [text for request in server.embedding_requests for text in request["input"]]
    server.embedding_requests.clear()
    chunks = document.chunks.order_by("index").values_list("text", flat=True)
    return [text for text in chunks if text in inputs]


def vectors(document: Document) -> dict[str, list[float]]:
    made = ChunkEmbedding.objects.filter(chunk__document=document)
    return {text: list(vector) for text, vector in made.values_list("chunk__text", "vector")}


def test_a_new_version_embeds_only_what_is_new(
    contracts: Datasource, server: ScriptedOpenAI, work: Any
) -> None:
    old = read(contracts, work, LEASE)
    before = vectors(old)
    assert len(asked(server, old)) == old.chunk_count > 3
    new = read(contracts, work, LEASE.replace("rent of 979", "rent of 850"), replaces=old)
    (again,) = asked(server, new)
    assert "rent of 850" in again
    after = vectors(new)
    assert len(after) == new.chunk_count
    assert {text: after[text] for text in before if text in after} == {
        text: vector for text, vector in before.items() if "rent of 979" not in text
    }


def test_the_same_passages_in_another_document_are_not_embedded_again(
    contracts: Datasource, server: ScriptedOpenAI, work: Any
) -> None:
    first = read(contracts, work, LEASE)
    asked(server, first)
    second = read(contracts, work, LEASE + "\n\nThe roof is new.", "copy.txt")
    assert all("roof" in text for text in asked(server, second))
    assert len(vectors(second)) == second.chunk_count


def test_passages_of_another_datasource_are_not_known(
    contracts: Datasource, bob: User, server: ScriptedOpenAI, work: Any
) -> None:
    asked(server, read(contracts, work, LEASE))
    document = read(create_datasource(bob, "Leases"), work, LEASE)
    assert len(asked(server, document)) == document.chunk_count


def test_what_was_deleted_is_not_known(contracts: Datasource, server: ScriptedOpenAI, work: Any) -> None:
    document = read(contracts, work, LEASE)
    purge(document)
    work()
    assert not Chunk.objects.filter(datasource=contracts).exists()
    asked(server, document)
    again = read(contracts, work, LEASE)
    assert len(asked(server, again)) == again.chunk_count


def test_another_model_does_not_take_the_vectors_of_the_one_before(
    contracts: Datasource, server: ScriptedOpenAI, work: Any, settings: Any
) -> None:
    document = read(contracts, work, LEASE + "\f" + LEASE)
    settings.EMBEDDING_MODEL = "larger"
    asked(server, document)
    reembedding.follow_configured()
    work()
    assert VectorSpace.objects.get(datasource=contracts, status="current").model == "larger"
    assert asked(server, document)
    assert ChunkEmbedding.objects.filter(space__model="larger", space__status="current").count() == (
        document.chunk_count
    )
