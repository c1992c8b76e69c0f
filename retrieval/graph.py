"""Searching the graph: entities, relations, questions in several steps. Every search takes a Scope first."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector

from graph.extraction.rules.words import STOP
from graph.resolution.linking import block_hash
from graph.resolution.resolve import Name, blocks
from graph.values.names import key
from ingestion.models import Chunk
from retrieval.evidence import Evidence, Scope
from retrieval.search import LIMIT, MAX_LIMIT, evidence
from retrieval.walk import FRONT, SECOND_HOP, Thing, Walk, best, tokens
from sql import rows

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


# Chunks that no search gives are few: keeping those out beats looking each chunk up. `live` mentions are of
# ready documents only.
_LEFT_OUT = "SELECT id FROM ingestion_chunk WHERE datasource_id = %(datasource)s AND left_out"
_NOT_READY = """
SELECT c.id FROM datasources_document d JOIN ingestion_chunk c ON c.document_id = d.id
WHERE d.datasource_id = %(datasource)s AND d.status <> 'ready'
"""
_PROVEN = f"""
m.live AND m.chunk_id NOT IN ({_LEFT_OUT})
  AND (%(documents)s::bigint[] IS NULL OR m.document_id = ANY(%(documents)s))
GROUP BY m.chunk_id
"""
_ENTITIES = f"""
SELECT e.id, e.name, e.types::text[], e.description, near.cosine, proof.chunks
FROM (SELECT entity_id, 1 - (vector <=> %(vector)s::halfvec) AS cosine FROM graph_entityembedding
      WHERE datasource_id = %(datasource)s ORDER BY vector <=> %(vector)s::halfvec LIMIT 4 * %(limit)s) near
JOIN graph_entity e ON e.id = near.entity_id AND NOT e.hidden
CROSS JOIN LATERAL (SELECT array_agg(chunk_id) AS chunks FROM (
  SELECT m.chunk_id FROM graph_entityname n JOIN graph_entitymention m ON m.named_id = n.id
  WHERE n.entity_id = e.id AND {_PROVEN}
  ORDER BY bool_or(m.defines) DESC, min(m.document_id), min(m.position) LIMIT %(proofs)s) x) proof
WHERE proof.chunks IS NOT NULL ORDER BY near.cosine DESC LIMIT %(limit)s
"""
_RELATIONS = f"""
SELECT r.id, s.name, t.name, r.description, near.cosine, proof.chunks
FROM (SELECT relation_id, 1 - (vector <=> %(vector)s::halfvec) AS cosine FROM graph_relationembedding
      WHERE datasource_id = %(datasource)s ORDER BY vector <=> %(vector)s::halfvec LIMIT 4 * %(limit)s) near
JOIN graph_relation r ON r.id = near.relation_id
JOIN graph_entity s ON s.id = r.source_id AND NOT s.hidden
JOIN graph_entity t ON t.id = r.target_id AND NOT t.hidden
CROSS JOIN LATERAL (SELECT array_agg(chunk_id) AS chunks FROM (
  SELECT m.chunk_id FROM graph_entityname a JOIN graph_entityname b ON b.entity_id = r.target_id
  JOIN graph_relationmention m ON m.source_id = a.id AND m.target_id = b.id
  WHERE a.entity_id = r.source_id AND {_PROVEN}
  ORDER BY max(m.strength) DESC, min(m.document_id), min(m.position) LIMIT %(proofs)s) x) proof
