"""The four scores of TRACe (RAGBench, arXiv 2407.11005), by code: each is a share from 0 to 1.

None means that the score is not defined for the question: there is no gold, or nothing was retrieved.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from evaluation.metrics.evidence import Gold, Span, holds, is_gold, pieces


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceScores:
    """Of one answer."""

    relevance: float | None
    utilisation: float | None
    completeness: float | None
    adherence: float | None


def context_relevance(retrieved: Sequence[Span], gold: Sequence[Gold]) -> float | None:
    """Of what was retrieved, the share that is in the gold set; 0 when nothing was retrieved."""
    if not gold:
        return None
    return share(is_gold(passage, gold) for passage in retrieved)


def context_utilisation(retrieved: Sequence[Span], used: Sequence[Span]) -> float | None:
    """Of what was retrieved, the share that the answer used: passages from which it quotes."""
    if not retrieved:
        return None
    return share(any(holds(passage, quote) for quote in used) for passage in retrieved)


def completeness(gold: Sequence[Gold], told: Collection[int]) -> float | None:
    """Of the pieces that the answer needs, the share that it has. `told`: the pieces that it has."""
    needed = pieces(gold)
    return share(piece in told for piece in needed) if needed else None


def adherence(supported: Sequence[bool]) -> float:
    """Of what the answer says, the share that the context says too: a value for each statement.

    An answer that says nothing says nothing unfounded: 1.
    """
    return share(supported) if supported else 1.0


def share(values: Iterable[bool]) -> float:
    """Of no values at all: 0."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
