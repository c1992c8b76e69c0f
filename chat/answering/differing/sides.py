"""Two sentences of two documents that answer a question differently, chosen among those that were found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.answering.differing.compare import Difference, Said, covered, difference
from chat.answering.extractive.candidates import Candidate
from providers.protocols import Embedder

COVERED = 0.34  # share of the question's words that each has, be it by a synonym
NEAR = 0.35  # cosine of the question and each of the two
NEAR_AT_ALL = 0.3  # below it a pair isn't worth asking a model about
LOOKED_AT = 12  # pairs whose nearness is measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """one: the answer's sentence. sure: whether code alone says that both are about what is asked."""

    one: Candidate
    other: Candidate
    how: Difference
    sure: bool = False

    @property
    def both(self) -> tuple[Candidate, Candidate]:
        return self.one, self.other


def differing(question: str, one: Candidate, others: Sequence[Candidate], embedder: Embedder) -> Sides | None:
    """The sentence among `others`, all of other documents, that is nearest to the question and differs.
    Blocks while they are embedded. Raises ProviderError.
    """
    ours = said(one)
    found = [
        Sides(one=one, other=other, how=how)
        for other in others
        if (how := difference(question, ours, said(other)))
    ]
    if not found:
        return None
    found = sorted(found, key=lambda sides: -sides.other.passage.score)[:LOOKED_AT]
    texts = [f"{each.around} {each.text}".strip() for each in (one, *(sides.other for sides in found))]
    asked, mine, *theirs = embedder.embed([question, *texts])
    near = [min(float(asked @ mine), float(asked @ other)) for other in theirs]
    pairs = [
        (replace(sides, sure=_sure(question, sides, nearness)), nearness)
        for sides, nearness in zip(found, near, strict=True)
        if nearness >= NEAR_AT_ALL
    ]
    return max(pairs, key=lambda pair: (pair[0].sure, pair[1]), default=(None, 0.0))[0]


def _sure(question: str, sides: Sides, nearness: float) -> bool:
    return nearness >= NEAR and all(covered(question, said(side)) >= COVERED for side in sides.both)


def said(part: Candidate) -> Said:
    return Said(title=part.passage.document, text=part.text, about=part.around)
