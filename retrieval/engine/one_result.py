"""Joins several searches for one query: for its parts, in other wordings, or in several datasources."""

from collections import Counter
from collections.abc import Sequence

from retrieval.engine.reranking import chosen
from retrieval.engine.result import Result
from retrieval.engine.stopwatch import Stopwatch
from retrieval.evidence import Evidence
from retrieval.query import Leg, Query, Rerank, Scope


def one_result(
    query: Query,
    passages: Sequence[Evidence],
    results: Sequence[Result],
    scopes: Sequence[Scope],
    *,
    foreign: str,
    unknown: Sequence[str],
) -> Result:
    """One result of theirs: times and candidates add up, and a leg counts as it did where it counted most.

    passages: what they found, the best first; of these some are chosen. foreign, unknown: as in `Result`; how
    they follow from those of the searches depends on why there are several.
    """
    milliseconds: Counter[str] = Counter()
    weights: dict[Leg, float] = {}
    for result in results:
        milliseconds.update(result.milliseconds)
        weights |= {leg: max(weight, weights.get(leg, 0.0)) for leg, weight in result.weights.items()}
    watch = Stopwatch(milliseconds)
    with watch.stage("rerank"):
        evidence, failed = chosen(query, passages, scopes)
    return Result(
        evidence=tuple(evidence),
        milliseconds=watch.milliseconds,
        candidates=sum(result.candidates for result in results),
        weights=weights,
        foreign=foreign,
        unknown=tuple(unknown),
        reranked=query.rerank != Rerank.NONE and not failed,
        rerank_failed=failed,
    )
