"""Passages as a model reads them in a tool's result, each with the short key that it cites."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedPassage:
    """`pages` is "3" or "3-4"; `score` compares passages of one tool only; `table_heads` are those of the
    table in whose midst the passage begins.
    """

    key: str
    document: str
    pages: str
    score: float
    text: str
    table_heads: str = ""


def write(passages: Iterable[KeyedPassage], note: str = "") -> str:
    """The content of the tool's message; `note` is what the tool tells beside the passages."""
    rows = [{key: value for key, value in asdict(p).items() if value != ""} for p in passages]
    return json.dumps({**({"note": note} if note else {}), "passages": rows}, ensure_ascii=False)


def read(content: str) -> list[KeyedPassage]:
    """The passages in a tool's message; none in a message that is plain words."""
    try:
        value = json.loads(content)
    except ValueError:
        return []
    return [KeyedPassage(**row) for row in value["passages"]] if isinstance(value, dict) else []
