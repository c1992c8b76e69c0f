"""What a model is asked about two names: their types and what the documents say of them, known by hash."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graph.resolution.resolve import Ref
from graph.sql import query
from sql import rows

PROMPT = Path(__file__).resolve().parents[1] / "prompts" / "judge_names.md"
QUOTES = 3  # for each name
LONGEST = 300  # characters of a quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A pair as the model sees it. `content` is another whenever it would see something else."""

    a: Ref
    b: Ref
    text: str
    content: str
    documents: frozenset[int]


@cache
def prompt() -> str:
    return PROMPT.read_text(encoding="utf-8")


def questions(pairs: Iterable[tuple[int, int]]) -> list[Question]:
    """The questions about these pairs of names, by id; pairs of which a name is gone are left out."""
    wanted = list(pairs)
    ids = sorted({pk for pair in wanted for pk in pair})
    names = {
        pk: ((key, sense), name, sorted(types))
        for pk, key, sense, name, types in rows(
            "SELECT id, key, sense, name, types FROM graph_entityname WHERE id = ANY(%s)", ids
        )
    }
    said: dict[int, dict[str, None]] = defaultdict(dict)
    documents: dict[int, set[int]] = defaultdict(set)
    for pk, document, words in query("quotes_of_names", names=ids, quotes=QUOTES):
        said[pk][" ".join(words.split())[:LONGEST]] = None
        documents[pk].add(document)
    found = []
    for pair in wanted:
        if not all(pk in names for pk in pair):
            continue
        one, two = sorted(pair, key=lambda pk: names[pk][0])
        text = "\n".join(_side(letter, *names[pk][1:], said[pk]) for letter, pk in (("A", one), ("B", two)))
        found.append(
            Question(
                a=names[one][0],
                b=names[two][0],
                text=text,
                content=hashlib.sha256(f"{prompt()}\n{text}".encode()).hexdigest(),
                documents=frozenset(documents[one] | documents[two]),
            )
        )
    return found


def _side(letter: str, name: str, types: Iterable[str], said: Collection[str]) -> str:
    known = ", ".join(kind for kind in types if kind) or "no type"
    return "\n".join([f"{letter}: {name} ({known})", *(f"- {words}" for words in said)])