WHERE proof.chunks IS NOT NULL ORDER BY near.cosine DESC LIMIT %(limit)s
"""


def query_entities(scope: Scope, vector: NDArray[np.float32], limit: int = LIMIT) -> list[EntityFound]:
    """The entities whose vectors are nearest to a unit vector, among those the scope proves."""
    found = _ask(_ENTITIES, scope, HalfVector(vector).to_text(), limit=min(limit, MAX_LIMIT), proofs=PROOFS)
    proofs = _evidence(chunk for *_, chunks in found for chunk in chunks)
    return [
        EntityFound(
            entity_id=pk, name=name, types=tuple(types), description=description, score=round(near, 4),
            evidence=tuple(proofs[chunk] for chunk in chunks if chunk in proofs),
        )
        for pk, name, types, description, near, chunks in found
    ]  # fmt: skip


def query_relations(scope: Scope, vector: NDArray[np.float32], limit: int = LIMIT) -> list[RelationFound]:
    """The relations nearest to a unit vector, among those the scope proves."""
    found = _ask(_RELATIONS, scope, HalfVector(vector).to_text(), limit=min(limit, MAX_LIMIT), proofs=PROOFS)
    proofs = _evidence(chunk for *_, chunks in found for chunk in chunks)
    return [
        RelationFound(
            relation_id=pk, source=source, target=target, description=description, score=round(near, 4),
            evidence=tuple(proofs[chunk] for chunk in chunks if chunk in proofs),
        )
        for pk, source, target, description, near, chunks in found
    ]  # fmt: skip


def _ask(sql: str, scope: Scope, vector: str, **values: Any) -> list[tuple[Any, ...]]:
    """The rows of a search that knows %(datasource)s, %(documents)s (null for all) and %(vector)s."""
    documents = None if scope.document_ids is None else sorted(scope.document_ids)
    known = {"datasource": scope.datasource_id, "documents": documents, "vector": vector}
    with connection.cursor() as cursor:
        cursor.execute(sql, known | values)
        return cursor.fetchall()


def _evidence(ids: Iterable[int]) -> dict[int, Evidence]:
    chunks = Chunk.objects.select_related("document").in_bulk(set(ids))
    return {pk: evidence(chunk, 1.0) for pk, chunk in chunks.items()}


# --- multi-hop -------------------------------------------------------------------------------------------
def query_knowledge_graph(
    scope: Scope, question: str, vector: NDArray[np.float32], limit: int = LIMIT
) -> list[Evidence]:
    """The passages that prove the answer to a question, whose parts may stand pages apart.

    `vector` is the question's. Begins at passages like the question and at things that it names, and
    follows the graph to depth 2. Scores are relative to the best passage's own.
    """
    passages = _Passages(scope, vector)
    homes, mentions = _passages_of(_named_in(scope, question))
    passages.read_nearest(SEEDS)
    passages.read({*homes, *mentions})
    walk = Walk.begin(question, passages.texts, passages.near)
    walk.name(homes, mentions)
    scores = dict(walk.own)
    things: list[Thing] = []
    left: set[int] = set()
    for decay in (1.0, SECOND_HOP):
        front = {pk: scores[pk] for pk in best(scores, FRONT)}
        things += _things(sorted(front.keys() - left), passages)
        left |= front.keys()
        carried = walk.carry(things, front)
        reached = {pk: value for pk, value in carried.items() if pk in passages.texts}
        walk.meet(reached, passages.texts, passages.near)
        scores = walk.follow(reached, scores, decay)
    top = max(scores.values(), default=1.0) or 1.0
    return passages.evidence({pk: scores[pk] / top for pk in best(scores, min(limit, MAX_LIMIT))})


# The passages of the scope that are most like the question, and some passages of the scope, with cosines.
_SEEDS = f"""
SELECT c.id, c.text, near.cosine
FROM (SELECT chunk_id, 1 - (vector <=> %(vector)s::halfvec) AS cosine FROM ingestion_chunkembedding
      WHERE datasource_id = %(datasource)s AND chunk_id NOT IN ({_LEFT_OUT} UNION ALL {_NOT_READY})
        AND (%(documents)s::bigint[] IS NULL
             OR chunk_id IN (SELECT id FROM ingestion_chunk WHERE document_id = ANY(%(documents)s)))
      ORDER BY vector <=> %(vector)s::halfvec LIMIT %(limit)s) near
JOIN ingestion_chunk c ON c.id = near.chunk_id
"""
_TEXTS = """
SELECT c.id, c.text, 1 - (v.vector <=> %(vector)s::halfvec) FROM ingestion_chunk c
JOIN ingestion_chunkembedding v ON v.chunk_id = c.id JOIN datasources_document d ON d.id = c.document_id
WHERE c.id = ANY(%(ids)s) AND c.datasource_id = %(datasource)s AND NOT c.left_out AND d.status = 'ready'
  AND (%(documents)s::bigint[] IS NULL OR c.document_id = ANY(%(documents)s))
