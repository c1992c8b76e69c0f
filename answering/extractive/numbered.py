"""Things that are told apart by a number: "severity 2", "phase 3", "Table 4"."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from answering.extractive.candidates import Candidate
from answering.extractive.words import stem
from text.tables.table_lines import cells
from text.word_lists import FUNCTION_WORDS

_NUMBERED = re.compile(r"\b([^\W\d_]{3,})[ -](\d{1,3}(?:\.\d{1,3})*)(?![\w%]|[.,]\d)")
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})*")

Numbers = Mapping[str, set[str]]  # of the stem of each thing


def numbered(text: str) -> Numbers:
    found: dict[str, set[str]] = defaultdict(set)
    for word, number in _NUMBERED.findall(text):
        if word.lower() not in FUNCTION_WORDS:
            found[stem(word)].add(number)
    return found


def asked_numbers(question: str, texts: Iterable[str]) -> Numbers:
    """The numbers of the question that some text gives to the same thing."""
    asked = numbered(question)
    known = numbered("\n".join(texts)) if asked else {}
    return {thing: there for thing, of in asked.items() if (there := of & known.get(thing, set()))}


def is_of_another(part: Candidate, asked: Numbers) -> bool:
    """Whether the part gives a thing other numbers only: "severity 1" where "severity 2" is asked about."""
    if not asked:
        return False
    own = numbered(f"{part.around} {part.text}")
    if part.kind == "row" and _NUMBER.fullmatch(first := cells(part.quote)[0].strip()):
        for word in part.first_head.split()[-1:]:
            own[stem(word)].add(first)
    return any(thing in own and not of & own[thing] for thing, of in asked.items())
