"""Documents that differ, for a question in another language than English.

Its words cannot be held against English sentences, and what is known of English is not known of its own. So
less counts as a difference: only a figure of the kind that is plainly asked for.
"""

import re
from collections.abc import Sequence

from answering.differing.akin import Akin
from answering.differing.asking import Asking
from answering.differing.bearers import siblings
from answering.differing.compare import Difference, Statement, difference
from answering.differing.sides import MUCH_ALIKE, Sides, excerpt_of
from answering.extractive.by_words import covered, kinds_asked, language_asked_in
from answering.extractive.candidates import Candidate
from english.periods import Periods
from english.values import DATE, DURATION, MONEY
from providers.protocols import Embedder
from text.figures import Figure, FigureKind, figures
from text.languages import language_of

COVERED = 0.6  # of the question's words that each of the two sentences must have
_ENGLISH = {FigureKind.SPAN: "How long?", FigureKind.DATE: "When?", FigureKind.SUM: "How much?"}
_NAMED = {FigureKind.SPAN: DURATION, FigureKind.DATE: DATE, FigureKind.SUM: MONEY}
# A limit and what keeps to it are no difference.
_LIMIT = re.compile(
    r"\b(?:mindestens|höchstens|maximal|minimal|bis zu|über|unter|mehr als|weniger als|au moins|au plus"
    r"|maximum|minimum|jusqu|plus de|moins de|al menos|como máximo|como mínimo|máximo|mínimo|hasta|más de"
    r"|menos de)"
    r"|至少|最多|不超过|不少于|以上|以下|على الأقل|على الأكثر|لا يتجاوز|لا يقل",
    re.IGNORECASE,
)

Pairs = Sequence[tuple[Candidate, Candidate]]


def differing_elsewhere(
    question: str,
    pairs: Pairs,
    quoted: Sequence[Candidate],
    embedder: Embedder,
    akin: Akin,
) -> Sides | None:
    """Of pairs of an answer's sentence and one of another document, the one that differs. Blocks while
    sentences are embedded. Raises ProviderError.

    quoted: what the answer quotes; of English documents nothing else is held against each other. akin:
    whether two documents, by their titles, may be of one matter.
    """
    kinds = kinds_asked(question)
    if not kinds:
        return None
    if language := language_asked_in(question, [part for pair in pairs for part in pair]):
        return _by_figures(question, language, pairs, kinds, akin)
    texts = {part.text for part in quoted}
    both = [(one, other) for one, other in pairs if other.text in texts]
    return _in_english(both, kinds, embedder)


def _in_english(pairs: Pairs, kinds: Sequence[FigureKind], embedder: Embedder) -> Sides | None:
    """Two quotes of the answer that are about one thing and give different figures for it."""
    asked = Asking(_ENGLISH[kinds[0]])
    found = [
        (one, other, how)
        for one, other in pairs
        if (how := difference(asked, *(Statement(excerpt_of(part)) for part in (one, other))))
        and how.kind in asked.wanted
    ]
    for one, other, how in found:
        mine, theirs = embedder.embed([one.text, other.text])
        if how.bound or float(mine @ theirs) >= MUCH_ALIKE:
            return Sides(one=one, other=other, how=how, sure=True)
    return None


def _by_figures(
    question: str,
    language: str,
    pairs: Pairs,
    kinds: Sequence[FigureKind],
    akin: Akin,
) -> Sides | None:
    """Two sentences that have the words of the question, and one figure each of the kind that it asks for."""
    for one, other in pairs:
        titles = one.passage.document, other.passage.document
        mine, theirs = (_only_figure(part.text, kinds) for part in (one, other))
        if (
            mine
            and theirs
            and _differ(mine, theirs)
            and akin(*titles, frozenset())
            and not siblings(*titles)
            and not _of_other_years(one, other)
            and bool(_LIMIT.search(one.text)) == bool(_LIMIT.search(other.text))
            and all(language_of(part.passage.text) in ("", language) for part in (one, other))
            and all(covered(question, language, part.text) >= COVERED for part in (one, other))
        ):
            how = Difference(
                kind=_NAMED[mine.kind], one=(mine.start, mine.end), other=(theirs.start, theirs.end)
            )
            return Sides(one=one, other=other, how=how, sure=True)
    return None


def _only_figure(text: str, kinds: Sequence[FigureKind]) -> Figure | None:
    """The only one of the kind that is asked for first and that it has."""
    every = figures(text)
    for kind in kinds:
        if found := [figure for figure in every if figure.kind == kind]:
            return found[0] if len(found) == 1 and kind in _NAMED else None
    return None


def _differ(one: Figure, other: Figure) -> bool:
    """Whether they count the same in other numbers: nobody says here how many days a month has."""
    mine, theirs = (re.sub(r"[\d.]+", "#", figure.key) for figure in (one, other))
    return one.kind == other.kind and one.key != other.key and mine == theirs


def _of_other_years(one: Candidate, other: Candidate) -> bool:
    mine, theirs = (Periods.of(f"{part.passage.document} {part.around}").years for part in (one, other))
    return bool(mine and theirs and mine.isdisjoint(theirs))
