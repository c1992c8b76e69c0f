"""What changes other documents says so: which ones. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from english.contracts.clauses import ASIDE, Span
from english.contracts.kinds import CHANGING, CONTRACTS, SAME_KIND
from english.dates import DAY, day_of
from text.word_lists import FUNCTION_WORDS, words

NAMES_OF_CHANGES = (  # also read by Postgres
    rf"(?:{'|'.join(sorted(CHANGING))}|supplemental|extension|novation|side[ _-]letter|change[ _-]order)"
)
_TITLE = re.compile(rf"(?<![^\W_]){NAMES_OF_CHANGES}(?![^\W_])", re.IGNORECASE)
_OWN_NAME = re.compile(
    rf"\b[Tt]his\s+(?:(?:[A-Z][\w’'-]+|of|and)\s+){{0,4}}?(?i:{NAMES_OF_CHANGES})\b"
    # its heading: "FIRST DEED OF AMENDMENT", "Side Letter"
    rf"|^\W*(?:(?:[A-Z][\w’'-]*|of|and)[ \t]+){{0,4}}?(?=[A-Z])(?i:{NAMES_OF_CHANGES})\b"
)
_SAYS = re.compile(
    r"\b(?:supplemental to|amends|varies|supplements|amending|varying"
    r"|is an? (?:amendment|addendum|supplement|variation) (?:to|of))\s(?:the|an?|that|our|your)\b"
)
_KIND = rf"(?i:{'|'.join(sorted(CONTRACTS))})"
# A letter that changes a contract need not call itself anything: it sets a clause of it aside, or says that
# the rest of it stays as it is.
_SETS_ASIDE = re.compile(
    rf"{ASIDE}[^.;]{{0,60}}?\b(?:[Cc]lause|[Ss]ection|[Pp]aragraph|[Aa]rticle)s? [\d.,() and]{{1,30}}of"
    rf"\s(?:the|that|our|your)\s(?:[\w’'&-]+\s){{0,4}}?{_KIND}\b"
)
_LEAVES_THE_REST = re.compile(
    r"\b(?:everything else|all other (?:terms|provisions|conditions|clauses)|in (?:all|every) other respects?"
    r"|otherwise|for the rest|except as|save as|apart from (?:this|that|these))\b[^.;]{0,80}"
    rf"\b(?:the|that|our|your)\s(?:[\w’'&-]+\s){{0,4}}?{_KIND}\b"
    r"[^.;]{0,40}\b(?:remains?|stands?|stays?|continues?|is|are) (?:to be )?"
    r"(?:as (?:it is|it was|they are|before|agreed)|the same|unchanged|unaltered|unaffected"
    r"|in (?:full )?force)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"\b(?:[Tt]he|[Aa]n?|[Tt]hat|[Oo]ur|[Yy]our)\s+(?P<name>(?:[A-Z][\w’'&-]*\s+){{0,5}}?{_KIND}\b"
    r"(?:\s+(?:of|for|with)\s+(?:the\s+)?(?:employment|[A-Z\d][\w’'&-]*(?:\s+[A-Z\d][\w’'&-]*){0,3}))?)"
)
# "The hire agreement dated 9 March 2024": which one it is, is told by its day.
_NAMED_BY_DAY = re.compile(
    rf"(?P<name>\b(?:[\w’'&-]+[ \t]+)?{_KIND})\s+(?:(?:dated|made|signed|concluded|entered into)"
    rf"\s+(?:on\s+)?|of\s+)(?:the\s+)?{DAY}"
)
_THIS = re.compile(rf"\b[Tt]his\s+(?P<name>(?:[A-Z][\w’'&-]*\s+){{0,4}}?{_KIND}\b(?:\s+of\s+[A-Z][a-z]+)?)")
_DAY = re.compile(rf"\b{DAY}")
_TOKEN = re.compile(r"[^\W_]+")
_SAYS_LITTLE = words("no number signed copy final draft version scan pdf docx original dated date letter")
DATED = 70  # characters behind the name of a document within which its day stands
BEGINNING = 2_000  # characters of a document in which it says what it is

_SAID_BY_LETTERS = (_SETS_ASIDE, _LEAVES_THE_REST)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """How a contract is named: its kinds, what tells it from others of its kind, the day that it is of."""

    kinds: frozenset[str]
    telling: frozenset[str]
    days: frozenset[tuple[int, int, int]]

    @property
    def tells(self) -> bool:
        return bool(self.telling or self.days)

    def fits(self, other: "_Name") -> bool:
        """Whether it may name what is named so; by the kind alone, where it tells no more."""
        if self.kinds and other.kinds and self.kinds.isdisjoint(other.kinds):
            return False
        if self.days & other.days:
            return True
        if not self.telling:
            return not self.days and bool(self.kinds & other.kinds)
        return bool(other.telling) and (self.telling <= other.telling or other.telling <= self.telling)


def named_by_day(text: str) -> list[Span]:
    """Where it names other contracts by their days: "the tenancy agreement dated 22 August 2025"."""
    found = _NAMED_BY_DAY.finditer(text)
    return [each.span() for each in found if not each["name"].lower().startswith("this")]


def is_amendment(title: str, text: str = "") -> bool:
    """Whether the title, or what a document calls itself, is that of something that changes another one."""
    return bool(_TITLE.search(title) or _OWN_NAME.search(text))


def changes_others(title: str, beginning: str) -> bool:
    """Whether a document with this title that begins so names a contract that it changes."""
    return bool(_changed(title, beginning))


def amends(title: str, beginning: str, other: str, other_beginning: str = "") -> bool:
    """Whether a document with this title that begins so changes the one with the other title: it says so, and
    names it.
    """
    if _TITLE.search(other):
        return False
    named = _changed(title, beginning)
    return any(name.fits(_own(other, other_beginning)) for name in named)


def changed_by_each(texts: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Of the titles those of documents that change others, each with these. texts: what is known of each.
    What is named by its kind alone ("the Lease") must be the only one of its kind.
    """
    known = {title: "\n".join(each) for title, each in texts.items()}
    own = {title: _own(title, text) for title, text in known.items() if not _TITLE.search(title)}
    found: dict[str, tuple[str, ...]] = {}
    for title, text in known.items():
        named = _changed(title, text)
        fitting = [{other for other in own if other != title and name.fits(own[other])} for name in named]
        sure = (each for name, each in zip(named, fitting, strict=True) if name.tells or len(each) == 1)
        if changed := sorted(set().union(*sure)):
            found[title] = tuple(changed)
    return found


