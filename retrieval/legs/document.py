"""Which documents a question refers to: by titles, and by names and dates at their beginning."""

import math
from dataclasses import dataclass

from retrieval.legs.question import Question
from retrieval.query import Scope
from retrieval.sql import query

LOOKED_AT = 500  # documents with a word of the question in what they are called by


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """`scores` 0 to 1 by document. coverage: how much of what titles and names know of the question the best
    document has. mean: of the scores over all passages.
    """

    scores: dict[int, float]
    coverage: float
    mean: float

    def agreement(self, top: list[int]) -> float:
        """How far the documents of passages found by other legs are those that are meant, 0 to 1.

        0 is what random passages would have: names that point nowhere in particular then count nothing.
        """
        best = max(self.scores.values(), default=0.0)
        if not top or best <= self.mean:
            return 0.0
        met = sum(self.scores.get(document, 0.0) for document in top) / len(top)
        return min(1.0, max(0.0, (met - self.mean) / (best - self.mean)))


NOBODY = Meant(scores={}, coverage=0.0, mean=0.0)


def meant(scope: Scope, question: Question) -> Meant:
    """The documents that a question means. A document of one passage has no name but in its passage."""
    names = question.names
    if not names.rarity:
        return NOBODY
    rows = query(
        "documents_called", **scope.parameters(), vector=names.vector, rarest=names.rarest, limit=LOOKED_AT
    )
    if not rows:
        return NOBODY
    best = rows[0][1]
    full = max(best, math.log(1 + names.total))
    known = sum(names.rarity.values())
    chunks = sum(count for *_, count in rows)
    mean = sum(score / full * count for _, score, count in rows) / max(question.words.total, chunks, 1)
    return Meant(
        scores={document: score / full for document, score, _ in rows},
        coverage=min(1.0, best / known),
        mean=mean,
    )