"""
_PLACES = """
SELECT c.id, d.id, d.title, c.first_page, c.last_page, c.start, c."end"
FROM ingestion_chunk c JOIN datasources_document d ON d.id = c.document_id WHERE c.id = ANY(%s)
"""


class _Passages:
    """What has been read of the scope's passages: their texts, and their cosines to the question, by id."""

    def __init__(self, scope: Scope, vector: NDArray[np.float32]) -> None:
        self.texts: dict[int, str] = {}
        self.near: dict[int, float] = {}
        self._scope = scope
        self._vector = HalfVector(vector).to_text()

    def read_nearest(self, limit: int) -> None:
        """The passages most like the question."""
        self._keep(_ask(_SEEDS, self._scope, self._vector, limit=limit))

    def read(self, ids: Iterable[int]) -> None:
        """Those of the passages that are in the scope."""
        self._keep(_ask(_TEXTS, self._scope, self._vector, ids=[pk for pk in ids if pk not in self.texts]))

    def _keep(self, found: list[tuple[Any, ...]]) -> None:
        for pk, text, cosine in found:
            self.texts[pk], self.near[pk] = text, cosine

    def evidence(self, scores: dict[int, float]) -> list[Evidence]:
        """Some of what was read, in the order of the scores."""
        told = {pk: place for pk, *place in rows(_PLACES, list(scores))}
        return [
            Evidence(
                chunk_id=pk, document_id=document, document_title=title, first_page=first, last_page=last,
                start=start, end=end, text=self.texts[pk], score=round(score, 4),
            )
            for pk, score in scores.items() if pk in told
            for document, title, first, last, start, end in [told[pk]]
        ]  # fmt: skip


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
        "SELECT b.block, n.id, n.count FROM graph_nameblock b JOIN graph_entityname n ON n.id ="
        " b.name_id"
        " JOIN graph_entity e ON e.id = n.entity_id WHERE b.block = ANY(%s) AND NOT e.hidden",
        list(spans),
    )
    met = {span for block, _, _ in found for span in spans[block]}
    inner = {a for a in met for b in met if a != b and b[0] <= a[0] and a[1] <= b[1]}
    return sorted({(pk, count) for block, pk, count in found if spans[block] - inner})


def _passages_of(names: Sequence[tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Homes and mentions of the names: chunk to the number of chunks that share the name."""
    homes: dict[int, dict[int, bool]] = defaultdict(dict)
    mentions: dict[int, dict[int, bool]] = defaultdict(dict)
    rare = {pk for pk, count in names if count <= COMMON}
    for name, chunk, defines in rows(
        "SELECT named_id, chunk_id, defines FROM graph_entitymention"
        " WHERE live AND (named_id = ANY(%s) OR (named_id = ANY(%s) AND defines))",
        sorted(rare), [pk for pk, _ in names],
    ):  # fmt: skip
        if defines:
            homes[name][chunk] = True
        if name in rare:
            mentions[name][chunk] = True
    return _fewest(homes.values()), _fewest(mentions.values())


def _fewest(groups: Iterable[dict[int, bool]]) -> dict[int, int]:
    """Each chunk with the size of the smallest group that it is in."""
    sizes: dict[int, int] = {}
    for group in groups:
        for chunk in group:
            sizes[chunk] = min(sizes.get(chunk, len(group)), len(group))
    return sizes


# What some passages say of things; and where else those things, or others of nearly their names, are told of.
_SAID = """
SELECT n.entity_id, n.id, m.chunk_id, m.description, m.said_start, m.said_end
FROM graph_entitymention m JOIN graph_entityname n ON n.id = m.named_id
JOIN graph_entity e ON e.id = n.entity_id
WHERE m.chunk_id = ANY(%s) AND m.live AND NOT e.hidden
"""
_ELSEWHERE = """
WITH own AS (SELECT id, entity_id FROM graph_entityname WHERE id = ANY(%s)),
names AS (
  SELECT own.entity_id, n.id FROM own JOIN graph_entityname n ON n.entity_id = own.entity_id
  UNION SELECT own.entity_id, b.name_id FROM own
    JOIN graph_nameblock a ON a.name_id = own.id AND a.sure
    JOIN graph_nameblock b ON b.block = a.block AND b.sure AND b.name_id <> own.id)
SELECT names.entity_id, m.defines, m.chunk_id, m.description, m.said_start, m.said_end
FROM names JOIN graph_entityname n ON n.id = names.id JOIN graph_entitymention m ON m.named_id = n.id
WHERE m.live AND (m.defines OR n.count <= %s)
"""


def _things(sources: Sequence[int], passages: _Passages) -> list[Thing]:
    """The things that these passages name; the passages that tell of them are read."""
    said = rows(_SAID, list(sources))
    elsewhere = rows(_ELSEWHERE, list({name for _, name, *_ in said}), COMMON)
    passages.read({chunk for _, _, chunk, *_ in elsewhere})
    texts = passages.texts
    things: dict[int, Thing] = defaultdict(Thing)
    for entity, _, chunk, description, start, end in said:
        things[entity].leaving[chunk] += f"{description or texts[chunk][start:end]} "
    for entity, defines, chunk, description, start, end in elsewhere:
        if defines:
            things[entity].homes.add(chunk)
        else:
            things[entity].told[chunk] += f"{description or texts.get(chunk, '')[start:end]} "
    return list(things.values())
