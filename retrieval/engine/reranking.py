"""A second look at the best passages, by a model that reads question and passage together."""

from collections.abc import Sequence
from dataclasses import replace

from providers.cross_encoders import reranker
from providers.protocols import ProviderError, StructuredModel
from retrieval.asker import asker_of
from retrieval.engine.by_model import Rated, rate
from retrieval.engine.language_model import language_model
from retrieval.engine.passages import joined
from retrieval.evidence import Evidence
from retrieval.query import Query, Rerank, Scope

LOOKED_AT = 40  # passages, unless more are asked for
NO_SERVER = "No reranking model is set."


def chosen(query: Query, passages: Sequence[Evidence], scopes: Sequence[Scope]) -> tuple[list[Evidence], str]:
    """What is given of the passages, best first: reranked where that is asked for, those that score enough, k
    of them, neighbours joined. Beside it why they were not reranked, or "".
    """
    evidence, failed = list(passages), ""
    if query.rerank != Rerank.NONE:
        looked_at = evidence[: max(query.k, LOOKED_AT)]
        evidence, failed = reranked(query.text, looked_at, query.rerank, scopes)
    evidence = near_the_best(evidence, query)[: query.k]
    return joined(evidence) if query.joined else evidence, failed


def near_the_best(evidence: Sequence[Evidence], query: Query) -> list[Evidence]:
    """Those that score enough, by themselves and beside the first."""
    least = max([query.min_score, *(query.near * each.score for each in evidence[:1])])
    return [each for each in evidence if each.score >= least]


def for_another_look(query: Query) -> Query:
    """The query for one of several searches whose passages are put together before `chosen`."""
    if query.rerank == Rerank.NONE:
        return query
    k = max(query.k, LOOKED_AT)
    return replace(query, rerank=Rerank.NONE, k=k, min_score=0.0, near=0.0, joined=False)


def reranked(
    question: str,
    passages: Sequence[Evidence],
    by: Rerank,
    scopes: Sequence[Scope],
    model: StructuredModel | None = None,
) -> tuple[list[Evidence], str]:
    """The passages with the reranker's scores, the best first, and "".

    Where there is no reranker or it fails: as they were, and why. `scopes` are those that were searched.
    `model`: the language model that a caller has made for it.
    """
    try:
        scores = rate(model, question, _rated(passages)) if model else _scores(question, passages, by, scopes)
    except ProviderError as error:
        return list(passages), error.message
    if isinstance(scores, str):
        return list(passages), scores
    told = [replace(each, score=round(score, 4)) for each, score in zip(passages, scores, strict=True)]
    return sorted(told, key=lambda each: -each.score), ""


def _scores(
    question: str, passages: Sequence[Evidence], by: Rerank, scopes: Sequence[Scope]
) -> list[float] | str:
    """A score for each passage, or why there is none. Raises ProviderError."""
    if by == Rerank.BGE:
        server = reranker(asker_of(scopes))
        return server.score(question, [_titled(each) for each in passages]) if server else NO_SERVER
    model = language_model(scopes)
    if isinstance(model, str):
        return model
    return rate(model, question, _rated(passages))


def _rated(passages: Sequence[Evidence]) -> list[Rated]:
    return [Rated(document=each.document_title, text=each.text) for each in passages]


def _titled(passage: Evidence) -> str:
    """With the document's title, which a reranker cannot know otherwise."""
    return f"{passage.document_title}\n{passage.text}"
