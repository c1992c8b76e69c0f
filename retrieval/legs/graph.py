"""Finding entities and relations by meaning, with the passages that prove them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingestion.models import Chunk
from retrieval.evidence import Evidence, evidence_of
from retrieval.nearest import as_text, space_of
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from retrieval.sql import query

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


def search_entities(scope: Scope, vector: NDArray[np.float32], limit: int = LIMIT) -> list[EntityFound]:
    """The entities whose vectors are nearest to a unit vector, among those the scope proves."""
    nearest = _nearest("nearest_entities", scope, vector, limit)
    proofs = _evidence(chunk for *_, chunks in nearest for chunk in chunks)
    return [
        EntityFound(
            entity_id=pk,
            name=name,
            types=tuple(types),
            description=description,
            score=round(near, 4),
            evidence=tuple(proofs[chunk] for chunk in chunks if chunk in proofs),
        )
        for pk, name, types, description, near, chunks in nearest
    ]


def search_relations(scope: Scope, vector: NDArray[np.float32], limit: int = LIMIT) -> list[RelationFound]:
    """The relations nearest to a unit vector, among those the scope proves."""
    nearest = _nearest("nearest_relations", scope, vector, limit)
    proofs = _evidence(chunk for *_, chunks in nearest for chunk in chunks)
    return [
        RelationFound(
            relation_id=pk,
            source=source,
            target=target,
            description=description,
            score=round(near, 4),
            evidence=tuple(proofs[chunk] for chunk in chunks if chunk in proofs),
        )
        for pk, source, target, description, near, chunks in nearest
    ]


def _nearest(statement: str, scope: Scope, vector: NDArray[np.float32], limit: int) -> list[tuple[Any, ...]]:
    space = space_of(scope, vector)
    if space is None:
        return []
    return query(
        statement,
        **scope.parameters(),
        space=space.pk,
        vector=as_text(vector),
        limit=min(limit, MAX_LIMIT),
        proofs=PROOFS,
    )


def _evidence(ids: Iterable[int]) -> dict[int, Evidence]:
    # The graph may name a document for a moment after its deletion.
    chunks = Chunk.objects.searchable().select_related("document").in_bulk(set(ids))
    return {pk: evidence_of(chunk, 1.0) for pk, chunk in chunks.items()}
