"""Installed models that read two texts together: rerankers, and models of entailment."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from localization.sentences import worded
from localization.stored import said
from providers.local_models import plain_pairs
from providers.local_models.configuration import CONFIG, CONTRADICTS, ENTAILS, Configuration
from providers.local_models.errors import NotInstalled
from providers.local_models.graph import Graph
from providers.local_models.loading import loaded
from providers.local_models.roles import LocalRole
from providers.local_models.store import Installed
from providers.protocols import ProviderError
from providers.protocols.entailment import Opinion

NO_NUMBERS = worded("The model gives scores that are not numbers.")
AT_ONCE = 8  # pairs, between two looks at the clock
PAIR = ("Who pays the rent?", "The tenant pays the rent.")


class LocalReranker:
    """Loaded when it is first used. `patience`: seconds for all texts of a question."""

    def __init__(self, model: Installed, patience: float) -> None:
        self.name = model.identity
        self._model, self._patience = model, patience

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """0 to 1 for each text, in their order; higher is better. Raises ProviderError."""
        until = time.monotonic() + self._patience
        scores: list[float] = []
        for start in range(0, len(texts), AT_ONCE):
            if time.monotonic() > until:
                raise ProviderError(
                    said(
                        "{model} has not read {n} passages within {seconds} seconds. The passages stand as "
                        "the searches left them.",
                        model=self.name,
                        n=len(texts),
                        seconds=round(self._patience),
                    ),
                    transient=True,
                )
            scores += _relevance(
                _outputs(loaded(self._model), [(question, text) for text in texts[start:][:AT_ONCE]])
            )
        return scores


class LocalEntailment:
    """Loaded when it is first used."""

    def __init__(self, model: Installed) -> None:
        self.name = model.identity
        self._model = model

    def opinion(self, quote: str, claim: str) -> Opinion:
        """Raises ProviderError."""
        labels = self._model.configuration.labels
        return _opinions(_outputs(loaded(self._model), [(quote, claim)]), labels)[0]


def _outputs(graph: Graph, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    """What the model gives for each pair (pairs, outputs). Raises ProviderError."""
    rows: dict[int, NDArray[np.float32]] = {}
    for positions, output, _ in graph.batches(pairs):
        rows.update(zip(positions, output.reshape(len(positions), -1), strict=True))
    scores = np.stack([rows[position] for position in range(len(pairs))])
    if not np.isfinite(scores).all():
        raise ProviderError(NO_NUMBERS)
    return scores


def _relevance(outputs: NDArray[np.float32]) -> list[float]:
    """Of one output the logistic function; of two the share of the second, "relevant"."""
    if outputs.shape[1] > 2:
        raise ProviderError(
            worded("The model gives {n} numbers for a passage: it is not a reranker.", n=outputs.shape[1])
        )
    if outputs.shape[1] == 2:
        return [float(share) for share in _shares(outputs)[:, 1]]
    return [float(each) for each in 1 / (1 + np.exp(-np.clip(outputs[:, 0].astype(np.float64), -60, 60)))]


def _opinions(outputs: NDArray[np.float32], labels: Sequence[str]) -> list[Opinion]:
    if outputs.shape[1] != len(labels):
        raise ProviderError(
            worded(
                "The model gives {n} numbers for a pair, and {file} names {named}.",
                n=outputs.shape[1],
                file=CONFIG,
                named=len(labels),
            )
        )
    contradicts = labels.index(CONTRADICTS) if CONTRADICTS in labels else None
    return [
        Opinion(
            entails=float(row[labels.index(ENTAILS)]),
            contradicts=0.0 if contradicts is None else float(row[contradicts]),
        )
        for row in _shares(outputs)
    ]


def _shares(outputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Softmax over each row."""
    powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    shares: NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def tried(folder: Path, graph: str, configuration: Configuration, role: LocalRole) -> Configuration:
    """Read short pairs and the longest that it can; the configuration with what that tells. Raises
    ProviderError.
    """
    model = Graph(folder, graph, configuration)
    longest = "word " * (2 * configuration.max_tokens)
    outputs = _outputs(model, [PAIR, (PAIR[0], longest), (longest, longest)])
    found = replace(configuration, max_tokens=model.max_tokens)
    if role == LocalRole.RERANK:
        _relevance(outputs)
        return found
    return _with_labels(found, _outputs(model, plain_pairs.ALL))


def _with_labels(configuration: Configuration, outputs: NDArray[np.float32]) -> Configuration:
    """Labels that no file names, and a note where those that one names are doubtful. Raises NotInstalled."""
    if not configuration.labels:
        labels = plain_pairs.labels_of(outputs)
        if not labels:
            raise NotInstalled(
                worded(
                    "{file} names no output “{output}”, and a test with plain English pairs does not show "
                    "which one it is: the model may be made for something else.",
                    file=CONFIG,
                    output=ENTAILS,
                )
            )
        found = ", ".join(labels)
        note = f"{CONFIG} does not name the outputs; a test with plain English pairs finds {found}."
        return replace(configuration, labels=labels, notes=(*configuration.notes, note))
    _opinions(outputs, configuration.labels)
    doubt = plain_pairs.doubt(outputs, configuration.labels)
    return replace(configuration, notes=(*configuration.notes, doubt)) if doubt else configuration
