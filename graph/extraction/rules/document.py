"""What the rules know of a whole document before they look for names in its passages."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graph.extraction.rules.defined_names import DefinedNames
from graph.extraction.rules.headings import heading
from graph.extraction.rules.patterns import CAPITALISED, LOWER_WORD
from graph.values.names import qualifier
from text.sentences import sentences

_BULLETED = re.compile(
    r"(?:\s*(?:[-•▪●◦*–(]|\d{1,2}(?:\.\d{1,2}){1,3}(?=\s)|[a-z0-9ivx]{1,4}[.)]|[“\"«„]))*\s*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`small` and `capital` count words in small letters, and capitalised ones within a sentence: of a word
    that opens a sentence only they can tell whether it is a name.
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
    return Document(headings=_defined_names(chunks), small=small, capital=capital, passages=len(chunks))


def openings(text: str) -> set[int]:
    """Where sentences, lines that are no mere wraps, and cells begin, behind their bullets and numbers."""
    begins = [*(start for start, _ in sentences(text)), *(tab.end() for tab in re.finditer("\t", text))]
    return {_BULLETED.match(text, start).end() for start in begins}  # type: ignore[union-attr]


def _defined_names(chunks: Sequence[str]) -> DefinedNames:
    names: set[str] = set()
    for text in chunks:
        if span := heading(text):
            names.add(qualifier(" ".join(text[slice(*span)].split()))[0])
    return DefinedNames(name for name in names if 3 <= len(name) <= 60)
