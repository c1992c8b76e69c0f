"""The interface of rerankers: a question and texts in, a score for each text out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Reads the question and each text together. Sync and safe to share between threads."""

    @property
    def name(self) -> str: ...

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """0 to 1 for each text, in their order; higher is better. Raises ProviderError."""
        ...
