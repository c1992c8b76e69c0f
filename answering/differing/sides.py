"""Two sentences of two documents that answer a question differently, chosen among those that were found."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from answering.differing.akin import Akin
from answering.differing.asking import Asking
from answering.differing.compare import COUNTED, Difference, Excerpt, Statement, difference
from answering.differing.kinds import NAME, PLACE
from answering.extractive.candidates import Candidate
from answering.extractive.choice import is_amended
from answering.extractive.usual_words import Matter, asked_matters
from providers.protocols import Embedder

# Cosine of the question and each of the two, and the share of the question's words that each has, be it by a
# synonym: the nearer, the fewer words do. The last where the words that state what is asked are known.
NEAR_AND_COVERED = ((0.5, 0.25), (0.35, 0.34))
KNOWN = (0.3, 0.5)
# Of two that are about one thing, each is about as near to the question as the other, and to each other: the
# least nearness of one, as a share of the other's, and the sum of the three cosines.
AS_NEAR, TOGETHER = 0.65, 1.55
NEAR_AT_ALL = 0.3  # below it a pair isn't worth asking a model about
MUCH_ALIKE = 0.6  # cosine of two sentences that are about one thing, whatever their documents are
LOOKED_AT = 24  # pairs whose nearness is measured


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


def differing(
    question: str,
    pairs: Sequence[tuple[Candidate, Candidate]],
    embedder: Embedder,
    akin: Akin,
) -> Sides | None:
    """Of pairs of an answer's sentence and one of another document, the one that differs, surely if possible,
    and is nearest to the question. Blocks while sentences are embedded. Raises ProviderError.

    akin: whether two documents, by their titles, may be of one matter, whatever words differ. What those
    say that are not differs surely only where the sentences are much alike.
    """
    matters = asked_matters(question)
    asked = Asking(question)
    statements = {id(part): Statement(excerpt_of(part)) for pair in pairs for part in pair}
    found = [
        (one, other, how)
        for one, other in pairs
        if (how := difference(asked, statements[id(one)], statements[id(other)]))
        and (how.said or not any(matter.own for matter in matters))
        # What an amendment says of other things is no difference to the contract that it amends.
        and (how.bound or matters or not is_amended(one, other))
    ]
    found = sorted(found, key=lambda pair: (not pair[2].bound, -pair[1].passage.score))[:LOOKED_AT]
    if not found:
        return None
    parts = {id(part): part for one, other, _ in found for part in (one, other)}
    texts = [f"{part.around} {part.text}".strip() for part in parts.values()]
    wanted, *vectors = embedder.embed([question, *texts])
    by_part = dict(zip(parts, vectors, strict=True))
    nearness = {key: float(wanted @ vector) for key, vector in by_part.items()}
    bounds = (*NEAR_AND_COVERED, KNOWN) if matters else NEAR_AND_COVERED
    best: tuple[bool, bool, float, Sides] | None = None
    for one, other, how in found:
        # What says that it changes the other is as near to the question as that, which has its words.
        both, some = (max, any) if how.said else (min, all)
        near = both(nearness[id(one)], nearness[id(other)])
        titles_count = bool(matters) or not is_amended(one, other)
        says = [
            _is_on_the_matter(matters, part, place)
            for part, place in zip((one, other), how.spans, strict=True)
        ]
        likeness = float(by_part[id(one)] @ by_part[id(other)])
        is_asked = some(
            _is_on_what_is_asked(
                asked, statements[id(part)], how, place, near, bounds, titles_count=titles_count
            )
            and said
            for part, place, said in zip((one, other), how.spans, says, strict=True)
        )
        is_asked |= says[0] == says[1] and _are_alike(nearness[id(one)], nearness[id(other)], likeness)
        changed = how.bound and (how.kind in COUNTED or (how.kind == NAME and asked.who))
        sure = is_asked and (how.kind in asked.wanted or changed)
        sure = sure and (
            how.bound
            or akin(one.passage.document, other.passage.document, _words_that_differ(one, other, how))
            or likeness >= MUCH_ALIKE
        )
        if near >= NEAR_AT_ALL and (best is None or (sure, how.bound, near) > best[:3]):
            best = sure, how.bound, near, Sides(one=one, other=other, how=how, sure=sure)
    return best[3] if best else None


def _words_that_differ(one: Candidate, other: Candidate, how: Difference) -> Set[str]:
    """In small letters, of a place or a name: that one says Oban makes them of no other matter."""
    if how.kind not in (PLACE, NAME):
        return frozenset()
    return frozenset(
        word.lower()
        for part, (start, end) in zip((one, other), how.spans, strict=True)
        for word in part.text[start:end].split()
    )


def _are_alike(one: float, other: float, likeness: float) -> bool:
    """Whether two sentences, by their cosines with the question and with each other, are about one thing."""
    low, high = sorted((one, other))
    return low >= max(NEAR_AT_ALL, AS_NEAR * high) and low + high + likeness >= TOGETHER


def _is_on_what_is_asked(
    asked: Asking,
    statement: Statement,
    how: Difference,
    value: tuple[int, int],
    near: float,
    bounds: Sequence[tuple[float, float]],
    *,
    titles_count: bool,
) -> bool:
    """Whether what states the value is near enough to the question for the words of it that it has, not all
    of them from its title. titles_count: whether a word of the title may be all that it has: not so in a
    contract and its amendment, which all have it.
    """
    told = statement.told_with(*value)
    covered = asked.covered(f"{statement.title} {told}", " ".join(statement.changes))
    fits = any(near >= least and covered >= share for least, share in bounds)
    if how.kind in (PLACE, NAME):  # whose place it is tells little: "He works at IBM in Rochester"
        return fits and asked.names_matter(told)
    return fits and asked.is_touched(told, "" if titles_count else statement.titles)


def _is_on_the_matter(matters: Sequence[Matter], part: Candidate, value: tuple[int, int]) -> bool:
    """Whether what differs is what the question asks for, where the words that state it are known: the day on
    which an agreement begins is not another day in it.
    """
    return not matters or any(matter.is_said_of(part.text, *value) for matter in matters)


def excerpt_of(part: Candidate) -> Excerpt:
    return Excerpt(
        title=part.passage.document,
        text=part.text,
        about=part.around,
        clause=part.clause,
        changes=part.passage.changes,
    )
