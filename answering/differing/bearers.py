"""Whom and what a statement is about, as far as its words say: a party, a grade, one of several. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from answering.extractive.named_documents import KINDS
from answering.extractive.words import stem
from english.contracts.roles import SIDES
from text.word_lists import FUNCTION_WORDS, phrases, words

_GRADE = re.compile(
    r"\b(?P<of>priority|severity|level|tier|class|category|grade|band|phase|stage|type|group|zone|part|plan|lot|ward)"
    r"[ -]?(?P<which>\d+|(?-i:[A-D])\b|one|two|three|four|i{1,3}|high|low|medium)\b"
    r"|\b(?P<short>[A-Za-z]\d{1,2})\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\b[A-Z]\d{1,3}[.)]?(?=\s+[A-Z][a-z])")  # "B2 How long ...": a question, no grade
_NUMERALS = {"one": "1", "two": "2", "three": "3", "four": "4", "i": "1", "ii": "2", "iii": "3"}
_PARTIES = {  # each word with the number of the party that it names
    word: number
    for number, party in enumerate(
        (
            *SIDES,
            "teacher lecturer supervisor",
            "parent parents",
            "patient patients",
            "doctor doctors",
        )
    )
    for word in words(party)
}
_GIVERS = frozenset({0, 2, 4, 6, 8, 11, 14})  # the other side of whom their documents address: "You pay"
_ADDRESSED = re.compile(r"\bYou\s+[a-z]")
_CONTRARIES = [  # what is of one is not of the other
    pair.split()
    for pair in phrases(
        """minimum maximum, gross net, adult child, adults children, weekday weekend, weekdays weekends, new
        existing, domestic international, single double, full-time part-time, first second, first last,
        monthly annual, internal external, before after, summer winter, spring autumn, indoor outdoor,
        permanent temporary, one-way return, early late, men women, upper lower, day night, public private,
        urgent routine, undergraduate postgraduate, primary secondary, standard express, basic premium, large
        small, hot cold, total each"""
    )
]
_HAVE_A_CONTRARY = frozenset(word for pair in _CONTRARIES for word in pair)
_OWNED = words(  # "Customer data" is not what a customer does
    """data information content records record account accounts files file invoice invoices premises site
    sites property equipment system systems s"""
)
_ARTICLES = words("the a an its any our your each")
# "Reported to the insurer", "unless the customer asks": what is said is the doing of another one.
_TO_WHOM = words(
    "to for from against tell tells telling notify notifies notifying inform informs unless dear"
)
_DONE = words(  # but the employer's contribution is what an employer does
    "contribution contributions payment payments share notice liability obligation duty duties"
)
KEPT = 1024  # texts, or pairs of titles, of which this is remembered: each is held against many others
_WORD = re.compile(r"[a-z]+")
_COMPOUND = re.compile(r"[a-z]+(?:-[a-z]+)*")
_GENRES = words(  # beside the kinds of documents
    """abstract preprint release poster summary booklet leaflet page pages mail mails email file form card
    copy appendix annex extract excerpt overview website site wiki readme handout faq recitals transcript
    notice chapter translation budget offer order invoice intranet newsletter review slide table"""
)
_FOLLOWS = re.compile(r"^(?:follow-up|pilot|second|third|interim|preliminary)\s+", re.IGNORECASE)
_TITLE_WORD = re.compile(r"[\w.]+")
_DAY_NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_DAY = "|".join(_DAY_NAMES)
_DAYS = re.compile(rf"\b(?P<first>{_DAY})s?(?:\s?(?:to|until|-|–)\s?(?P<last>{_DAY})s?)?\b")
_ONE_OF_MANY = re.compile(r"[A-Z\d]|(?:spring|summer|autumn|fall|winter|first|second|third|fourth)\b")
_VERSION = re.compile(
    r"v?\d{1,2}(?:\.\d+)*|versions?|drafts?|final|rev\w*|edition|no\.?|amendment|addendum|signed|new|old"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearers:
    """party: the number of the one that is named first, whose doing it mostly is. grades: "priority 1".
    addressed: whether it is the reader's: "You pay 5 per cent".
    """

    party: int | None
    grades: frozenset[str]
    addressed: bool = False

    @classmethod
    def of(cls, text: str) -> Self:
        read = ["", *(word for word in _WORD.findall(text.lower()) if word not in _ARTICLES), "", ""]
        first = (
            _PARTIES[word]
            for before, word, following, then in zip(read, read[1:], read[2:], read[3:], strict=False)
            if word in _PARTIES
            and before not in _TO_WHOM
            and (following not in _OWNED or (following == "s" and then in _DONE))
        )
        grades = map(_grade, _GRADE.finditer(_NUMBERED.sub("", text)))
        addressed = bool(_ADDRESSED.search(text))
        return cls(party=next(first, None), grades=frozenset(grades), addressed=addressed)

    def apart(self, other: Self, asked: Self) -> bool:
        """Whether two statements are about different ones, or about another than is asked for."""
        if self.grades and other.grades and self.grades.isdisjoint(other.grades):
            return True
        if (self.addressed and other.party in _GIVERS) or (other.addressed and self.party in _GIVERS):
            return True
        return len({each.party for each in (self, other, asked)} - {None}) > 1


def contrary(one: str, other: str) -> bool:
    """Whether one speaks of gross and the other of net, or the like, and neither of both."""
    mine, theirs = _contraries_in(one), _contraries_in(other)
    if not mine or not theirs:
        return False
    for pair in _CONTRARIES:
        a, b = mine.intersection(pair), theirs.intersection(pair)
        if len(a) == len(b) == 1 and a != b:
            return True
    return False


def on_other_days(one: str, other: str) -> bool:
    """Whether they tell what holds on which days of the week, and none is the same. One day against another
    may be a day that was moved: "Monday to Thursday" is no such day.
    """
    mine, theirs = _days_in(one), _days_in(other)
    return bool(mine and theirs and mine.isdisjoint(theirs)) and len(mine | theirs) > 2


@lru_cache(KEPT)
def _days_in(text: str) -> frozenset[int]:
    found: set[int] = set()
    for days in _DAYS.finditer(text):
        first = _DAY_NAMES.index(days["first"])
        last = _DAY_NAMES.index(days["last"]) if days["last"] else first
        found |= {day % 7 for day in range(first, last + 1 if last >= first else last + 8)}
    return frozenset(found)


@lru_cache(KEPT)
def _contraries_in(text: str) -> frozenset[str]:
    return _HAVE_A_CONTRARY.intersection(_COMPOUND.findall(text.lower()))


@lru_cache(KEPT)
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
    if _of_one_kind(one, other):
        return True
    if 2 * len(shared) < min(len(mine), len(theirs)):
        return False
    return all(
        any(
            word.lower() not in shared and _ONE_OF_MANY.match(word) and not _VERSION.fullmatch(word.lower())
            for word in title[1:]  # the first has a capital in any title
        )
        for title in (mine, theirs)
    )


def _of_one_kind(one: str, other: str) -> bool:
    """Whether they are the same up to a comma, and tell behind it of what: "Terms, single trip" and "Terms,
    annual". What is told there in small letters alone is a part that is treated apart: "Brochure, concerts".
    """
    (mine, _, of), (theirs, _, of_too) = (title.strip().lower().rpartition(", ") for title in (one, other))
    if mine and mine == theirs and of != of_too:
        return not any(_tells_kind(tail) for tail in (of, of_too))
    if _FOLLOWS.sub("", one).lower() == _FOLLOWS.sub("", other).lower() and one.lower() != other.lower():
        return True
    for whole, start, tail in ((one, theirs, of_too), (other, mine, of)):
        if whole.strip().lower() == start:
            return tail in (one + other) and not _tells_kind(tail)
    return False


def _tells_kind(words_of_title: str) -> bool:
    """Whether it is a document about the same: "guide", "version 2"."""
    told = _TITLE_WORD.findall(words_of_title)
    return any(_VERSION.fullmatch(word) or word in _GENRES or stem(word) in KINDS for word in told)


def _shape(title: str) -> str:
    """The title without its figures and abbreviations."""
    return re.sub(r"\b[A-Z]{2,}\b", "A", re.sub(r"\d+", "0", title))


def _grade(found: re.Match[str]) -> str:
    if short := found["short"]:
        return f"priority {short[1:]}" if short[0] in "Pp" else short.upper()
    of, which = found["of"].lower(), found["which"].lower()
    return f"{'priority' if of == 'severity' else of} {_NUMERALS.get(which, which)}"
