"""One search over several datasources, each with its own embedder."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from datasources.models import Datasource
from providers.roles import embedder
from retrieval.engine.passages import joined
from retrieval.engine.reranking import LOOKED_AT, reranked
from retrieval.engine.result import Result
from retrieval.engine.retrieve import retrieve
from retrieval.query import Query, Rerank, Scope


def retrieve_from(query: Query, scopes: Sequence[Scope]) -> Result:
    """The passages that answer the query, at most k of all the scopes together. Raises ProviderError.

    Where one leg searches alone, the score of a passage is that leg's own: the cosine for `dense`.
    """
    datasources = Datasource.objects.in_bulk([scope.datasource_id for scope in scopes])
    scopes = [scope for scope in scopes if scope.datasource_id in datasources]
    part = query if len(scopes) == 1 else _of_a_part(query)
    results = [
        _in_its_own_measure(part, retrieve(part, scope, embedder(datasources[scope.datasource_id])))
        for scope in scopes
    ]
    return results[0] if len(results) == 1 else _together(query, part, results)


def _of_a_part(query: Query) -> Query:
    """What each of several scopes is asked: the reranker sees the best of all of them, once."""
    if query.rerank == Rerank.NONE:
        return query
    k = max(query.k, LOOKED_AT)
    return replace(query, rerank=Rerank.NONE, k=k, min_score=0.0, joined=False)


def _together(query: Query, part: Query, results: Sequence[Result]) -> Result:
    evidence = sorted((each for result in results for each in result.evidence), key=lambda each: -each.score)
    evidence, failed = evidence[: part.k], ""
    if query.rerank != Rerank.NONE:
        evidence, failed = reranked(query.text, evidence, query.rerank)
        evidence = [each for each in evidence if each.score >= query.min_score][: query.k]
        evidence = joined(evidence) if query.joined else evidence
    milliseconds: Counter[str] = Counter()
    for result in results:
        milliseconds.update(result.milliseconds)
    return Result(
        evidence=tuple(evidence),
        milliseconds=dict(milliseconds),
        candidates=sum(result.candidates for result in results),
        reranked=query.rerank != Rerank.NONE and not failed,
        rerank_failed=failed,
    )


def _in_its_own_measure(query: Query, result: Result) -> Result:
    if len(query.legs) > 1 or result.reranked:
        return result
    (leg,) = query.legs
    measured = (replace(each, score=max(0.0, each.legs[leg].score)) for each in result.evidence)
    return replace(result, evidence=tuple(measured))
