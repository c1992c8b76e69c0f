"""What is made of each text, by the family of rules, and the code of it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from answering.differing.asking import Asking
from answering.differing.compare import Excerpt, Statement, difference
from answering.extractive.candidates import Passage, candidates
from answering.extractive.question import Question
from citations.support import check_support
from digest.reading import PageText, read
from english.contracts.clauses import changed_clauses, number_of_clause
from english.contracts.defined_terms import definitions_in
from english.periods import Periods
from english.polarity import is_affirmed
from english.questions.facts import facts
from english.questions.of_sentences import sentence_to_questions
from english.spelling import plain
from english.values import values_in
from graph.extraction.rules.extractor import Rules
from tests.english.golden import texts

LENGTH = 3  # letters of a code
_WITHIN = re.compile(r"(?<=[a-z,;] )[A-Za-z][\w’'-]*")
Family = tuple[Callable[[], Sequence[Any]], Callable[[Any], Any]]


@cache
def _written() -> frozenset[str]:
    return frozenset(word for _, text in texts.documents() for word in _WITHIN.findall(text))


def _questions(sentence: str) -> tuple[Any, ...]:
    names = {"Acme": False, "Ann Lee": True}
    return tuple(sentence_to_questions(sentence, _written())), tuple(facts(sentence, _written(), names))


def _difference(sides: tuple[str, dict[str, str], dict[str, str]]) -> Any:
    question, *both = sides
    one, other = (Statement(Excerpt(title=side["title"], text=side["text"])) for side in both)
    return difference(Asking(question), one, other)


def _parts(document: tuple[str, str]) -> Any:
    return candidates([Passage(key="c1", document=document[0], text=document[1], score=0.5)])


FAMILIES: Mapping[str, Family] = {
    "verdicts": (texts.pairs, lambda pair: check_support(*pair)),
    "spelling": (texts.single_sentences, plain),
    "values": (texts.single_sentences, values_in),
    "periods": (texts.single_sentences, Periods.of),
    "polarity": (texts.single_sentences, is_affirmed),
    "clauses": (texts.single_sentences, lambda text: (number_of_clause(text), changed_clauses(text))),
    "terms": (texts.single_sentences, lambda text: [found["term"] for found in definitions_in(text)]),
    "questions of sentences": (texts.single_sentences, _questions),
    "questions asked": (texts.sides, lambda sides: (Question.of(sides[0], ""), Asking(sides[0]).kinds)),
    "differences": (texts.sides, _difference),
    "quotable parts": (texts.documents, _parts),
    "mentions": (texts.documents, lambda document: Rules().extract(document[0], [document[1]])),
    "digest": (texts.documents, lambda document: read([PageText(number=1, text=document[1])])),
}


def codes(family: str, *, each: int = 1) -> Iterator[str]:
    """Those of every case, or of one in so many, in order."""
    cases, outcome = FAMILIES[family]
    return (_code(outcome(case)) for case in cases()[::each])


def _code(outcome: Any) -> str:
    return sha256(repr(_bare(outcome)).encode()).hexdigest()[:LENGTH]


def _bare(value: Any) -> Any:
    """Without names of classes, which may change, and with sets in order."""
    if is_dataclass(value):
        return [_bare(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, map(_bare, value)))
    return [_bare(each) for each in value] if isinstance(value, (list, tuple)) else value
