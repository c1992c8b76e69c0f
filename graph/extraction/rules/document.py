"""What the rules know of a whole document before they look for names in its passages."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from graph.extraction.rules.defined_names import DefinedNames
from graph.extraction.rules.headings import heading
from graph.extraction.rules.patterns import CAPITALISED, JOINED_BY_AND, LOWER_WORD
from graph.values.names import qualifier
from text.sentences import sentences

_BULLETED = re.compile(
    r"(?:\s*(?:[-•▪●◦*–(]|\d{1,2}(?:\.\d{1,2}){1,3}(?=\s)|[a-z0-9ivx]{1,4}[.)]|[“\"«„]))*\s*"
)
JOINED = 2  # times that a name with an “and” within stands in its document, at least


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`headings`: the names that they define, and those with an “and” within. `small` and `capital` count
    words in small letters, and capitalised ones within a sentence: of a word that opens a sentence only they
    can tell whether it is a name.
    """

    headings: DefinedNames
    small: Counter[str]
    capital: Counter[str]
    passages: int


def read_document(chunks: Sequence[str]) -> Document:
    small, capital = Counter[str](), Counter[str]()
    for text in chunks:
        small.update(LOWER_WORD.findall(text))
        opening = openings(text)
        capital.update(m[0].lower() for m in CAPITALISED.finditer(text) if m.start() not in opening)
    names = DefinedNames(chain(_defined_names(chunks), _joined_names(chunks, small)))
    return Document(headings=names, small=small, capital=capital, passages=len(chunks))


def openings(text: str) -> set[int]:
    """Where sentences, lines that are no mere wraps, and cells begin, behind their bullets and numbers."""
    begins = [*(start for start, _ in sentences(text)), *(tab.end() for tab in re.finditer("\t", text))]
    return {_BULLETED.match(text, start).end() for start in begins}  # type: ignore[union-attr]


def _defined_names(chunks: Sequence[str]) -> set[str]:
    names: set[str] = set()
    for text in chunks:
        if span := heading(text):
            names.add(qualifier(" ".join(text[slice(*span)].split()))[0])
    return {name for name in names if 3 <= len(name) <= 60}


def _joined_names(chunks: Sequence[str], small: Counter[str]) -> set[str]:
    """“Securities and Exchange Commission”: what stands again and again with the same “and”, of words that
    the document also has in small letters. “Adams and Baker” are two names, however often they stand so.
    """
    counts = Counter(" ".join(match[0].split()) for text in chunks for match in JOINED_BY_AND.finditer(text))
    return {
        name
        for name, count in counts.items()
        if count >= JOINED
        and all(small[word.lower()] for word in name.partition(" and ")[0].split())
        and small[name.partition(" and ")[2].split()[0].lower()]
    }
