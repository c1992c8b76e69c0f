"""An embedding model on any server that speaks the OpenAI protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from openai import BadRequestError, OpenAI, OpenAIError, UnprocessableEntityError

from localization.stored import said
from providers.http.clients import sync_client
from providers.openai.chat import NO_KEY
from providers.openai.errors import provider_error
from providers.openai.refusals import Extra, refusals
from providers.openai.resting import Server, asking
from providers.openai.tokens import estimated_tokens, usage_of
from providers.protocols import ProviderError, Vectors
from providers.protocols.embedding import AlikeEmbedder


class OpenAIEmbedder(AlikeEmbedder):
    """An embedding model. Without `dimensions` the size of its vectors is learnt from the first one."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        dimensions: int | None = None,
        *,
        batch: int = 64,
        timeout: float = 60.0,
    ) -> None:
        self.name = model
        self._connection: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key or NO_KEY,
            "timeout": timeout,
        }
        self._server = Server(base_url=base_url, api_key=api_key, model=model)
        self._asked_dimensions = dimensions
        self._refused = refusals(base_url, model)
        self._batch = batch

    @cached_property
    def dimensions(self) -> int:
        """As configured, else as the server answers: then the first look is a request and may raise."""
        return self._asked_dimensions or self._embed(["dimensions"]).shape[1]

    def embed(self, texts: Sequence[str], told: Callable[[int], None] = lambda tokens: None) -> Vectors:
        """Vectors of length 1, float32 (len(texts), dimensions), in the order of the texts.

        `told` hears how many tokens each request has taken.
        """
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        vectors = self._embed(texts, told)
        if vectors.shape[1] != self.dimensions:
            raise ProviderError(
                said(
                    "The embedding model {name} returns {shape} numbers per text where {dimensions} are "
                    "expected. No document is changed. Correct the model or its dimensions in the "
                    "settings.",
                    name=self.name,
                    shape=vectors.shape[1],
                    dimensions=self.dimensions,
                )
            )
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate."""
        return [estimated_tokens(text) for text in texts]

    def _embed(self, texts: Sequence[str], told: Callable[[int], None] = lambda tokens: None) -> Vectors:
        with asking(self._server):
            try:
                with self._client() as client:
                    rows = [
                        row
                        for start in range(0, len(texts), self._batch)
                        for row in self._request(client, texts[start : start + self._batch], told)
                    ]
            except (OpenAIError, ValueError) as error:
                raise provider_error(error, self.name) from error
        return self._checked(rows, len(texts))

    def _client(self) -> OpenAI:
        http = sync_client(timeout=self._connection["timeout"])
        return OpenAI(**self._connection, http_client=http, max_retries=0)

    def _request(
        self, client: OpenAI, texts: Sequence[str], told: Callable[[int], None]
    ) -> list[list[float]]:
        # Servers refuse an empty text; a space means as little.
        request: dict[str, Any] = {"model": self.name, "input": [text or " " for text in texts]}
        extras: dict[str, Any] = {}
        if self._asked_dimensions and Extra.DIMENSIONS not in self._refused:
            extras["dimensions"] = self._asked_dimensions
        try:
            answer = client.embeddings.create(**request, **extras, encoding_format="float")
        except (BadRequestError, UnprocessableEntityError) as error:
            if not extras or "dimension" not in str(error):
                raise
            answer = client.embeddings.create(**request, encoding_format="float")
            self._refused.add(Extra.DIMENSIONS)
        told(usage_of(answer.usage).prompt_tokens or sum(map(estimated_tokens, texts)))
        return [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]

    def _checked(self, rows: list[list[float]], expected: int) -> Vectors:
        """The rows as vectors of length 1."""
        if len(rows) != expected or len({len(row) for row in rows}) != 1:
            raise ProviderError(
                said(
                    "The embedding model {name} returns {n} vectors for {expected} texts, or vectors of "
                    "different sizes. No document is changed. Check the model in the settings.",
                    name=self.name,
                    n=len(rows),
                    expected=expected,
                )
            )
        vectors = np.asarray(rows, np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths) & (lengths > 0)):
            raise ProviderError(
                said(
                    "The embedding model {name} returns vectors that are empty or not numbers. No "
                    "document is changed. Check the model in the settings.",
                    name=self.name,
                )
            )
        unit: Vectors = vectors / lengths
        return unit
