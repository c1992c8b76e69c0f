"""The interface of embedders: texts in, vectors of length 1 out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors. Sync and safe to share between threads."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def runs_here(self) -> bool:
        """Whether it computes in this process: it asks no server, and writes no cost into the database."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, shape (len(texts), dimensions), in the order of the texts.

        Raises ProviderError.
        """
        ...

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """The same for texts that are questions or searches: some models read these in another way."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each whole text has, however many of them `embed` reads."""
        ...


class AlikeEmbedder:
    """A model that reads questions as it reads passages: a subclass has `embed`."""

    runs_here = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self.embed(texts)
