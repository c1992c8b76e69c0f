"""Spans of documents: what was needed (gold), what was retrieved, and when one holds the other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HALF = 0.5  # of the shorter of the two: chunks cut quotes in two, and a page is longer than a chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A piece of a document's text, by offsets in characters."""

    document: int
    start: int
    end: int

    @property
    def length(self) -> int:
        return max(0, self.end - self.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A place that has one piece of what the answer needs; any place of the same `piece` will do."""

    piece: int
    span: Span


def holds(passage: Span, quote: Span) -> bool:
    """Whether they share at least half of the shorter one."""
    if passage.document != quote.document:
        return False
    shared = min(passage.end, quote.end) - max(passage.start, quote.start)
    shorter = min(passage.length, quote.length)
    return shorter > 0 and shared >= HALF * shorter


def pieces(gold: Iterable[Gold]) -> set[int]:
    """The pieces that the answer needs."""
    return {each.piece for each in gold}


def pieces_in(passage: Span, gold: Iterable[Gold]) -> set[int]:
    """Those of the pieces that the passage has."""
    return {each.piece for each in gold if holds(passage, each.span)}


def is_gold(passage: Span, gold: Sequence[Gold]) -> bool:
    return any(holds(passage, each.span) for each in gold)
