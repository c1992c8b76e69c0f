"""Finding chunks by meaning: the nearest vectors."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from retrieval.evidence import Evidence, evidence_of
from retrieval.nearest import nearest
from retrieval.query import LIMIT, MAX_LIMIT, Scope


def search(
    scope: Scope,
    vector: NDArray[np.float32],
    limit: int = LIMIT,
    among: Collection[int] | None = None,
) -> list[Evidence]:
    """The chunks nearest to a unit vector, among those ids if given; score is the cosine similarity.

    Raises ProviderError for a vector of another model than the documents'.
    """
    near = nearest(scope, vector, min(limit, MAX_LIMIT), among)
    chunks = scope.chunks().select_related("document").in_bulk([pk for pk, *_ in near])
    return [evidence_of(chunks[pk], cosine) for pk, _, cosine in near if pk in chunks]
