"""Whom and what a statement is about, as far as its words say: a party, a grade, one of several. Pure."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from text.word_lists import FUNCTION_WORDS, words

_GRADE = re.compile(
    r"\b(?P<of>priority|severity|level|tier|class|category|grade|band|phase|stage|type|group|zone|part|plan|lot)"
    r"[ -]?(?P<which>\d+|(?-i:[A-D])\b|one|two|three|four|i{1,3}|high|low|medium)\b"
    r"|\b(?P<short>[A-Za-z]\d{1,2})\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\b[A-Z]\d{1,3}[.)]?(?=\s+[A-Z][a-z])")  # "B2 How long ...": a question, no grade
_NUMERALS = {"one": "1", "two": "2", "three": "3", "four": "4", "i": "1", "ii": "2", "iii": "3"}
_PARTIES = tuple(
    words(party)
    for party in (
        "supplier suppliers vendor vendors provider providers licensor contractor seller processor",
        "customer customers client clients buyer purchaser licensee controller",
        "landlord lessor owner",
        "tenant tenants lessee renter",
        "employer",
        "employee employees worker workers staff",
        "lender bank",
        "borrower",
        "insurer",
        "insured policyholder",
        "student students",
        "teacher lecturer supervisor",
        "parent parents",
        "patient patients",
        "doctor doctors",
    )
)
_OWNED = words(  # "Customer data" is not what a customer does
    """data information content records record account accounts files file invoice invoices premises site
    sites property equipment system systems s"""
)
_WORD = re.compile(r"[a-z]+")
_TITLE_WORD = re.compile(r"[\w.]+")
_ONE_OF_MANY = re.compile(r"[A-Z\d]|(?:spring|summer|autumn|fall|winter|first|second|third|fourth)\b")
_VERSION = re.compile(
    r"v?\d{1,2}(?:\.\d+)*|versions?|drafts?|final|rev\w*|edition|no\.?|amendment|addendum|signed|new|old"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearers:
    """party: the number of the one that is named first, whose doing it mostly is. grades: "priority 1"."""

    party: int | None
    grades: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        first = (
            number
            for word, following in pairwise([*_WORD.findall(text.lower()), ""])
            for number, party in enumerate(_PARTIES)
            if word in party and following not in _OWNED
        )
        grades = map(_grade, _GRADE.finditer(_NUMBERED.sub("", text)))
        return cls(party=next(first, None), grades=frozenset(grades))

    def apart(self, other: Self, asked: Self) -> bool:
        """Whether two statements are about different ones, or about another than is asked for."""
        if self.grades and other.grades and self.grades.isdisjoint(other.grades):
            return True
        return len({each.party for each in (self, other, asked)} - {None}) > 1


def siblings(one: str, other: str) -> bool:
    """Whether the titles are of one kind of document about two things: "Timetable, winter" and "Timetable,
    summer". Two versions of a document are about one.
    """
    mine, theirs = (
        [word for word in _TITLE_WORD.findall(title) if word.lower() not in FUNCTION_WORDS]
        for title in (one, other)
    )
    if one != other and _shape(one) == _shape(other):  # "2023 Q2 AAPL" and "2023 Q1 NVDA"
        mine, theirs = (["", *(word for word in title if word)] for title in (mine, theirs))
        return any(a != b and not _VERSION.fullmatch(a.lower()) for a, b in zip(mine, theirs, strict=False))
    shared = {word.lower() for word in mine} & {word.lower() for word in theirs}
    if 2 * len(shared) < min(len(mine), len(theirs)):
        return False
    return all(
        any(
            word.lower() not in shared and _ONE_OF_MANY.match(word) and not _VERSION.fullmatch(word.lower())
            for word in title[1:]  # the first has a capital in any title
        )
        for title in (mine, theirs)
    )


def _shape(title: str) -> str:
    """The title without its figures and abbreviations."""
    return re.sub(r"\b[A-Z]{2,}\b", "A", re.sub(r"\d+", "0", title))


def _grade(found: re.Match[str]) -> str:
    if short := found["short"]:
        return f"priority {short[1:]}" if short[0] in "Pp" else short.upper()
    of, which = found["of"].lower(), found["which"].lower()
    return f"{'priority' if of == 'severity' else of} {_NUMERALS.get(which, which)}"
