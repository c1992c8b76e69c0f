"""The keyword arguments of both clients. What is left out is as the server has it."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from svq_client.values import Document


class SearchOptions(TypedDict, total=False):
    """How to retrieve, see `rag/retrieve` in SVQ's reference. documents: numbers, or the `externalId` of
    documents; None for all in the 20 datasources that changed last. k: passages. engine: `advanced`, or
    `naive` for the nearest in meaning. min_similarity: cosine, 0 to 1. alpha: the share of meaning beside
    words. rerank: `bge` or `llm`. expand: other wordings are searched, too. `llm` and `expand` need the right
    to ask.
    """

    documents: Sequence[int | str | Document] | None
    k: int
    filters: Mapping[str, Any] | None
    engine: str
    min_similarity: float
    alpha: float | None
    rerank: str | None
    expand: bool


class QuestionOptions(TypedDict, total=False):
    """documents: only these are searched; None means all, or those of the conversation. conversation:
    `Answer` has it; None begins one. mode: `agent` searches as often as it needs, `fast` once. fresh:
    answer anew, even where the same was answered before.
    """

    documents: Sequence[int | Document] | None
    conversation: str | None
    mode: str
    fresh: bool
