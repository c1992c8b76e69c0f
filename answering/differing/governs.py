"""Sentences that say which of two documents governs. Pure."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from answering.differing.instruments import kinds_of, others_named
from english.contracts.amendments import is_amendment
from english.contracts.clauses import (
    IN_PLACE_OF,
    IS_CHANGED,
    SHORTEST,
    alike,
    changed_clauses,
    gone_person,
    number_of_clause,
    sets_aside,
)
from english.lexicon import roots

# What is searched for by its words where no passage at hand has such a sentence.
SEARCHED = ("prevails", "supersedes", "precedence")

_GOVERNS = re.compile(
    r"\b(?:prevails?|takes? (?:precedence|priority)|ha(?:s|ve) (?:precedence|priority)|supersedes?|superseded"
    r"|overrides?|(?:is|are) binding"
    r"|replaces? (?:\w+ ){0,4}?(?:agreements?|arrangements?|clauses?|contracts?|editions?|polic(?:y|ies)"
    r"|rules|statements?|terms|understandings?|versions?))\b",
    re.IGNORECASE,
)
_CONFLICT = re.compile(
    r"\b(?:conflicts?|inconsisten\w+|discrepanc\w+|contradict\w*|differs?|difference)\b", re.IGNORECASE
)
_APPLIES = re.compile(r"\b(?:appl(?:y|ies)|governs?|controls?|counts?)\b", re.IGNORECASE)
_ANY_OTHER = re.compile(
    r"\b(?:any(?:thing)?|all|other|earlier|previous|former|older|standard|general|everything|every|only)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    rf"\b(?:{IS_CHANGED}|(?:is|are) (?:hereby )?(?:reduced|raised|increased|changed|extended)\b|replaces\b)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(rf"\b{IN_PLACE_OF}\b", re.IGNORECASE)
_VERSIONS = re.compile(r"\bversions?\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|nothing|no|entire agreement)\b", re.IGNORECASE)
NAMES_THE_OTHER, IN_GENERAL = 2, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A sentence and the title of its document. clause: the number of that in which it stands. changes:
    titles of the documents that its own one amends.
    """

    title: str
    text: str
    clause: str = ""
    changes: tuple[str, ...] = ()


def governing(sides: Sequence[Place], sentences: Iterable[Place]) -> int | None:
    """Which of the sentences ranks the two sides' documents: the one that names the other document or its
    clause, else one about conflicts in general. None where there is no such sentence.
    """
    ranked = [(_weight(sides, sentence), number) for number, sentence in enumerate(sentences)]
    weight, number = max(ranked, key=lambda each: (each[0], -each[1]), default=(0, 0))
    return number if weight else None


def _weight(sides: Sequence[Place], sentence: Place) -> int:
    """0: it ranks nothing."""
    others = [side for side in sides if side.title != sentence.title]
    if len(others) == len(sides):
        return 0
    if any(sets_aside(sentence.text, sentence.changes, side.title, side.clause) for side in others):
        return NAMES_THE_OTHER
    amended = [side for side in others if side.title in sentence.changes]
    if (
        amended
        and _INSTEAD.search(sentence.text)
        and any(alike(each.text, sentence.text) for each in amended)
    ):
        return NAMES_THE_OTHER
    gone = gone_person(sentence.text)
    if gone and not any(gone in _folded(side) for side in others):
        return 0  # it changes who does something, and no more
    if clauses := changed_clauses(sentence.text):
        theirs = {number_of_clause(side.text) for side in others}
        return NAMES_THE_OTHER if clauses & theirs else 0
    if is_amendment(sentence.title) and _CHANGED.search(sentence.text):
        return NAMES_THE_OTHER if any(alike(side.text, sentence.text) for side in others) else 0
    conflict = bool(_CONFLICT.search(sentence.text))
    governs = _GOVERNS.search(sentence.text) or (conflict and _APPLIES.search(sentence.text))
    if not governs or _DENIED.search(sentence.text):
        return 0
    is_general = bool(_ANY_OTHER.search(sentence.text))
    if (kinds := others_named(sentence.text)) and not is_general and not _may_be_of(others, kinds):
        return 0  # of two documents that it names, and these are others
    named = _words(sentence.text) - _words(sentence.title)
    if any(_words(side.title) & named for side in others):
        return NAMES_THE_OTHER
    if _VERSIONS.search(sentence.text) and not any(
        _words(side.title) == _words(sentence.title) for side in others
    ):
        return 0  # of its own versions
    return IN_GENERAL if conflict or is_general else 0


def _may_be_of(sides: Sequence[Place], kinds: Set[str]) -> bool:
    """Whether one of them is of such a kind, or of none that its words tell."""
    own = [kinds_of(side.title, side.text) for side in sides]
    return any(not each or each & kinds for each in own)


def _folded(side: Place) -> str:
    return " ".join(f"{side.title} {side.text}".split())


def _words(text: str) -> set[str]:
    return roots(text, shortest=SHORTEST)
