"""What the words around a name say the thing is: what tells two things of one name apart. Pure.

Traits are short texts: “is planet”, “born 1963”, “made 1969”, “dated 1997”. They are kept with each mention.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from graph.extraction.rules.words import STOP
from graph.resolution.kinds import KIND_OF, SELDOM_ONE_PERSON
from text.normal_forms.normal_form import fold
from text.word_lists import words as listed

WORKS = frozenset({"WORK", "DATASET", "METHOD"})  # types whose year tells one from another
LONG_NAME = 4  # words: a heading of so many is a title
LABEL = 24  # characters of a sense
SHARED = 2  # words that a document must share with a sense to be of it

_YEAR = r"(?:1[5-9]|20)\d\d"
_IN_BRACKETS = re.compile(r"\s*[”\"’']?\s*\(([^()]{0,120})\)")
_ANY_YEAR = re.compile(rf"\b{_YEAR}\b")
_LAST = re.compile(rf"[,.;:(]\s*(?:\w+\s+){{0,2}}({_YEAR})[).]*\s*$")
_IS = re.compile(
    r"\s*[”\"’']?\s*(?:,[^.;,]{0,80},)?\s*(?:is|was|are|were)\s+(?:also\s+|now\s+|both\s+|either\s+)?"
    r"(?:an?|the|one of the)\s+([^.;:(]{3,160})"
)
_APPOSED = re.compile(r"\s*,\s+(?:an?)\s+([^.;:(]{3,160})")
_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*|,")
_LIFE = re.compile(rf"\bborn\b|\bb\.|{_YEAR}[^()]{{0,3}}[–-]|[–-][^()]{{0,25}}{_YEAR}")
_OPENING = re.compile(r"^[\s“\"‘'(]*(?:the\s+)?$", re.IGNORECASE)
_PREPOSITION = re.compile(r"\b(?:in|at|on|of|from|to|for|by|with|near|since|during|and|or)\s+(?:the\s+)?$")
_BEFORE = re.compile(r"\b([a-z]{3,})\s+[“\"]?$")
_ENDS = listed(
    """of in from for by at to on with who whom whose which that where when as but while during located born
based known released directed written produced founded published developed near between under since before
after about within is was are were has had have the a an his her its"""
)
DATED = "dated "  # how the trait of a record or title begins that says its year
_ON_AIR = listed("television tv web drama comedy")
_YEARS = {"dated": 0, "born": 0, "made": 1}  # years by which sources may differ

Document = tuple[str, int]  # SHA-256 of its file, id: an order that doesn't depend on that of uploads


def traits(name: str, before: str, after: str, *, types: Iterable[str], title: bool) -> tuple[str, ...]:
    """What a statement says the thing is, given its words before and after the name.

    `title` says that the statement is about a thing of this name as a whole: a heading, or a description.
    """
    found = set()
    opens = bool(_OPENING.match(before))
    bracket = _IN_BRACKETS.match(after)
    if bracket:
        found |= _in_brackets(bracket[1], opens and " " in name)
    work = bool(WORKS & set(types)) or len(name.split()) >= LONG_NAME
    if title and work and (last := _LAST.search(after)):
        found.add(DATED + last[1])
    rest = after[bracket.end() :] if bracket else after
    said = _IS.match(rest) if opens else None
    if said is None and not _PREPOSITION.search(before):
        said = _APPOSED.match(rest)
    found |= _kinds(said[1]) if said else set()
    if (prior := _BEFORE.search(before)) and prior[1] in KIND_OF:
        found.add(f"is {KIND_OF[prior[1]]}")
    return tuple(sorted(found))


def _in_brackets(text: str, subject: bool) -> set[str]:
    """“(1969)” is the year of a work; “(born 3 May 1969)” and “(1890 – 1969)” tell when a life began."""
    years = _ANY_YEAR.findall(text)
    if text.strip() in years:
        return {f"made {years[0]}"}
    return {f"born {years[0]}"} if years and subject and _LIFE.search(text) else set()


def _kinds(phrase: str) -> set[str]:
    """Kinds and years of “1969 British comedy film and stage play by …”: those of its last words."""
    found, last, named = set(), "", False
    for match in [*_WORD.findall(phrase)[:25], ","]:
        word = fold(match)
        if re.fullmatch(_YEAR, word):
            found.add(f"made {word}")
        if word == "series":  # “book series”, “television series”
            word = last if last in KIND_OF else "miniseries" if last in _ON_AIR else word
        kind = KIND_OF.get(_singular(last))
        if word in {",", "and", "or"} or word in _ENDS or (kind and word.endswith("ed")):
            named = named or bool(kind)
            found |= {f"is {kind}"} if kind else set()
            if word not in {",", "and", "or"} or (word == "," and not named):
                break
        last = word
    return found if named else set()


def _singular(word: str) -> str:
    word = word.rpartition("-")[2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and word[:-1] in KIND_OF else word


def _of(prefix: str, given: Set[str]) -> set[str]:
    return {trait for trait in given if trait.startswith(f"{prefix} ")}


def differ(one: Set[str], other: Set[str]) -> bool:
    """Whether these traits can't well be of one thing. Traits of which a side has none say nothing."""
    for prefix, tolerance in _YEARS.items():
        a, b = _of(prefix, one), _of(prefix, other)
        if a and b:
            near = any(abs(int(x[-4:]) - int(y[-4:])) <= tolerance for x in a for y in b)
            if not near:
                return True
            if prefix == "born":
                return False
    a, b = _of("is", one), _of("is", other)
    if not a or not b or a & b:
        return False
    if a <= SELDOM_ONE_PERSON.keys() and b <= SELDOM_ONE_PERSON.keys():
        return all(y in SELDOM_ONE_PERSON[x] for x in a for y in b)
    return True


