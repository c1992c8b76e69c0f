"""What an embedder promises: texts go in, vectors of length 1 come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as an embedder reads it: its vector; of each token a state of length 1, (tokens, dimensions),
    and where in the text it stands.
    """

    vector: Vectors
    states: Vectors
    spans: tuple[tuple[int, int], ...]


class Embedder(Protocol):
    """Turns texts into vectors. Sync and safe to share between threads."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, shape (len(texts), dimensions), in the order of the texts.

        Raises ProviderError.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each whole text has, however many of them `embed` reads."""
        ...


class Reader(Embedder, Protocol):
    """An embedder that also tells how it read each token."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """What `embed` makes of the texts, with the state of each token. Raises ProviderError."""
        ...
