"""One search over several datasources, each with its own embedder."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from datasources.models import Datasource
from providers.roles import embedder
from retrieval.engine.result import Result
from retrieval.engine.retrieve import retrieve
from retrieval.query import Query, Scope


def retrieve_from(query: Query, scopes: Sequence[Scope]) -> Result:
    """The passages that answer the query, at most k of all the scopes together. Raises ProviderError.

    Where one leg searches alone, the score of a passage is that leg's own: the cosine for `dense`.
    """
    datasources = Datasource.objects.in_bulk([scope.datasource_id for scope in scopes])
    results = [
        _in_its_own_measure(query, retrieve(query, scope, embedder(datasources[scope.datasource_id])))
        for scope in scopes
        if scope.datasource_id in datasources
    ]
    if len(results) == 1:
        return results[0]
    evidence = sorted((each for result in results for each in result.evidence), key=lambda each: -each.score)
    milliseconds: Counter[str] = Counter()
    for result in results:
        milliseconds.update(result.milliseconds)
    return Result(
        evidence=tuple(evidence[: query.k]),
        milliseconds=dict(milliseconds),
        candidates=sum(result.candidates for result in results),
        reranked=any(result.reranked for result in results),
        rerank_failed=next((result.rerank_failed for result in results if result.rerank_failed), ""),
    )


def _in_its_own_measure(query: Query, result: Result) -> Result:
    if len(query.legs) > 1 or result.reranked:
        return result
    (leg,) = query.legs
    measured = (replace(each, score=max(0.0, each.legs[leg].score)) for each in result.evidence)
    return replace(result, evidence=tuple(measured))
