"""A reranking model on any server with a /rerank address, such as TEI, Jina or Cohere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from openai import BadRequestError, OpenAI, OpenAIError, UnprocessableEntityError

from localization.stored import said
from providers.http.clients import sync_client
from providers.openai.chat import NO_KEY
from providers.openai.errors import provider_error
from providers.openai.resting import Server, asking
from providers.openai.tokens import MOST_TOKENS, estimated_tokens
from providers.protocols import ProviderError

AT_ONCE = 32  # texts of one request: TEI takes no more unless told
# Two texts that lie as far apart as texts can, by whose scores a server's measure is told.
QUESTION, RELEVANT, UNRELATED = (
    "What is the capital of France?",
    "The capital of France is Paris.",
    "Stir the soup and add a pinch of salt.",
)
ROUNDING = 0.01  # beyond 0 and 1, by which numbers of few bits are off


class ServerReranker:
    """`base_url` is what stands before /rerank, often with /v1 at its end; `timeout` is in seconds."""

    def __init__(self, base_url: str, api_key: str, model: str, timeout: float) -> None:
        self.name, self._timeout = model, timeout
        self._connection: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key or NO_KEY,
            "timeout": timeout,
            "max_retries": 0,
        }
        self._server = Server(base_url=base_url, api_key=api_key, model=model)
        self._as_tei = False  # which of the two forms the server has understood
        self._has_no_ends: bool | None = None  # whether it gives the model's own measure; None: not told yet

    def score(
        self, question: str, texts: Sequence[str], told: Callable[[int], None] = lambda tokens: None
    ) -> list[float]:
        """0 to 1 for each text, in their order; higher is better. Raises ProviderError.

        `told` hears how many tokens each request has taken.
        """
        with asking(self._server):
            return self._score(question, texts, told)

    def _score(self, question: str, texts: Sequence[str], told: Callable[[int], None]) -> list[float]:
        scores: list[float] = []
        try:
            with OpenAI(**self._connection, http_client=sync_client(timeout=self._timeout)) as client:
                for start in range(0, len(texts), AT_ONCE):
                    scores += self._batch(client, question, texts[start : start + AT_ONCE], told)
                if _have_no_ends(scores):
                    self._has_no_ends = True
                elif self._has_no_ends is None:
                    self._has_no_ends = _have_no_ends(
                        self._batch(client, QUESTION, [RELEVANT, UNRELATED], told)
                    )
        except (OpenAIError, ValueError) as error:
            raise provider_error(error, self.name) from error
        return [_squashed(score) if self._has_no_ends else min(1.0, max(0.0, score)) for score in scores]

    def _batch(
        self, client: OpenAI, question: str, texts: Sequence[str], told: Callable[[int], None]
    ) -> list[float]:
        try:
            answer = self._post(client, question, texts)
        except (BadRequestError, UnprocessableEntityError):
            self._as_tei = not self._as_tei
            answer = self._post(client, question, texts)
        told(_tokens(answer) or sum(estimated_tokens(question) + estimated_tokens(text) for text in texts))
        return self._scores(answer, len(texts))

    def _post(self, client: OpenAI, question: str, texts: Sequence[str]) -> Any:
        # An empty text is refused; a space says as little.
        given = [text or " " for text in texts]
        cohere = {"model": self.name, "query": question, "documents": given, "top_n": len(given)}
        tei = {"query": question, "texts": given, "truncate": True}
        return client.post("/rerank", body=tei if self._as_tei else cohere, cast_to=object)

    def _scores(self, answer: Any, expected: int) -> list[float]:
        rows: Any = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
        try:
            scores = {int(row["index"]): float(row.get("relevance_score", row.get("score"))) for row in rows}
        except (TypeError, ValueError, KeyError, AttributeError):
            scores = {}
        if scores.keys() != set(range(expected)) or not all(map(math.isfinite, scores.values())):
            raise ProviderError(
                said(
                    "The reranking model {name} does not score each of {expected} passages. The passages "
                    "stand as the searches left them. Check that the address ends where /rerank begins.",
                    name=self.name,
                    expected=expected,
                )
            )
        return [scores[index] for index in range(expected)]


def _tokens(answer: Any) -> int:
    """As Jina and vLLM tell them; 0 where the server does not."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    count = usage.get("total_tokens") if isinstance(usage, dict) else None
    return count if isinstance(count, int) and 0 < count <= MOST_TOKENS else 0


def _have_no_ends(scores: Sequence[float]) -> bool:
    return any(not -ROUNDING <= score <= 1 + ROUNDING for score in scores)


def _squashed(score: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, score))))
