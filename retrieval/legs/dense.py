"""Finding chunks by meaning: the nearest vectors, exactly."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.django import CosineDistance

from retrieval.evidence import Evidence, evidence_of
from retrieval.query import LIMIT, MAX_LIMIT, Scope


def search(
    scope: Scope,
    vector: NDArray[np.float32],
    limit: int = LIMIT,
    among: Collection[int] | None = None,
) -> list[Evidence]:
    """The chunks nearest to a unit vector, among those ids if given; score is the cosine similarity."""
    chunks = scope.chunks() if among is None else scope.chunks().filter(pk__in=among)
    chunks = (
        chunks.filter(embedding__datasource_id=scope.datasource_id)
        .annotate(distance=CosineDistance("embedding__vector", HalfVector(vector)))
        .select_related("document")
        .order_by("distance")[: min(limit, MAX_LIMIT)]
    )
    return [evidence_of(chunk, 1.0 - chunk.distance) for chunk in chunks]
