"""Reading documents builds the graph, and searches over it end in passages that prove what they found."""

import io
import json
from typing import Any

import pytest

from accounts.models import User
from datasources.models import Datasource, Document
from graph.models import Entity, EntityEmbedding, EntityMention, EntityName, Relation, RelationEmbedding
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion
from ingestion.lifecycle.purging import purge
from providers.embedders import embedder
from retrieval.engine import Leg, Query, retrieve
from retrieval.legs import graph
from retrieval.query import LIMIT, Scope

pytestmark = pytest.mark.django_db(transaction=True)

PASSAGES = (
    (
        "Harbour Lights",
        "Harbour Lights is a novel by the Norwegian writer Ingrid Solberg. It appeared in 1998.",
    ),
    (
        "Ingrid Solberg",
        "Ingrid Solberg grew up in Tromsø. She studied medicine and keeps bees near Lillehammer.",
    ),
    (
        "Lighthouses of Norway",
        "The lighthouses of Norway guided ships into the harbour with coloured lights.",
    ),
    ("Writers and places", "Many a writer of novels spent a childhood in the mountains of another country."),
    ("Novel", "A novel is a long work of prose. The writer of a novel is called a novelist."),
    ("Harbour", "A harbour protects ships. The lights of a harbour are seen at night."),
)


@pytest.fixture
def library(contracts: Datasource, alice: User, work: Any) -> Datasource:
    lines = "\n".join(json.dumps({"title": title, "text": text}) for title, text in PASSAGES)
    accept_upload(contracts, alice, "library.jsonl", io.BytesIO(lines.encode()))
    work()
    return contracts


def scope(datasource: Datasource, *documents: Document) -> Scope:
    ids = frozenset(document.pk for document in documents) or None
    return Scope(user_id=datasource.owner_id, datasource_id=datasource.pk, document_ids=ids)


def along_the_graph(scope: Scope, k: int = LIMIT) -> set[str]:
    """The titles of what the graph alone finds for a question in two steps."""
    question = Query(text="Where did the writer of Harbour Lights grow up?", k=k, legs=frozenset({Leg.GRAPH}))
    return {passage.document_title for passage in retrieve(question, scope, embedder()).evidence}


def test_a_question_in_two_steps_finds_both_passages(library: Datasource) -> None:
    assert along_the_graph(scope(library), k=2) == {"Harbour Lights", "Ingrid Solberg"}


def test_the_walk_stays_within_the_chosen_documents(library: Datasource) -> None:
    allowed = Document.objects.get(title="Harbour Lights"), Document.objects.get(title="Novel")
    assert along_the_graph(scope(library, *allowed)) == {"Harbour Lights", "Novel"}


def test_entities_and_relations_come_with_the_passages_that_prove_them(library: Datasource) -> None:
    vector = embedder().embed(["the Norwegian writer Ingrid Solberg"])[0]
    entity = graph.search_entities(scope(library), vector)[0]
    assert entity.name == "Ingrid Solberg"
    assert {e.document_title for e in entity.evidence} == {"Ingrid Solberg", "Harbour Lights"}
    relation = graph.search_relations(scope(library), vector)[0]
    assert {relation.source, relation.target} <= {"Harbour Lights", "Ingrid Solberg", "Norwegian"}
    assert relation.evidence
    assert all("Ingrid Solberg" in evidence.text for evidence in relation.evidence)


def test_a_removed_document_leaves_the_graph_at_once_and_comes_back_whole(
    library: Datasource, work: Any
) -> None:
    def names() -> set[tuple[str, str, int]]:
        return set(Entity.objects.values_list("name", "description", "mention_count"))

    before = names()
    document = Document.objects.get(title="Ingrid Solberg")
    deletion.delete(document)
    assert not any("Tromsø" in name or "Tromsø" in said for name, said, _ in names())
    deletion.restore(document)
    assert names() == before


def test_when_all_documents_are_deleted_nothing_is_left(library: Datasource, work: Any) -> None:
    assert RelationEmbedding.objects.exists()
    assert not Entity.objects.filter(vector_due=True).exists()
    for document in Document.objects.all():
        purge(document)
    for model in (Entity, EntityEmbedding, EntityMention, EntityName, Relation, RelationEmbedding):
        assert not model.objects.exists(), model.__name__


def test_each_mention_of_a_real_contract_shows_its_words(
    contracts: Datasource, alice: User, work: Any
) -> None:
    with open("samples/master-services-agreement.pdf", "rb") as file:
        accept_upload(contracts, alice, "agreement.pdf", file)
    work()
    mentions = EntityMention.objects.select_related("chunk", "document", "named__entity")
    assert mentions.count() > 100
    for mention in mentions:
        text = mention.chunk.text
        assert text[mention.said_start : mention.said_end].strip()
        assert mention.said_start <= mention.start < mention.end
        assert mention.named is not None
        assert mention.named.entity is not None
    kinds = {kind for types in Entity.objects.values_list("types", flat=True) for kind in types}
    assert {"TERM", "REFERENCE", "AMOUNT", "ORGANIZATION"} <= kinds
