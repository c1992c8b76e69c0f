"""The chunks nearest to a vector: by exact scan, or by the datasource's own index where it has one.

A filter never costs results: a narrow one is scanned exactly, and so is what the index finds too little in.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from ingestion.indexes import vector_spaces
from ingestion.indexes.vector_index import BITS_ABOVE, name_of, scanned_exactly
from ingestion.models import VectorSpace
from retrieval.query import Scope
from retrieval.scope_size import passages_in
from retrieval.sql import query

Vector = NDArray[np.float32]
# Up to which share of `scanned_exactly` a narrow scope is compared exactly. Looked up by its chunk, a vector
# costs more than in a scan of all; an index of bits, passing over others, is slower still and misses some.
FILTERED, FILTERED_OF_BITS = 0.5, 2.0
RERANKED = 400  # nearest by their bits alone, among which the whole vectors choose

Near = list[tuple[int, int, float]]  # (chunk, document, cosine similarity), the nearest first


def space_of(scope: Scope, vector: Vector) -> VectorSpace | None:
    """The vectors that this one can be compared with; None where nothing is embedded.

    Raises ProviderError.
    """
    return vector_spaces.comparable(scope.datasource_id, scope.embedded_by, len(vector))


def nearest(scope: Scope, vector: Vector, limit: int, among: Collection[int] | None = None) -> Near:
    """The chunks of the scope nearest to a unit vector, among those ids if given. Raises ProviderError."""
    space = space_of(scope, vector)
    return [] if space is None else nearest_in(space, scope, vector, limit, among)


def nearest_in(
    space: VectorSpace, scope: Scope, vector: Vector, limit: int, among: Collection[int] | None = None
) -> Near:
    """The same in a space that was looked up before."""
    if among is not None or not (space.indexed and _is_wide(scope, space)):
        return exactly(space, scope, vector, limit, among)
    near = by_index(space, scope, vector, limit)
    return near if len(near) == limit else exactly(space, scope, vector, limit)


def exactly(
    space: VectorSpace, scope: Scope, vector: Vector, limit: int, among: Collection[int] | None = None
) -> Near:
    """Every vector is compared; takes as long as the scope is large."""
    if among is None and scope.document_ids is None:
        return _near(query("nearest_in_all", **_parameters(space, scope, vector, limit)))
    chunks = None if among is None else sorted(among)
    return _near(query("nearest_in_some", **_parameters(space, scope, vector, limit), chunks=chunks))


def by_index(space: VectorSpace, scope: Scope, vector: Vector, limit: int) -> Near:
    """As the index finds them: now and then it misses one, and of a narrow scope it may give too few."""
    statement = "nearest_by_bits" if space.dimensions > BITS_ABOVE else "nearest_by_index"
    parameters = _parameters(space, scope, vector, limit)
    candidates = max(RERANKED, 4 * limit)
    with transaction.atomic():
        query("hold_candidates", index=name_of(space.pk))
        return _near(query(statement, **parameters, dimensions=space.dimensions, candidates=candidates))


def _parameters(space: VectorSpace, scope: Scope, vector: Vector, limit: int) -> dict[str, Any]:
    return {**scope.parameters(), "space": space.pk, "vector": as_text(vector), "limit": limit}


def as_text(vector: Vector) -> str:
    """A unit vector as Postgres reads it; what lies beyond six places changes no cosine's fourth."""
    return f"[{','.join(['%.6f'] * len(vector)) % tuple(vector.tolist())}]"


def _near(rows: list[tuple[Any, ...]]) -> Near:
    near = ((chunk, document, float(cosine)) for chunk, document, cosine in rows)
    return sorted(near, key=lambda each: (-each[2], each[0]))


def _is_wide(scope: Scope, space: VectorSpace) -> bool:
    """Whether an exact scan of the scope would take longer than the index."""
    if scope.document_ids is None:
        return True
    share = FILTERED_OF_BITS if space.dimensions > BITS_ABOVE else FILTERED
    return passages_in(scope) > share * scanned_exactly(space.dimensions)
