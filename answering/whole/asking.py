"""Whether a question can only be answered from the whole of a document, and from which documents. Pure.

The nearest passages make no summary, and of a list they give a part.
"""

import re
import tomllib
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from answering.question.intent import DOCUMENTS
from retrieval.whole_documents import Readable
from text.stems import stem
from text.word_lists import FUNCTION_WORDS, words

MOST = 3  # documents that are read whole for one question
NAMED = 0.75  # share of the words of a title by which a question names a document; figures and years aside


class Wanted(StrEnum):
    """What is made of whole documents. `value` is also the name of the prompt for it."""

    SUMMARY = "summary"
    LIST = "list"
    COMPARISON = "comparison"


_GIVEN = tomllib.loads((Path(__file__).parent / "whole.toml").read_text(encoding="utf-8"))
_WORDS: dict[str, str] = _GIVEN["words"] | {"DOCUMENTS": DOCUMENTS}
_STANDS_FOR = re.compile("|".join(_WORDS))
_SIGNS = {
    Wanted(name): re.compile(
        "|".join(_STANDS_FOR.sub(lambda name: _WORDS[name[0]], sign) for sign in signs), re.IGNORECASE
    )
    for name, signs in _GIVEN["signs"].items()
}
_WORD = re.compile(r"[^\W_]+")
_DOCUMENTS = re.compile(rf"\b{DOCUMENTS}\b", re.IGNORECASE)
_ENDINGS = frozenset({"pdf", "docx", "doc", "txt", "html", "md"})  # of files called by their names

_MANNER = frozenset(  # how something is to be made, and of how much
    map(
        stem,
        words(
            """two three four five six ten short shorter shortly brief briefly quick quickly concise detail
            detailed simple simply plain english german french spanish sentence word paragraph line bullet
            point list table whole entire full everything everyone each together side lease deed text pdf
            version datasource folder"""
        ),
    )
)


def wanted(question: str) -> Wanted | None:
    """What has to be made of whole documents; None where passages answer the question."""
    return next((wanted for wanted, sign in _SIGNS.items() if sign.search(question)), None)


def without_task(question: str) -> str:
    """What is asked about, without the words that say what to make of it: “Compare these two” has none."""
    kind = wanted(question)
    return question if kind is None else _SIGNS[kind].sub(" ", question)


def names_a_matter(question: str) -> bool:
    """Whether anything but documents is left of the question without its task: “Summarise this contract in
    three sentences” names none.
    """
    return bool(_words(_DOCUMENTS.sub(" ", without_task(question))) - _MANNER)


def meant(question: str, documents: Sequence[Readable]) -> list[Readable]:
    """The documents that are meant: those that the question names, otherwise all if they are few. Empty where
    that is not clear.
    """
    return named(question, documents) or (list(documents) if len(documents) <= MOST else [])


def named(question: str, documents: Sequence[Readable]) -> list[Readable]:
    """The documents that the question names by words of their titles. Empty where it names none, too many, or
    just one of those that it compares.
    """
    asked = _words(question)
    scores = {each.id: _named(asked, each.title) for each in documents}
    found = [each for each in documents if scores[each.id]]
    if len(found) > MOST:
        best = max(scores.values())
        found = [each for each in found if scores[each.id] == best]
    is_enough = len(found) > 1 or wanted(question) != Wanted.COMPARISON
    return found if is_enough and len(found) <= MOST else []


def _named(asked: set[str], title: str) -> int:
    """How many words of the title the question has; 0 where that may be chance."""
    own = {word for word in _words(title) if not any(letter.isdigit() for letter in word)}
    shared = len(own & asked)
    return shared if own and shared >= NAMED * len(own) else 0


def _words(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text.lower()) if word not in _ENDINGS | FUNCTION_WORDS}
