"""Why a passage is among the results: what each leg says about it, in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from reader.search.finding import Passage
from retrieval.engine import Leg
from retrieval.engine.candidates import DEPTH
from text.counted import counted
from text.search.query_words import Holding

LABELS = {
    Leg.DENSE: "Meaning",
    Leg.BM25: "Words",
    Leg.FUZZY: "Spelling",
    Leg.GRAPH: "Graph",
    Leg.DOCUMENT: "Document",
}
FACTS = 3  # told of each passage
_SMALL = ("", "the one word", "both words", "all three words", "all four words", "all five words")


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
            label=LABELS[leg],
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
                return "not among the nearest in meaning"
            if found.rank > DEPTH:  # of others that words found, only some were compared
                return f"not among the {DEPTH} nearest, similarity {found.score:.2f} of 1"
            return f"{_ordinal(found.rank)} nearest of {searched:,}, similarity {found.score:.2f} of 1"
        case Leg.BM25:
            return _words(passage.holding)
        case Leg.FUZZY:
            return _spelling(passage.holding)
        case Leg.GRAPH:
            named = ", ".join(dict.fromkeys(fact.entity for fact in passage.evidence.facts[:FACTS]))
            if named:
                return f"through {named}"
            return "linked with what the words name" if found else "no link from what the words name"
        case Leg.DOCUMENT:
            return "its title, names or dates match" if found else "its title, names and dates do not match"


def _words(holding: Holding) -> str:
    count = len(holding.words)
    if not holding.held:
        return "none of the words"
    if len(holding.held) < count:
        return f"{len(holding.held)} of {count} words: {', '.join(holding.present)}"
    every = _SMALL[count] if count < len(_SMALL) else f"all {count} words"
    return every if count == 1 else f"{every}, {'next to each other' if holding.together else 'apart'}"


def _spelling(holding: Holding) -> str:
    if not holding.held:
        return "nothing is spelt alike"
    if not holding.slips:
        return "not needed, the spelling matches"
    return f"{counted(holding.slips, 'letter')} {'differs' if holding.slips == 1 else 'differ'}"


def _ordinal(rank: int) -> str:
    if rank == 1:
        return "the"
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"
