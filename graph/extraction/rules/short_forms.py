"""What the short names of a document stand for: acronyms, defined terms, last names."""

import re
from collections import Counter
from collections.abc import Sequence

from graph.extraction.rules import words
from graph.extraction.rules.mention_types import type_of
from graph.extraction.rules.mentions import Mention
from graph.extraction.rules.patterns import CAPITAL, PARENTHESISED
from graph.values.extraction import VALUES
from graph.values.names import key, qualifier
from text.sentences import sentences

_ACRONYM = re.compile(rf"\s*\((?:the\s+)?[“\"]?([{CAPITAL}][{CAPITAL}0-9&.-]{{1,9}})s?[”\"]?\)")


def full_names(title: str, chunks: Sequence[str], found: Sequence[Sequence[Mention]]) -> dict[str, str]:
    """Short forms of this document by key: defined terms, acronyms, and last words of one longer name."""
    short = _terms(title, chunks, found)
    long: dict[str, Counter[str]] = {}
    for text, things in zip(chunks, found, strict=True):
        for thing in things:
            name = folded_spaces(text[thing.start : thing.end])
            if thing.type in VALUES or thing.type == "TERM":
                continue
            match = _ACRONYM.match(text, thing.end, thing.end + 24)
            if match and _abbreviates(match[1], name):
                short.setdefault(key(match[1]), name)
            base, what = qualifier(name)
            if what and thing.defines:
                short.setdefault(key(base), name)
                continue
            parts = name.split()
            if 2 <= len(parts) <= 4 and type_of(name, text, thing) == "PERSON":
                long.setdefault(key(parts[-1]), Counter())[name] += 1
    for last, names in long.items():
        if len({key(name) for name in names}) == 1 and last not in short:
            short[last] = min(names, key=lambda name: (-names[name], name))
    return short


def _terms(title: str, chunks: Sequence[str], found: Sequence[Sequence[Mention]]) -> dict[str, str]:
    """What the document's defined terms stand for: the party before “(the "Supplier")”, else themselves."""
    short: dict[str, str] = {}
    for text, things in zip(chunks, found, strict=True):
        for start, end in sentences(text) if any(thing.type == "TERM" for thing in things) else ():
            parties: list[str] = []
            for thing in (thing for thing in things if start <= thing.start < end):
                name = folded_spaces(text[thing.start : thing.end])
                if thing.type != "TERM":
                    parties += [name] if type_of(name, text, thing) in ("ORGANIZATION", "PERSON") else []
                    continue
                bracketed = PARENTHESISED.search(text[max(start, thing.start - 40) : thing.start - 1])
                is_party = (
                    bracketed and len(parties) == 1 and name.split()[-1].lower() not in words.NO_PARTIES
                )
                stands_for = parties[0] if is_party else own_term(name, title)
                for form in (name, f"{name}s"):
                    short.setdefault(key(form), stands_for)
                parties = []
    return short


def own_term(term: str, title: str) -> str:
    """A term of one document is not that of another."""
    return f"{term} ({title})" if title else term


def _abbreviates(acronym: str, name: str) -> bool:
    """The acronym's letters are initials of the name's words, in order, beginning with the first."""
    letters = [c for c in acronym.lower() if c.isalnum()]
    initials = [part[0].lower() for part in re.split(r"[\s\-/&]+", name) if part]
    if not letters or not initials or letters[0] != initials[0]:
        return False
    rest = iter(initials)
    return all(letter in rest for letter in letters) or (
        len(letters) <= 3 < len(name)
        and letters[1:] == [c for c in name.lower() if c in letters[1:]][: len(letters) - 1]
    )


def folded_spaces(name: str) -> str:
    return " ".join(name.split())
