"""What a change or a question costs follows the change and the question, not the graph."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from datasources.models import Datasource, Document, DocumentStatus
from graph.aggregate import mentions, vectors
from graph.models import EntityEmbedding, EntityMention, NameEmbedding, RelationMention
from graph.resolution import frequent_names
from ingestion import pipeline
from ingestion.indexes import vector_spaces
from ingestion.models import Chunk, Page
from ingestion.run import start
from providers.embedders import embedder
from providers.protocols import Vectors
from providers.protocols.embedding import AlikeEmbedder
from retrieval.legs import graph, graph_expansion
from retrieval.query import LIMIT, Scope
from tests.factories import make_chunk
from tests.graph.corpus import TEXTS, delete, upload

OTHERS = (
    "Ola Nordmann sold Fjord Salmon to Baltic Foods in Riga.",
    "Baltic Foods and Fjord Salmon opened a plant near Tallinn.",
)
TABLES = ("entity", "entityname", "relation", "entitymention", "relationmention")


class Counting(AlikeEmbedder):
    """The real embedder, which remembers what it was given."""

    name, dimensions = "all-MiniLM-L6-v2", 384

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return embedder().embed(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return embedder().count_tokens(texts)


def embed(datasource: Datasource) -> list[str]:
    """Do all that is due; gives the texts that this took."""
    counting = Counting()
    while vectors.embed_due(vector_spaces.claim(datasource, embedder()), counting):
        pass
    return counting.texts


def embed_chunks(datasource: Datasource) -> None:
    from ingestion.indexes.embedding import copy_vectors

    space = vector_spaces.claim(datasource, embedder())
    chunks = list(Chunk.objects.filter(datasource=datasource).without_vector(space))
    if chunks:
        copy_vectors(space, [c.pk for c in chunks], embedder().embed([c.text for c in chunks]))


def places(datasource: Datasource) -> dict[str, dict[int, str]]:
    """Where each row of the graph stands in its table: a row that is written anew moves."""
    found = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(
                f"SELECT id, ctid::text FROM graph_{table} WHERE datasource_id = %s", [datasource.pk]
            )
            found[table] = dict(cursor.fetchall())
    return found


def test_an_upload_rewrites_nothing_that_it_does_not_speak_of(home: Datasource) -> None:
    upload(home, *TEXTS)
    before = places(home)
    (document,) = upload(home, OTHERS[0])
    after = places(home)
    assert len(after["entity"]) > len(before["entity"])
    assert {table: {pk: after[table].get(pk) for pk in rows} for table, rows in before.items()} == before
    delete(home, document)
    assert places(home) == before


def mentions_read() -> int:
    """Rows of mentions that this transaction has read so far."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables"
            " WHERE relname = 'graph_entitymention'"
        )
        return int(cursor.fetchone()[0])


def test_an_upload_reads_no_more_the_oftener_its_names_stand_elsewhere(
    home: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frequent_names, "FREQUENT", 5)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # of so few rows it would read all
    read = []
    for batch in range(3):
        upload(home, *(f"Ola Nordmann wrote letter {batch}{i} to Fjord Salmon." for i in range(20)))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # whatever other tests have left in the statistics
        before = mentions_read()
        upload(home, f"Ola Nordmann sold {batch} boats to Fjord Salmon.")
        read.append(mentions_read() - before)
    assert read[2] < read[1] + 20, read  # each batch adds forty mentions of the two
    things = home.entities.filter(name__in=["Ola Nordmann", "Fjord Salmon"])
    assert set(things.values_list("mention_count", "document_count")) == {(63, 63)}


def test_only_new_names_are_embedded(home: Datasource) -> None:
    upload(home, OTHERS[0])
    embed_chunks(home)
    names = {"Ola Nordmann", "Fjord Salmon", "Baltic Foods", "Riga"}
    assert sorted(embed(home)) == sorted(names)
    upload(home, OTHERS[1])
    embed_chunks(home)
    assert embed(home) == ["Tallinn"]


def test_a_thing_s_vector_follows_its_passages(home: Datasource) -> None:
    (first,) = upload(home, OTHERS[0])
    embed_chunks(home)
    embed(home)
    alone = vector_of(home, "Fjord Salmon")
    (second,) = upload(home, OTHERS[1])
    embed_chunks(home)
    embed(home)
    assert not np.allclose(vector_of(home, "Fjord Salmon"), alone, atol=1e-3)
    delete(home, second)
    embed(home)
    assert np.allclose(vector_of(home, "Fjord Salmon"), alone, atol=1e-3)
    delete(home, first)
    assert not NameEmbedding.objects.exists()
    assert not EntityEmbedding.objects.exists()


def vector_of(datasource: Datasource, name: str) -> Any:
    return EntityEmbedding.objects.get(space__datasource=datasource, entity__name=name).vector


def statements(ask: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert ask()
    return len(queries)


def test_a_query_takes_as_many_statements_however_large_the_graph(home: Datasource) -> None:
    question = "Who sold Fjord Salmon to Baltic Foods?"
    vector = embedder().embed([question])[0]
    scope = Scope(user_id=home.owner_id, datasource_id=home.pk)
    asks = (
        lambda: graph.search_entities(scope, vector),
        lambda: graph.search_relations(scope, vector),
        lambda: graph_expansion.expand(scope, question, vector, LIMIT).scores,
    )
    counts = []
    for texts in (OTHERS, TEXTS):
        upload(home, *texts)
        embed_chunks(home)
        embed(home)
        counts.append([statements(ask) for ask in asks])
    assert counts[0] == counts[1]
    assert max(counts[0]) <= 12


def test_a_document_whose_mentions_were_half_stored_is_read_to_the_end(
    home: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = OTHERS[0]
    document = Document.objects.create(
        datasource=home,
        title="Sale",
        filename="sale.pdf",
        mime="application/pdf",
        size=1,
        sha256="0" * 64,
        status=DocumentStatus.QUEUED,
        page_count=1,
        chunk_count=1,
    )
    Page.objects.create(document=document, number=1, text=text, width=595, height=842)
    make_chunk(document, text)
    copy = mentions._copy

    def killed(table: str, *rest: Any) -> None:
        if table == "graph_relationmention":
            raise KeyboardInterrupt
        copy(table, *rest)

    monkeypatch.setattr(mentions, "_copy", killed)
    with pytest.raises(KeyboardInterrupt):
        read(document)
    assert not EntityMention.objects.filter(document=document).exists()
    monkeypatch.setattr(mentions, "_copy", copy)
    read(document)
    assert EntityMention.objects.filter(document=document, live=True).count() == 4
    assert RelationMention.objects.filter(document=document, live=True, source__isnull=False).exists()


def read(document: Document) -> None:
    run = start(document.pk, lambda: False)
    assert run
    pipeline.run(run)
