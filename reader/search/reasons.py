"""Why a passage is among the results: what each leg says about it, in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from localization.languages import ENGLISH
from localization.lists import joined
from localization.numbers import numeral
from reader.search.finding import Passage
from retrieval.engine import Leg
from retrieval.engine.candidates import DEPTH
from text.search.query_words import Holding

LABELS = {
    Leg.DENSE: gettext_lazy("Meaning"),
    Leg.BM25: gettext_lazy("Words"),
    Leg.FUZZY: gettext_lazy("Spelling"),
    Leg.GRAPH: gettext_lazy("Graph"),
    Leg.DOCUMENT: gettext_lazy("Document"),
}
FACTS = 3  # told of each passage
_TOGETHER = (
    "",
    gettext_lazy("the one word"),
    gettext_lazy("both words, next to each other"),
    gettext_lazy("all three words, next to each other"),
    gettext_lazy("all four words, next to each other"),
    gettext_lazy("all five words, next to each other"),
)
_APART = (
    "",
    gettext_lazy("the one word"),
    gettext_lazy("both words, apart"),
    gettext_lazy("all three words, apart"),
    gettext_lazy("all four words, apart"),
    gettext_lazy("all five words, apart"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """`score` is 0 to 1, 0 where this search did not give the passage; `said` tells why."""

    label: str
    score: float
    said: str


def reasons(passage: Passage, legs: Iterable[Leg], searched: int) -> list[Reason]:
    """One for each search that took part. searched: how many passages there are where was searched."""
    legs_of = passage.evidence.legs
    return [
        Reason(
            label=str(LABELS[leg]),
            score=min(1.0, max(0.0, legs_of[leg].score)) if leg in legs_of else 0.0,
            said=_said(leg, passage, searched),
        )
        for leg in legs
    ]


def _said(leg: Leg, passage: Passage, searched: int) -> str:
    found = passage.evidence.legs.get(leg)
    match leg:
        case Leg.DENSE:
            if not found:
                return _("not among the nearest in meaning")
            if found.rank > DEPTH:  # of others that words found, only some were compared
                told = _("not among the {n} nearest, similarity {score} of 1")
                return told.format(n=DEPTH, score=f"{found.score:.2f}")
            if found.rank == 1:
                told = _("the nearest of {n}, similarity {score} of 1")
            else:
                # Translators: rank is “2nd” in English, and a bare number, such as 2, in other languages
                told = _("{rank} nearest of {n}, similarity {score} of 1")
            return told.format(rank=_rank(found.rank), n=numeral(searched), score=f"{found.score:.2f}")
        case Leg.BM25:
            return _words(passage.holding)
        case Leg.FUZZY:
            return _spelling(passage.holding)
        case Leg.GRAPH:
            named = joined(list(dict.fromkeys(fact.entity for fact in passage.evidence.facts[:FACTS])))
            if named:
                return _("through {names}").format(names=named)
            return _("linked with what the words name") if found else _("no link from what the words name")
        case Leg.DOCUMENT:
            if found:
                return _("its title, names or dates match")
            return _("its title, names and dates do not match")


def _words(holding: Holding) -> str:
    count = len(holding.words)
    if not holding.held:
        return _("none of the words")
    if len(holding.held) < count:
        told = ngettext("{held} of {n} word: {words}", "{held} of {n} words: {words}", count)
        return told.format(held=len(holding.held), n=count, words=joined(holding.present))
    small = _TOGETHER if holding.together else _APART
    if count < len(small):
        return str(small[count])
    if holding.together:
        told = ngettext("all {n} word, next to each other", "all {n} words, next to each other", count)
    else:
        told = ngettext("all {n} word, apart", "all {n} words, apart", count)
    return told.format(n=count)


def _spelling(holding: Holding) -> str:
    if not holding.held:
        return _("nothing is spelt alike")
    if not holding.slips:
        return _("not needed, the spelling matches")
    told = ngettext("{n} letter differs", "{n} letters differ", holding.slips)
    return told.format(n=numeral(holding.slips))


def _rank(rank: int) -> str:
    """“2nd” in English; elsewhere the number alone, as how ordinals are written depends on more."""
    if not (get_language() or ENGLISH).startswith(ENGLISH):
        return numeral(rank)
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"
