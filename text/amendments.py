"""What changes other documents says so: which document, which of its clauses, which words of it. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from text.defined_terms import meanings_in
from text.lexicon import roots
from text.months import DAY, MONTH
from text.word_lists import FUNCTION_WORDS, words

# --- which document --------------------------------------------------------------------------------------
CONTRACTS = words(
    "agreement contract lease tenancy deed licence license loan mortgage guarantee bond charter treaty"
)
CHANGING = words("amendment addendum supplement variation rider waiver renewal")
SAME_KIND = {"contract": "agreement", "licence": "license", "tenancy": "lease"}
_CHANGING = (
    rf"(?:{'|'.join(sorted(CHANGING))}|supplemental|extension|novation|side[ _-]letter|change[ _-]order)"
)
_TITLE = re.compile(rf"(?<![^\W_]){_CHANGING}(?![^\W_])", re.IGNORECASE)
_OWN_NAME = re.compile(
    rf"\b[Tt]his\s+(?:(?:[A-Z][\w’'-]+|of|and)\s+){{0,4}}?(?i:{_CHANGING})\b"
    # its heading: "FIRST DEED OF AMENDMENT", "Side Letter"
    rf"|^\W*(?:(?:[A-Z][\w’'-]*|of|and)[ \t]+){{0,4}}?(?=[A-Z])(?i:{_CHANGING})\b"
)
_SAYS = re.compile(
    r"\b(?:supplemental to|amends|varies|supplements|amending|varying"
    r"|is an? (?:amendment|addendum|supplement|variation) (?:to|of))\s(?:the|an?|that|our|your)\b"
)
_KIND = rf"(?i:{'|'.join(sorted(CONTRACTS))})"
_NAMED = re.compile(
    rf"\b(?:[Tt]he|[Aa]n?|[Tt]hat|[Oo]ur|[Yy]our)\s+(?P<name>(?:[A-Z][\w’'&-]*\s+){{0,5}}?{_KIND}\b"
    r"(?:\s+(?:of|for|with)\s+(?:the\s+)?(?:employment|[A-Z\d][\w’'&-]*(?:\s+[A-Z\d][\w’'&-]*){0,3}))?)"
)
_THIS = re.compile(rf"\b[Tt]his\s+(?P<name>(?:[A-Z][\w’'&-]*\s+){{0,4}}?{_KIND}\b(?:\s+of\s+[A-Z][a-z]+)?)")
_DAY = re.compile(rf"\b{DAY}")
_TOKEN = re.compile(r"[^\W_]+")
_SAYS_LITTLE = words("no number signed copy final draft version scan pdf docx original dated date letter")
DATED = 70  # characters behind the name of a document within which its day stands
BEGINNING = 2_000  # characters of a document in which it says what it is

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """How a contract is named: its kinds, what tells it from others of its kind, the day that it is of."""

    kinds: frozenset[str]
    telling: frozenset[str]
    days: frozenset[tuple[str, str, str]]

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


def is_amendment(title: str, text: str = "") -> bool:
    """Whether the title, or what a document calls itself, is that of something that changes another one."""
    return bool(_TITLE.search(title) or _OWN_NAME.search(text))


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
    if not is_amendment(title, text) and not _SAYS.search(text):
        return ()
    itself = _own_kind_words(title)
    named = [
        _name(found["name"], text[found.end() : found.end() + DATED])
        for text in (title, text)
        for found in _NAMED.finditer(text)
        if not _TITLE.search(found["name"])
    ]
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
        days=frozenset(_days(text[:BEGINNING])),
    )


def _name(name: str, behind: str) -> _Name:
    tokens = _tokens(_DAY.sub(" ", name))
    until = re.search(r"[.;]|\b(?:is|are|shall|will)\b", behind)
    return _Name(
        kinds=frozenset(_kinds(tokens)),
        telling=frozenset(
            each for each in tokens if each not in CONTRACTS | FUNCTION_WORDS | _SAYS_LITTLE | CHANGING
        ),
        days=frozenset(_days(f"{name} {behind[: until.start() if until else None]}")[:1]),
    )


def _kinds(tokens: Iterable[str]) -> set[str]:
    return {SAME_KIND.get(each, each) for each in tokens if each in CONTRACTS}


def _tokens(text: str) -> list[str]:
    return [found.lower() for found in _TOKEN.findall(text)]


def _days(text: str) -> list[tuple[str, str, str]]:
    """Day, the first letters of the month, year."""
    return [
        (
            (found["day"] or found["day2"]).lstrip("0"),
            (found["month"] or found["month2"])[:3].lower(),
            found["year"] or found["year2"],
        )
        for found in _DAY.finditer(text)
    ]


# --- which clause, and which words of it -----------------------------------------------------------------
# What puts other words in the place of those of a clause.
IS_CHANGED = (
    r"(?:(?:is|are|was|were|be|been)\s+(?:\w+\s+){0,2}(?:deleted|replaced|amended|substituted|varied|removed)"
    r"|(?:now|shall) reads?|(?:shall|is to|are to) be read as|reads?(?= as follows|\s{0,2}[:\"“])"
    r"|no longer appl(?:y|ies)|ceases? to apply|(?:is|are) disapplied"
    r"|(?:is|are) (?:postponed|extended|increased|reduced|raised|lowered)(?=.{0,60}\b(?:to|until|by)\b))\b"
)
_NUMBER_OF_ONE = r"\d{1,3}(?:\.\d{1,3})*"
_CLAUSE = (
    r"\b(?:[Cc]lause|[Ss]ection|[Pp]aragraph|[Aa]rticle)s? "
    rf"(?P<numbers>{_NUMBER_OF_ONE}(?:(?:,? and|,) {_NUMBER_OF_ONE}){{0,20}})(?![\d%])"
)
_CHANGED_CLAUSES = re.compile(rf"{_CLAUSE}.{{0,80}}?\b{IS_CHANGED}")
_NUMBER = re.compile(rf"^\W*({_NUMBER_OF_ONE})\.?\s")
_SIGNS = str.maketrans("’‘", "''")
_QUOTED = re.compile(r"[\"“]\s{0,2}([^\"“”]{1,200}?)\s{0,2}[\"”]")
_PERSON = r"[A-Z][\w’'-]+(?:\s+[A-Z][\w’'-]+)+"
# "Ann Lee replaces Bo Hill", "Bo Hill is replaced by Ann Lee": who comes and who goes.
_REPLACES = re.compile(
    rf"(?P<new>{_PERSON})\s+(?:replaces|succeeds|takes the place of|in (?:the )?place of|instead of)\s+"
    rf"(?P<old>{_PERSON})"
)
_REPLACED = re.compile(
    rf"(?P<old>{_PERSON})\s+(?:is|shall be)\s+(?:replaced|succeeded)\s+by\s+(?P<new>{_PERSON})"
)
_MONTH = re.compile(rf"\b{MONTH}\b")
_OF_ANY_CONTRACT = roots(" ".join(CONTRACTS | CHANGING)) | roots(
    """party clause section paragraph date dated schedule supplier customer client landlord tenant lender
    borrower licensor licensee employer employee buyer seller contractor consultant company"""
)
SHORTEST = 4  # letters of a word that two sentences have in common
TELLING = 3  # ... of one that tells what an amendment is about: "fee", "cap"
ALIKE = 2  # words that a change and the clause that it changes have in common


def number_of_clause(text: str) -> str:
    """Of "8.1 The Tenant shall ..." its number; empty where a text begins with none."""
    own = _NUMBER.match(text)
    return own[1] if own else ""


def changed_clauses(text: str) -> set[str]:
    """Numbers of the clauses that it says are deleted, replaced or to be read otherwise."""
    return {
        number
        for found in _CHANGED_CLAUSES.finditer(text)
        for number in re.findall(_NUMBER_OF_ONE, found["numbers"])
    }


def changes_another_clause(change: str, clause: str) -> bool:
    """Whether one changes clauses of a document, and the other is a clause that it leaves as it is."""
    changed, own = changed_clauses(change), number_of_clause(clause)
    return bool(changed) and "." in own and own not in changed


def changes(change: str, clause: str) -> bool:
    """Whether one says that it changes the clause that the other is; a number alone is no proof."""
    own = number_of_clause(clause)
    if not own or own not in changed_clauses(change):
        return False
    return alike(change, clause) or exchanged(change, clause) is not None


def alike(one: str, other: str) -> bool:
    """Whether they have words enough in common to be about one thing."""
    return len(roots(one, shortest=SHORTEST) & roots(other, shortest=SHORTEST)) >= ALIKE


def on_one_point(change: str, clause: str, titles: str = "") -> bool:
    """Whether a sentence of an amendment, and one of what it amends, are about one thing: a term that one of
    them defines and the other says something of, or at least half of the words of the shorter one, besides
    those of their titles.
    """
    if on_one_term(change, clause):
        return True
    both = (change, clause)
    known = roots(titles)
    shorter = min(len(common(each, each) - known) for each in both)
    return len(common(change, clause) - known) >= max(ALIKE, shorter / 2)


def on_one_term(change: str, clause: str) -> bool:
    """Whether one of them defines a term, and the other says something of it."""
    both = ((change, clause), (clause, change))
    return any(_speaks_of(term, other) for one, other in both for term in _defined(one))


def common(one: str, other: str) -> set[str]:
    """Roots of the words of both that tell what they are about: no months, no kinds of contracts."""
    mine, theirs = (roots(_MONTH.sub(" ", text), shortest=TELLING) for text in (one, other))
    return (mine & theirs) - _OF_ANY_CONTRACT


def _defined(text: str) -> set[str]:
    return {" ".join(found["term"].split()) for found in meanings_in(text)}


def names(term: str, text: str) -> bool:
    """Whether a text has a defined term as it is written, or in its plural; no kind of document is one."""
    is_there = re.search(rf"(?<!\w){re.escape(term)}s?(?!\w)", text)
    return bool(is_there and roots(term) - _OF_ANY_CONTRACT)


def _speaks_of(term: str, text: str) -> bool:
    """Whether it says something of the term, or defines it anew, and does not only use the word."""
    there = rf"(?<!\w){re.escape(term)}"
    said = r"[\"”]?\s+(?:is|are|shall|will|now|means?|ends?|expires?|begins?|in (?:clause|section))\b"
    return names(term, text) and bool(re.search(rf"{there}{said}|\bdefinitions? of\s+[\"“]?{there}\b", text))


def exchanged(change: str, clause: str) -> tuple[Span, Span] | None:
    """Where a sentence puts other words in the place of those of the clause: its new words, and the old ones
    in the clause. These are quoted, or somebody's name.
    """
    change, clause = change.translate(_SIGNS), clause.translate(_SIGNS)
    return _words(change, clause) or _persons(change, clause)


def gone_person(text: str) -> str:
    """Of "Ann Lee replaces Bo Hill": him who goes; empty where nobody does."""
    found = _REPLACES.search(text) or _REPLACED.search(text)
    return found["old"] if found else ""


def _words(change: str, clause: str) -> tuple[Span, Span] | None:
    quoted = list(_QUOTED.finditer(change))
    if len(quoted) != 2 or number_of_clause(clause) not in changed_clauses(change):
        return None
    places = [clause.find(each[1]) for each in quoted]
    if (places[0] < 0) == (places[1] < 0):
        return None
    old, new = quoted if places[0] >= 0 else reversed(quoted)
    at = max(places)
    return new.span(1), (at, at + len(old[1]))


def _persons(change: str, clause: str) -> tuple[Span, Span] | None:
    found = _REPLACES.search(change) or _REPLACED.search(change)
    at = clause.find(found["old"]) if found else -1
    if found is None or at < 0 or not common(change, clause) - roots(f"{found['old']} {found['new']}"):
        return None  # also a list of guests may have his name
    # "From the Amendment Date Ann Lee replaces Bo Hill": her name has as many words as his.
    new = found["new"].split()[-len(found["old"].split()) :]
    start = found.end("new") - len(" ".join(new))
    return (start, found.end("new")), (at, at + len(found["old"]))