@lru_cache(512)
def _changed(title: str, text: str) -> tuple[_Name, ...]:
    """The names of the contracts that it changes; those that tell more than the kind, if there are any."""
    if not (is_amendment(title, text) or any(says.search(text) for says in (_SAYS, *_SAID_BY_LETTERS))):
        return ()
    itself = _own_kind_words(title)
    named = [
        _name(found["name"], text[found.end() : found.end() + DATED])
        for text in (title, text)
        for found in _NAMED.finditer(text)
        if not _TITLE.search(found["name"])
    ]
    named += [_name(found["name"], found[0]) for found in _NAMED_BY_DAY.finditer(text)]
    named = [name for name in named if name.tells or name.kinds - itself]
    telling = [name for name in named if name.tells]
    return tuple(dict.fromkeys(telling or named))


def _own_kind_words(title: str) -> frozenset[str]:
    """“The Deed” is itself in a deed of variation."""
    return frozenset(_kinds(_tokens(title))) & {"deed"}


@lru_cache(512)
def _own(title: str, text: str) -> _Name:
    """By its title, and what it calls itself."""
    said = [title, *(found["name"] for found in _THIS.finditer(text[:BEGINNING]))]
    names = [_name(each, "") for each in said]
    return _Name(
        kinds=names[0].kinds or frozenset().union(*(name.kinds for name in names)),
        telling=names[0].telling.union(*(name.telling for name in names)),
        days=frozenset(map(day_of, _DAY.finditer(text[:BEGINNING]))),
    )


def _name(name: str, behind: str) -> _Name:
    tokens = _tokens(_DAY.sub(" ", name))
    until = re.search(r"[.;]|\b(?:is|are|shall|will)\b", behind)
    found = _DAY.search(f"{name} {behind[: until.start() if until else None]}")
    return _Name(
        kinds=frozenset(_kinds(tokens)),
        telling=frozenset(
            each for each in tokens if each not in CONTRACTS | FUNCTION_WORDS | _SAYS_LITTLE | CHANGING
        ),
        days=frozenset({day_of(found)} if found else ()),
    )


def _kinds(tokens: Iterable[str]) -> set[str]:
    return {SAME_KIND.get(each, each) for each in tokens if each in CONTRACTS}


def _tokens(text: str) -> list[str]:
    return [found.lower() for found in _TOKEN.findall(text)]
