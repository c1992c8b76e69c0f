"""Searching the graph: entities, relations, questions in several steps. Every search takes a Scope first."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from ingestion.graph.link import block_hash, rows
from ingestion.graph.names import key
from ingestion.graph.resolve import Name, blocks
from ingestion.graph.words import STOP
from ingestion.models import Chunk, Entity, Relation
from retrieval.evidence import Evidence, Scope
from retrieval.search import LIMIT, MAX_LIMIT, evidence, in_scope
from retrieval.walk import SECOND_HOP, Link, Walk, front, tokens

SEEDS = 40  # passages like the question, from which the walk begins
COMMON = 40  # a thing named more often leads nowhere in particular, but for its home
LONGEST_NAME = 6  # words of the question that are looked up together
PROOFS = 3  # passages given with an entity or a relation


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFound:
    """An entity near the query, with passages that name it; score is the cosine similarity."""

    entity_id: int
    name: str
    types: tuple[str, ...]
    description: str
    score: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationFound:
    """A relation near the query, with passages that say so; score is the cosine similarity."""

    relation_id: int
    source: str
    target: str
    description: str
    score: float
    evidence: tuple[Evidence, ...]


def query_entities(scope: Scope, vector: NDArray[np.float32], limit: int = LIMIT) -> list[EntityFound]:
    """The entities whose “name - description” is nearest to a unit vector, among those the scope proves."""
    found = rows(
        "SELECT entity_id, 1 - (vector <=> %s::halfvec) AS near FROM ingestion_entityembedding"
        " WHERE datasource_id = %s ORDER BY near DESC LIMIT %s",
        HalfVector(vector).to_text(), scope.datasource_id, 4 * min(limit, MAX_LIMIT),
    )  # fmt: skip
    entities = Entity.objects.filter(hidden=False).in_bulk([pk for pk, _ in found])
    proofs = _proofs(
        scope,
        "SELECT n.entity_id, m.chunk_id FROM ingestion_entityname n JOIN ingestion_entitymention m"
        " ON m.named_id = n.id WHERE n.entity_id = ANY(%s) AND m.live ORDER BY m.defines DESC,"
        " m.document_id, m.position",
        list(entities),
    )
    return [
        EntityFound(
            entity_id=pk, name=entities[pk].name, types=tuple(entities[pk].types),
            description=entities[pk].description, score=round(float(near), 4), evidence=tuple(proofs[pk]),
        )
        for pk, near in found
        if pk in entities and proofs[pk]
    ][: min(limit, MAX_LIMIT)]  # fmt: skip


def query_relations(scope: Scope, vector: NDArray[np.float32], limit: int = LIMIT) -> list[RelationFound]:
    """The relations nearest to a unit vector, among those the scope proves."""
    found = rows(
        "SELECT relation_id, 1 - (vector <=> %s::halfvec) AS near FROM ingestion_relationembedding"
        " WHERE datasource_id = %s ORDER BY near DESC LIMIT %s",
        HalfVector(vector).to_text(), scope.datasource_id, 4 * min(limit, MAX_LIMIT),
    )  # fmt: skip
    visible = Relation.objects.filter(source__hidden=False, target__hidden=False)
    relations = visible.select_related("source", "target").in_bulk([pk for pk, _ in found])
    proofs = _proofs(
        scope,
        "SELECT r.id, m.chunk_id FROM ingestion_relation r"
        " JOIN ingestion_entityname s ON s.entity_id = r.source_id JOIN ingestion_entityname t ON"
        " t.entity_id = r.target_id"
        " JOIN ingestion_relationmention m ON m.source_id = s.id AND m.target_id = t.id"
        " WHERE r.id = ANY(%s) AND m.live ORDER BY m.strength DESC, m.document_id, m.position",
        list(relations),
    )
    return [
        RelationFound(
            relation_id=pk, source=relations[pk].source.name, target=relations[pk].target.name,
            description=relations[pk].description, score=round(float(near), 4), evidence=tuple(proofs[pk]),
        )
        for pk, near in found
        if pk in relations and proofs[pk]
    ][: min(limit, MAX_LIMIT)]  # fmt: skip


def _proofs(scope: Scope, sql: str, ids: Sequence[int]) -> dict[int, list[Evidence]]:
    """The first PROOFS passages of the scope for each id, given (id, chunk) rows in order of merit."""
    named = rows(sql, list(ids))
    chunks = in_scope(scope).select_related("document").in_bulk({chunk for _, chunk in named})
    out: dict[int, dict[int, Evidence]] = defaultdict(dict)
    for pk, chunk in named:
        if chunk in chunks and len(out[pk]) < PROOFS:
            out[pk].setdefault(chunk, evidence(chunks[chunk], 1.0))
    return defaultdict(list, {pk: list(found.values()) for pk, found in out.items()})


# --- multi-hop -------------------------------------------------------------------------------------------
def query_knowledge_graph(
    scope: Scope, question: str, vector: NDArray[np.float32], limit: int = LIMIT
) -> list[Evidence]:
    """The passages that prove the answer to a question, whose parts may stand pages apart.

    `vector` is the question's. Begins at passages like the question and at things that it names, and
    follows the graph to depth 2. Scores are relative to the best passage's own.
    """
    near = dict(_nearest(scope, vector))
    names = _named_in(scope, question)
    homes, mentions = _passages_of(names)
    texts = _texts(scope, vector, {*near, *homes, *mentions}, near)
    walk = Walk.begin(question, texts, near)
    walk.name(homes, mentions)
    scores = dict(walk.own)
    for decay in (1.0, SECOND_HOP):
        links = _links(front(scores))
        fresh = {link.target for link in links} - set(texts)
        met = _texts(scope, vector, fresh, near)
        texts |= met
        walk.meet(met, near)
        scores = walk.follow(links, scores, decay)
    best = sorted(scores, key=lambda pk: (-scores[pk], pk))[: min(limit, MAX_LIMIT)]
    chunks = Chunk.objects.select_related("document").in_bulk(best)
    top = max(scores[best[0]], 1e-9) if best else 1.0
    return [evidence(chunks[pk], scores[pk] / top) for pk in best if pk in chunks]


def _nearest(scope: Scope, vector: NDArray[np.float32]) -> list[tuple[int, float]]:
    """The SEEDS passages of the scope that are most like the question, with their cosines."""
    documents = None if scope.document_ids is None else sorted(scope.document_ids)
    return rows(
        "SELECT v.chunk_id, 1 - (v.vector <=> %s::halfvec) FROM ingestion_chunkembedding v"
        " JOIN ingestion_chunk c ON c.id = v.chunk_id JOIN datasources_document d ON d.id = c.document_id"
        " WHERE v.datasource_id = %s AND NOT c.left_out AND d.status = 'ready'"
        " AND (%s::bigint[] IS NULL OR c.document_id = ANY(%s)) ORDER BY v.vector <=> %s::halfvec LIMIT %s",
        HalfVector(vector).to_text(), scope.datasource_id, documents, documents, HalfVector(vector).to_text(),
        SEEDS,
    )  # fmt: skip


def _texts(
    scope: Scope, vector: NDArray[np.float32], ids: Iterable[int], near: dict[int, float]
) -> dict[int, str]:
    """Texts of those passages that the scope allows; their cosines are added to `near`."""
    documents = None if scope.document_ids is None else sorted(scope.document_ids)
    found = rows(
        "SELECT c.id, c.text, 1 - (v.vector <=> %s::halfvec) FROM ingestion_chunk c"
        " JOIN ingestion_chunkembedding v ON v.chunk_id = c.id JOIN datasources_document d ON d.id ="
        " c.document_id"
        " WHERE c.id = ANY(%s) AND c.datasource_id = %s AND NOT c.left_out AND d.status = 'ready'"
        " AND (%s::bigint[] IS NULL OR c.document_id = ANY(%s))",
        HalfVector(vector).to_text(), list(ids), scope.datasource_id, documents, documents,
    )  # fmt: skip
    near |= {pk: float(cosine) for pk, _, cosine in found}
    return {pk: text for pk, text, _ in found}


def _named_in(scope: Scope, question: str) -> list[tuple[int, int]]:
    """(id, count) of the names that the question has, spelled as in the documents or nearly so.

    Of names within one another the longest counts: “Harbour Lights” is not about harbours.
    """
    words = tokens(question)
    spans: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for i in range(len(words)):
        for j in range(i + 1, min(i + LONGEST_NAME, len(words)) + 1):
            gram = " ".join(words[i:j])
            if words[i] not in STOP and words[j - 1] not in STOP and len(gram) > 2:
                for block in blocks(Name(key=key(gram)))[0]:
                    spans[block_hash(scope.datasource_id, block)].add((i, j))
    found = rows(
        "SELECT b.block, n.id, n.count FROM ingestion_nameblock b JOIN ingestion_entityname n ON n.id ="
        " b.name_id"
        " JOIN ingestion_entity e ON e.id = n.entity_id WHERE b.block = ANY(%s) AND NOT e.hidden",
        list(spans),
    )
    met = {span for block, _, _ in found for span in spans[block]}
    inner = {a for a in met for b in met if a != b and b[0] <= a[0] and a[1] <= b[1]}
    return sorted({(pk, count) for block, pk, count in found if spans[block] - inner})


def _passages_of(names: Sequence[tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Homes and mentions of the names: chunk to the number of chunks that share the name."""
    homes: dict[int, int] = {}
    mentions: dict[int, int] = {}
    for ids, into, only_homes in (
        ([pk for pk, _ in names], homes, True),
        ([pk for pk, count in names if count <= COMMON], mentions, False),
    ):
        by_name: dict[int, set[int]] = defaultdict(set)
        for name, chunk in rows(
            "SELECT named_id, chunk_id FROM ingestion_entitymention WHERE live AND named_id = ANY(%s)"
            + (" AND defines" if only_homes else ""),
            ids,
        ):
            by_name[name].add(chunk)
        for chunks in by_name.values():
            for chunk in chunks:
                into[chunk] = min(into.get(chunk, len(chunks)), len(chunks))
    return homes, mentions


