"""One search over several datasources, each with its own vectors."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from datasources.models import Datasource
from providers.protocols import Embedder, ProviderError
from retrieval.engine.embedders import SharedEmbedders
from retrieval.engine.reranking import chosen, for_another_look
from retrieval.engine.result import Result
from retrieval.engine.retrieve import NEED_A_VECTOR, expanding, retrieve
from retrieval.query import Leg, Query, Rerank, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one datasource gives.

    `model`: by which its documents are embedded. `problem`: why the query has no vector, so that only its
    words were searched.
    """

    scope: Scope
    datasource: Datasource
    model: str
    result: Result
    problem: str = ""


def retrieve_from(query: Query, scopes: Sequence[Scope]) -> Result:
    """The passages that answer the query, at most k of all the scopes together. Raises ProviderError."""
    if query.expand:
        return expanding(query, scopes, lambda asked: retrieve_from(asked, scopes))
    asked = query if len(scopes) == 1 else for_another_look(query)
    results = [part.result for part in retrieve_each(asked, scopes)]
    return results[0] if asked is query and len(results) == 1 else _together(query, asked, results, scopes)


def retrieve_each(
    query: Query,
    scopes: Sequence[Scope],
    embedders: SharedEmbedders | None = None,
    *,
    words_at_least: bool = False,
) -> list[Part]:
    """The passages of each scope, whose scores can be compared across them: exactly where one leg searches,
    roughly where several do, for how much each counts is weighed within a datasource.

    Where one leg searches alone, the score of a passage is that leg's own: the cosine for `dense`.
    words_at_least: where the query has no vector, search for its words in place of raising ProviderError.
    """
    embedders = embedders or SharedEmbedders()
    datasources = Datasource.objects.in_bulk([scope.datasource_id for scope in scopes])
    parts = []
    for scope in scopes:
        if datasource := datasources.get(scope.datasource_id):
            model = embedders.of(datasource)
            result, problem = _retrieve(query, scope, model, words_at_least)
            parts.append(
                Part(
                    scope=scope,
                    datasource=datasource,
                    model=model.name,
                    result=_in_its_own_measure(query, result),
                    problem=problem,
                )
            )
    return parts


def _retrieve(query: Query, scope: Scope, model: Embedder, words_at_least: bool) -> tuple[Result, str]:
    try:
        return retrieve(query, scope, model), ""
    except ProviderError as error:
        by_words = query.legs - NEED_A_VECTOR
        if not words_at_least or not by_words:
            raise
        return retrieve(replace(query, legs=by_words), scope, model), error.message


def _together(query: Query, part: Query, results: Sequence[Result], scopes: Sequence[Scope]) -> Result:
    evidence = sorted((each for result in results for each in result.evidence), key=lambda each: -each.score)
    evidence, failed = chosen(query, evidence[: part.k], scopes)
    milliseconds: Counter[str] = Counter()
    for result in results:
        milliseconds.update(result.milliseconds)
    languages = {result.foreign for result in results}
    weights: dict[Leg, float] = {}
    for result in results:
        weights |= {leg: max(weight, weights.get(leg, 0.0)) for leg, weight in result.weights.items()}
    return Result(
        evidence=tuple(evidence),
        milliseconds=dict(milliseconds),
        candidates=sum(result.candidates for result in results),
        weights=weights,
        foreign=languages.pop() if len(languages) == 1 else "",
        unknown=tuple(
            word
            for word in dict.fromkeys(word for result in results for word in result.unknown)
            if all(word in result.unknown for result in results)
        ),
        reranked=query.rerank != Rerank.NONE and not failed,
        rerank_failed=failed,
    )


def _in_its_own_measure(query: Query, result: Result) -> Result:
    if len(query.legs) > 1 or query.rewrites or result.reranked:
        return result
    (leg,) = query.legs
    measured = (replace(each, score=max(0.0, each.legs[leg].score)) for each in result.evidence)
    return replace(result, evidence=tuple(measured))
