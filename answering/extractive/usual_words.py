"""In which words documents usually state what is asked: "made by and between" tells who the parties are, and
has no word of the question.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from answering.extractive.answer_kinds import Kind
from english.contracts.clauses import IN_PLACE_OF
from english.contracts.roles import ROLE
from english.lexicon import carriers, roots
from english.quotable import MAX_QUOTE

SOON = 60  # characters
_FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """asks: what a question about it has; its group "of" is what it is asked of. says: what a sentence that
    answers one has. plain: that alone tells an answer. several: a document usually says it in more than one
    place. own: each document has its own. statements: made-up sentences of that kind, the most usual one
    first.
    """

    name: str
    asks: re.Pattern[str]
    says: re.Pattern[str]
    plain: bool
    several: bool
    own: bool
    statements: tuple[str, ...]

    def is_said(self, text: str) -> bool:
        return self.says.search(text, 0, MAX_QUOTE) is not None

    def is_of(self, question: str, text: str) -> bool:
        """Whether a text has what the question names as "of", where it does, be it by a synonym: who pays for
        the insurance is not told by who pays the rent.
        """
        asked = self.asks.search(question)
        if asked is None or not (named := asked.groupdict().get("of")):
            return True
        has = roots(text)
        return all(not {one, *carriers(one)}.isdisjoint(has) for one in roots(named))

    def is_said_of(self, text: str, start: int, end: int) -> bool:
        """Whether text[start:end] stands in the words that say it, or soon after them."""
        said = self.says.finditer(text, 0, MAX_QUOTE)
        return any(found.start() < end and start <= found.end() + SOON for found in said)


@cache
def matters() -> tuple[Matter, ...]:
    """In the order of the file beside this module, which holds them."""
    with _FILE.open("rb") as file:
        every = tomllib.load(file)
        return tuple(
            Matter(
                name=name,
                asks=re.compile(every[told.get("asks_as", name)]["asks"], re.IGNORECASE),
                says=re.compile(_spelt_out(told["says"]), re.IGNORECASE | re.DOTALL),
                plain=told.get("plain", False),
                several=told.get("several", False),
                own=told.get("own", False),
                statements=tuple(told["statements"]),
            )
            for name, told in every.items()
        )


def _spelt_out(pattern: str) -> str:
    return pattern.replace("{role}", ROLE).replace("{in_place_of}", IN_PLACE_OF)


def is_made_up(query: str) -> bool:
    """Whether it is one of the statements here, which no person and no document has said."""
    return any(query in matter.statements for matter in matters())


@lru_cache(maxsize=64)
def asked_matters(question: str) -> tuple[Matter, ...]:
    """What a question is about, of that which has usual words; mostly nothing or one. Kept for the last
    questions: an answer asks several times, and a table once a cell.
    """
    return tuple(matter for matter in matters() if matter.asks.search(question))


def places_asked(kind: Kind, matters: Sequence[Matter], text: str) -> Iterator[tuple[int, int]]:
    """Where a text has the kind of answer that is asked for: in the words that state it, if any are known."""
    for start, end in kind.places(text):
        if not matters or any(matter.is_said_of(text, start, end) for matter in matters):
            yield start, end


def may_be_several(question: str) -> bool:
    """Whether it asks for what a document usually says in more than one clause."""
    return any(matter.several for matter in asked_matters(question))