_FROM = """
SELECT m.chunk_id, n.id, n.entity_id, n.count,
       CASE WHEN m.description <> '' THEN m.description ELSE substr(c.text, m.said_start + 1, m.said_end -
         m.said_start) END
FROM ingestion_entitymention m JOIN ingestion_entityname n ON n.id = m.named_id
JOIN ingestion_chunk c ON c.id = m.chunk_id JOIN ingestion_entity e ON e.id = n.entity_id
WHERE m.chunk_id = ANY(%s) AND m.live AND NOT e.hidden
"""
_NAMES = """
SELECT e, n FROM (
  SELECT own.entity_id AS e, other.id AS n FROM ingestion_entityname own
    JOIN ingestion_entityname other ON other.entity_id = own.entity_id WHERE own.id = ANY(%s)
  UNION SELECT own.entity_id, b.name_id FROM ingestion_entityname own JOIN ingestion_nameblock a ON
    a.name_id = own.id
    JOIN ingestion_nameblock b ON b.block = a.block AND b.sure WHERE own.id = ANY(%s) AND a.sure) AS x
"""
_TO = """
SELECT m.named_id, m.chunk_id, m.defines,
       CASE WHEN m.description <> '' THEN m.description ELSE substr(c.text, m.said_start + 1, m.said_end -
         m.said_start) END
FROM ingestion_entitymention m JOIN ingestion_chunk c ON c.id = m.chunk_id
WHERE m.live AND ((m.named_id = ANY(%s) AND m.defines) OR m.named_id = ANY(%s))
"""


