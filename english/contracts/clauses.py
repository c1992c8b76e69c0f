"""Clauses of contracts: their numbers, and what a sentence says of a clause that it changes. Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from english.contracts.defined_terms import meanings_in
from english.contracts.kinds import CHANGING, CONTRACTS
from english.dates import MONTH
from english.lexicon import roots

Span = tuple[int, int]

IN_PLACE_OF = r"(?:[Ii]nstead of|[Rr]ather than|[Ii]n (?:the )?(?:place|lieu) of)"
ASIDE = (
    rf"\b(?:[Nn]otwithstanding|[Ii]n spite of|[Dd]espite|[Cc]ontrary to|{IN_PLACE_OF}"
    r"|[Bb]y way of exception (?:to|from)|[Aa]s an exception (?:to|from))\b"
)
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
# "Notwithstanding clause 5, you may keep one cat", "the notice under clause 8 is one month instead of two".
_ASIDE_BEFORE = re.compile(rf"{ASIDE}[^.;]{{0,60}}?{_CLAUSE}")
_ASIDE_BEHIND = re.compile(rf"{_CLAUSE}[^.;]{{0,80}}?(?i:{ASIDE})")
_NUMBER = re.compile(rf"^\W*({_NUMBER_OF_ONE})\.?\s")
_BEGINS_CLAUSE = re.compile(r"^[ \t]*(\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3}\.)[ \t]+[\"“(]?[A-Z]", re.MULTILINE)
# Of an amendment, whose clauses often have numbers without a point: "1 Amendment of clause 2.2".
_HEADING = re.compile(r"^[ \t]*(\d{1,2})[ \t]+[A-Z][^\n;:]{0,80}(?<![.,])$", re.MULTILINE)
_END_OF_PARAGRAPH = re.compile(r"(?<=[.;:\"”])[ \t]*\n")
_DELETES = re.compile(rf"{_CLAUSE}.{{0,80}}?\b(?:is|are|be)\s+(?:\w+\s+){{0,2}}(?:deleted|removed)\b(?! and)")
_OWN_CLAUSE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,3})+)\.?\s+[\"“(]?[A-Z]")
_PREVAILS = r"\b(?:prevails?|(?:takes?|has|have)\s(?:precedence|priority))\b"
_PREVAILS_ITSELF = re.compile(
    rf"\b[Tt]his\s(?:[A-Z][\w’'-]*\s){{1,4}}(?:(?:shall|will)\s)?{_PREVAILS}(?!.*{_PREVAILS})", re.DOTALL
)
_NOT_ALWAYS = re.compile(r"\b(?:nothing|not|unless|except|never)\b", re.IGNORECASE)
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
KEPT = 1024  # sentences of which it is remembered what they change: each is held against many others
_LONGEST_NUMBER = 16  # characters of the number of a clause with what stands around it
SHORTEST = 4  # letters of a word that two sentences have in common
TELLING = 3  # ... of one that tells what an amendment is about: "fee", "cap"
ALIKE = 2  # words that a change and the clause that it changes have in common


def number_of_clause(text: str) -> str:
    """Of "8.1 The Tenant shall ..." its number; empty where a text begins with none."""
    own = _NUMBER.match(text)
    return own[1] if own else ""


def clause_at(text: str, place: int) -> str:
    """The number of the clause within which a place of a text stands; empty where none begins before it."""
    begun = [
        found[1]
        for found in _BEGINS_CLAUSE.finditer(text, 0, place + 1 + _LONGEST_NUMBER)
        if found.start() <= place
    ]
    return begun[-1].rstrip(".") if begun else ""


def prevails_itself(text: str) -> bool:
    """Whether a sentence says of its own document that it goes before another: “this Agreement prevails”."""
    return bool(_PREVAILS_ITSELF.search(text)) and not _NOT_ALWAYS.search(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """text: on one line, with its number. start, end: where it stands in the text that it was found in."""

    number: str
    start: int
    end: int
    text: str


def clauses_in(text: str) -> Iterator[Clause]:
    """Those that begin in it, each up to where the next one begins."""
    return _each_to_the_next(text, [(found.start(1), found[1]) for found in _BEGINS_CLAUSE.finditer(text)])


def parts_of_change(text: str) -> Iterator[Clause]:
    """Of a text of an amendment: its clauses, and before the first its paragraphs, which have no number."""
    begun = {
        found.start(1): found[1] for starts in (_HEADING, _BEGINS_CLAUSE) for found in starts.finditer(text)
    }
    ends = (found.end() for found in _END_OF_PARAGRAPH.finditer(text, 0, min(begun, default=len(text))))
    return _each_to_the_next(text, sorted(({0: ""} | dict.fromkeys(ends, "") | begun).items()))


def _each_to_the_next(text: str, begun: Sequence[tuple[int, str]]) -> Iterator[Clause]:
    """begun: where each begins, and its number."""
    for (start, number), (end, _) in pairwise([*begun, (len(text), "")]):
        words = text[start:end].rstrip()
        yield Clause(
            number=number.rstrip("."), start=start, end=start + len(words), text=" ".join(words.split())
        )


def clause_cited(title: str, quote: str) -> str:
    """The number with which a clause of a contract begins that is quoted; else empty. A document that quotes
    another one's clause is none of it.
    """
    own = _OWN_CLAUSE.match(quote)
    if own is None or CONTRACTS.union(CHANGING).isdisjoint(re.findall(r"[^\W\d_]+", title.lower())):
        return ""
    is_of_another = quote.count('"') % 2 or quote.count("“") != quote.count("”")
    return "" if is_of_another else own[1]


@lru_cache(KEPT)
def changed_clauses(text: str) -> frozenset[str]:
    """Numbers of the clauses that it says are deleted, replaced or to be read otherwise."""
    return _numbers(_CHANGED_CLAUSES, text)


def deletes(text: str, clause: str) -> bool:
    """Whether it says that the clause of this number is deleted, with nothing in its place."""
    return clause in _numbers(_DELETES, text)


def clauses_set_aside(text: str) -> frozenset[str]:
    """The same, and those from which it says that something is an exception. Any contract sets its own
    clauses aside so: this tells something only of one that is known to change another.
    """
    return changed_clauses(text) | _numbers(_ASIDE_BEFORE, text) | _numbers(_ASIDE_BEHIND, text)


def sets_aside(text: str, changed: Collection[str], document: str, clause: str) -> bool:
    """Whether a sentence of what changes these documents is an exception to that clause of one of them."""
    return document in changed and clause in clauses_set_aside(text)


def _numbers(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(
        number for found in pattern.finditer(text) for number in re.findall(_NUMBER_OF_ONE, found["numbers"])
    )


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
    if not _may_exchange(change):
        return None
    change, clause = change.translate(_SIGNS), clause.translate(_SIGNS)
    return _words(change, clause) or _persons(change, clause)


@lru_cache(KEPT)
def _may_exchange(change: str) -> bool:
    """Whether it quotes two texts, or says that somebody takes another's place."""
    change = change.translate(_SIGNS)
    return len(_QUOTED.findall(change)) == 2 or bool(_replacement(change))


def gone_person(text: str) -> str:
    """Of "Ann Lee replaces Bo Hill": him who goes; empty where nobody does."""
    found = _replacement(text)
    return found["old"] if found else ""


def _replacement(text: str) -> re.Match[str] | None:
    """Who comes, and who goes."""
    return _REPLACES.search(text) or _REPLACED.search(text)


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
    found = _replacement(change)
    at = clause.find(found["old"]) if found else -1
    if found is None or at < 0 or not common(change, clause) - roots(f"{found['old']} {found['new']}"):
        return None  # also a list of guests may have his name
    # "From the Amendment Date Ann Lee replaces Bo Hill": her name has as many words as his.
    new = found["new"].split()[-len(found["old"].split()) :]
    start = found.end("new") - len(" ".join(new))
    return (start, found.end("new")), (at, at + len(found["old"]))
