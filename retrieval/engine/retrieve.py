"""One search from the question to its evidence: filter, legs, fusion."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from datasources.models import Document
from providers.protocols import Embedder
from retrieval.engine.result import Result
from retrieval.engine.stopwatch import Stopwatch
from retrieval.evidence import Evidence, LegScore
from retrieval.legs import dense, fuzzy, graph_expansion
from retrieval.query import MAX_LIMIT, Filters, Leg, Query, Scope

RANK_CONSTANT = 60  # of reciprocal rank fusion, as in its first description
Vector = NDArray[np.float32]

LEGS: Mapping[Leg, Callable[[Scope, str, Vector], list[Evidence]]] = {
    Leg.DENSE: lambda scope, text, vector: dense.search(scope, vector, MAX_LIMIT),
    Leg.FUZZY: lambda scope, text, vector: fuzzy.search(scope, text, MAX_LIMIT),
    Leg.GRAPH: lambda scope, text, vector: graph_expansion.search(scope, text, vector, MAX_LIMIT),
}


def retrieve(query: Query, scope: Scope, embedder: Embedder) -> Result:
    """The passages of the scope that answer the query, at most k. Raises ProviderError of the embedder."""
    watch = Stopwatch()
    with watch.stage("filter"):
        scope = filtered(scope, query.filters)
    with watch.stage("embed"):
        vector = embedder.embed([query.text])[0]
    found: dict[Leg, list[Evidence]] = {}
    for leg, search in LEGS.items():
        if leg in query.legs:
            with watch.stage(leg):
                found[leg] = search(scope, query.text, vector)
    with watch.stage("fuse"):
        evidence = _fused(found)
    return Result(
        evidence=tuple(evidence[: query.k]), milliseconds=watch.milliseconds, candidates=len(evidence)
    )


def filtered(scope: Scope, filters: Filters) -> Scope:
    """The part of the scope whose documents pass the filters."""
    if filters == Filters():
        return scope
    documents = Document.objects.ready().filter(datasource_id=scope.datasource_id)
    if filters.document_ids is not None:
        documents = documents.filter(pk__in=filters.document_ids)
    return scope.only(frozenset(documents.values_list("pk", flat=True)))


def _fused(found: Mapping[Leg, Sequence[Evidence]]) -> list[Evidence]:
    passages: dict[int, Evidence] = {}
    legs: dict[int, dict[Leg, LegScore]] = {}
    for leg, results in found.items():
        for rank, passage in enumerate(results, start=1):
            passages.setdefault(passage.chunk_id, passage)
            legs.setdefault(passage.chunk_id, {})[leg] = LegScore(score=passage.score, rank=rank)
    most = len(found) / (RANK_CONSTANT + 1)
    scores = {
        pk: sum(1 / (RANK_CONSTANT + one.rank) for one in told.values()) / most for pk, told in legs.items()
    }
    order = sorted(passages, key=lambda pk: (-scores[pk], pk))
    return [replace(passages[pk], score=round(scores[pk], 4), legs=legs[pk]) for pk in order]
