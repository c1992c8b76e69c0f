"""A question that asks for several things: each is searched separately, and the best of each come first.

The vector of two questions in one is near the passages of neither.
"""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.engine.one_result import one_result
from retrieval.engine.passages import without_repetitions
from retrieval.engine.reranking import LOOKED_AT
from retrieval.engine.result import Result
from retrieval.evidence import Evidence
from retrieval.query import Leg, Query, Rerank, Scope
from text.question_parts import parts

MOST = 4  # parts; a text with more is no question
MOST_GAIN = 2.0  # that the passages of a part may have: where it has no good ones, they stay behind


def parts_of(query: Query) -> list[Query]:
    """A query for each thing that is asked for; none where it is one, or a single leg is asked."""
    if not {Leg.DENSE, Leg.BM25} <= query.legs:
        return []
    asked = parts(query.text)
    if not 1 < len(asked) <= MOST:
        return []
    k = query.k if query.rerank == Rerank.NONE else max(query.k, LOOKED_AT)
    return [
        replace(query, text=text, k=k, rerank=Rerank.NONE, min_score=0.0, near=0.0, joined=False)
        for text in asked
    ]


def gains(results: Sequence[Sequence[Result]]) -> list[float]:
    """A factor for the scores of each part, with which its best passage is worth as much as the best of the
    others. results: by part, those of all searches for it.
    """
    tops = [max((e.score for result in of_part for e in result.evidence), default=0.0) for of_part in results]
    best = max(tops)
    return [min(MOST_GAIN, best / top) if top else 1.0 for top in tops]


def put_together(
    query: Query, results: Sequence[Result], gained: Sequence[float], scopes: Sequence[Scope]
) -> Result:
    """One result of those of the parts; a passage that several found has the best of its scores."""
    passages: dict[int, Evidence] = {}
    for result, gain in zip(results, gained, strict=True):
        for each in result.evidence:
            told = replace(each, score=round(min(1.0, gain * each.score), 4))
            if each.chunk_id not in passages or passages[each.chunk_id].score < told.score:
                passages[each.chunk_id] = told
    ordered = sorted(passages.values(), key=lambda each: (-each.score, each.chunk_id))
    return one_result(
        query,
        without_repetitions(ordered),
        results,
        scopes,
        foreign=results[0].foreign if all(result.foreign for result in results) else "",
        unknown=list(dict.fromkeys(word for result in results for word in result.unknown)),
    )
