"""A second look at the best passages, by a model that reads question and passage together."""

from collections.abc import Sequence
from dataclasses import replace

from providers.protocols import ProviderError
from providers.roles import ModelRole, reranker, structured_model
from retrieval.engine.by_model import Rated, rate
from retrieval.evidence import Evidence
from retrieval.query import Rerank

LOOKED_AT = 40  # passages, unless more are asked for
NO_SERVER = "No reranking server is set."
NO_MODEL = "No language model is set."


def reranked(
    question: str, passages: Sequence[Evidence], by: Rerank, datasource: int | None = None
) -> tuple[list[Evidence], str]:
    """The passages with the reranker's scores, the best first, and "".

    Where there is no reranker or it fails: as they were, and why.
    """
    try:
        scores = _scores(question, passages, by, datasource)
    except ProviderError as error:
        return list(passages), error.message
    if isinstance(scores, str):
        return list(passages), scores
    told = [replace(each, score=round(score, 4)) for each, score in zip(passages, scores, strict=True)]
    return sorted(told, key=lambda each: -each.score), ""


def _scores(
    question: str, passages: Sequence[Evidence], by: Rerank, datasource: int | None
) -> list[float] | str:
    """A score for each passage, or why there is none. Raises ProviderError."""
    if by == Rerank.BGE:
        server = reranker()
        return server.score(question, [_titled(each) for each in passages]) if server else NO_SERVER
    model = structured_model(datasource, ModelRole.AGENT)
    if model is None:
        return NO_MODEL
    rated = [Rated(document=each.document_title, text=each.text) for each in passages]
    return rate(model, question, rated)


def _titled(passage: Evidence) -> str:
    """With the document's title, which a reranker cannot know otherwise."""
    return f"{passage.document_title}\n{passage.text}"
