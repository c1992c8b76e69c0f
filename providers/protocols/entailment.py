"""The interface of entailment models, which say whether a claim follows from a quote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """Shares from 0 to 1; what is left of 1 is neither."""

    entails: float
    contradicts: float

    @property
    def agrees(self) -> bool:
        """Whether the claim follows more likely than not."""
        return self.entails > 0.5


class Entailment(Protocol):
    """Reads a quote and a claim together. Sync and safe to share between threads."""

    @property
    def name(self) -> str: ...

    def opinion(self, quote: str, claim: str) -> Opinion:
        """Raises ProviderError."""
        ...
