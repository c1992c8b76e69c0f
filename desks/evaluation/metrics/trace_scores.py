"""The four scores of TRACe (RAGBench, arXiv 2407.11005), by code: each is a share from 0 to 1.

None means that the score is not defined for the question: there is no gold, or nothing was retrieved.
"""

from collections.abc import Collection, Iterable, Sequence

from desks.evaluation.metrics.evidence import Gold, Span, holds, is_gold, pieces


def context_relevance(retrieved: Sequence[Span], gold: Sequence[Gold]) -> float | None:
    """The share of what was retrieved that is in the gold set; 0 if nothing was retrieved."""
    if not gold:
        return None
    return share(is_gold(passage, gold) for passage in retrieved)


def context_utilisation(retrieved: Sequence[Span], used: Sequence[Span]) -> float | None:
    """The share of what was retrieved that the answer used: passages that it quotes."""
    if not retrieved:
        return None
    return share(any(holds(passage, quote) for quote in used) for passage in retrieved)


def completeness(gold: Sequence[Gold], told: Collection[int]) -> float | None:
    """The share of the needed pieces that the answer has. `told`: the pieces that it has."""
    needed = pieces(gold)
    return share(piece in told for piece in needed) if needed else None


def adherence(supported: Sequence[bool]) -> float:
    """The share of what the answer says that the context says too. supported: a value for each statement.

    An answer that says nothing says nothing unfounded: 1.
    """
    return share(supported) if supported else 1.0


def share(values: Iterable[bool]) -> float:
    """Of no values at all: 0."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