# --- senses ----------------------------------------------------------------------------------------------
def groups(told: Mapping[Document, Set[str]]) -> dict[str, frozenset[Document]]:
    """The documents that mean one thing each by the same name, by a label of that thing.

    Documents that share a trait are together unless they differ.
    """
    parts: list[tuple[set[str], set[Document]]] = []
    for document in sorted(told, key=lambda one: (-len(told[one]), one)):
        own = told[document]
        fits = [part for part in parts if part[0] & own and not differ(part[0], own)]
        fits = fits or [part for part in parts if not differ(part[0], own)]
        if fits:
            fits[0][0].update(own)
            fits[0][1].add(document)
        else:
            parts.append((set(own), {document}))
    labelled: dict[str, frozenset[Document]] = {}
    for label, documents in sorted((_label(own), sorted(documents)) for own, documents in parts):
        number = sum(other.startswith(label) for other in labelled)
        labelled[f"{label} {number + 1}" if number else label] = frozenset(documents)
    return labelled


def _label(own: Set[str]) -> str:
    firsts = [min(_of(prefix, own), default="") for prefix in ("is", *_YEARS)]
    return " ".join(first.partition(" ")[2] for first in firsts if first)[:LABEL]


def nearest(words: Set[str], senses: Mapping[str, Set[str]]) -> str | None:
    """The sense with which a document that doesn't tell shares most words; None when that is unclear."""
    shared = sorted(((len(words & own), label) for label, own in senses.items()), reverse=True)
    if len(shared) > 1 and shared[0][0] >= SHARED and shared[0][0] > shared[1][0]:
        return shared[0][1]
    return None


# --- pairs -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is known of a name besides the name: where it stands, what is said of it."""

    chunks: frozenset[int] = frozenset()
    short: frozenset[str] = frozenset()  # keys of short words that passages write for it
    traits: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def content_words(text: str) -> frozenset[str]:
    """The words that carry meaning: folded, without those that any text has."""
    return frozenset(w for w in map(fold, re.findall(r"[^\W_]+", text)) if len(w) > 2 and w not in STOP)


def overlap(a: Context, b: Context, names: Sequence[str]) -> tuple[int, float]:
    """How many words both have besides those of the names, and the share of the smaller side."""
    own = frozenset(word for name in names for word in name.split())
    x, y = a.words - own, b.words - own
    shared = len(x & y)
    return shared, shared / max(1, min(len(x), len(y)))