def _links(sources: Sequence[int]) -> list[Link]:
    """All ways that lead out of these passages."""
    leaving: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    names: set[int] = set()
    for chunk, name, entity, _, said in rows(_FROM, list(sources)):
        leaving[entity][chunk].append(said)
        names.add(name)
    entities_of: dict[int, set[int]] = defaultdict(set)
    for entity, name in rows(_NAMES, list(names), list(names)):
        entities_of[name].add(entity)
    rare = [pk for (pk,) in rows(
        "SELECT id FROM ingestion_entityname WHERE id = ANY(%s) AND count <= %s", list(entities_of), COMMON
    )]  # fmt: skip
    homes: dict[int, set[int]] = defaultdict(set)
    arriving: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, chunk, defines, said in rows(_TO, list(entities_of), rare):
        for entity in entities_of[name]:
            if defines:
                homes[entity].add(chunk)
            else:
                arriving[entity][chunk].append(said)
    return [
        link
        for entity, starts in leaving.items()
        for source, said in starts.items()
        for link in _ways(source, " ".join(dict.fromkeys(said)), homes[entity], arriving[entity])
    ]


def _ways(source: int, leaving: str, homes: set[int], arriving: dict[int, list[str]]) -> list[Link]:
    ways = [
        Link(source=source, target=target, leaving=leaving, arriving="", home=True, spread=len(homes))
        for target in homes
        if target != source
    ]
    spread = len({source, *homes, *arriving})
    ways += [
        Link(
            source=source, target=target, leaving=leaving, arriving=" ".join(dict.fromkeys(said)),
            home=False, spread=spread,
        )
        for target, said in arriving.items()
        if target != source and target not in homes
    ]  # fmt: skip
    return ways
