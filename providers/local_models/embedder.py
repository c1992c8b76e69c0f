"""An installed embedding model."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from localization.sentences import worded
from localization.stored import said
from providers.local_models.configuration import Configuration
from providers.local_models.graph import Graph
from providers.local_models.loading import loaded
from providers.local_models.store import Installed
from providers.protocols import ProviderError, Vectors

EMPTY = worded("The model gives vectors that are empty or not numbers.")
NOT_BY_TOKEN = worded("The model does not give a vector for each token.")


class LocalEmbedder:
    """Loaded when it is first used."""

    runs_here = True

    def __init__(self, model: Installed) -> None:
        self.name, self.dimensions = model.identity, model.dimensions
        self._model = model

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, float32 (len(texts), dimensions), in the order of the texts.

        Raises ProviderError.
        """
        return self._vectors(texts, self._model.configuration.passage_prefix)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """The same for questions, told as the model expects them."""
        return self._vectors(texts, self._model.configuration.question_prefix)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Without the prefix."""
        return loaded(self._model).count_tokens(texts)

    def _vectors(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        vectors = vectors_of(loaded(self._model), [f"{prefix}{text}" for text in texts])
        if vectors.shape[1] != self.dimensions:
            raise ProviderError(
                said("{model} gives vectors of another size than when it was installed.", model=self.name)
            )
        return vectors


def vectors_of(graph: Graph, texts: Sequence[str]) -> Vectors:
    """Vectors of length 1, one for each text. Raises ProviderError, MemoryError."""
    rows: dict[int, NDArray[np.float32]] = {}
    for positions, output, mask in graph.batches(texts):
        if output.ndim == 3:
            output = pooled(output, mask, graph.configuration.pooling)
        if output.ndim != 2:
            raise ProviderError(
                worded("The model's output has {n} dimensions; vectors have 2.", n=output.ndim)
            )
        rows.update(zip(positions, output, strict=True))
    vectors = np.stack([rows[position] for position in range(len(texts))])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths) & (lengths > 0)):
        raise ProviderError(EMPTY)
    unit: Vectors = vectors / lengths
    return unit


def pooled(tokens: NDArray[np.float32], mask: NDArray[np.int64], how: str) -> NDArray[np.float32]:
    """One vector for each text (texts, size) of those of its tokens (texts, tokens, size)."""
    if tokens.shape[:2] != mask.shape:
        raise ProviderError(NOT_BY_TOKEN)
    weights = mask[:, :, None].astype(np.float32)
    match how:
        case "cls":
            return tokens[:, 0]
        case "last":
            return tokens[np.arange(len(tokens)), mask.sum(axis=1) - 1]
        case "max":
            return np.where(weights > 0, tokens, -np.inf).max(axis=1)
    mean: NDArray[np.float32] = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    return mean


def tried(folder: Path, graph: str, configuration: Configuration) -> tuple[int, Configuration]:
    """The dimensions of its vectors, found by embedding short texts and the longest that it reads; and the
    configuration with what the graph tells.
    """
    model = Graph(folder, graph, configuration)
    longest = "word " * (2 * configuration.max_tokens)
    vectors = vectors_of(model, ["Who pays the rent?", "The tenant pays.", longest])
    return int(vectors.shape[1]), replace(configuration, max_tokens=model.max_tokens)
