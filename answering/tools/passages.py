"""Passages as a model reads them in a tool's result, each with the short key that it cites."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedPassage:
    """`pages` is "3" or "3-4"; `section` the headings over it; `score` compares passages of one tool only;
    `amends` the titles of the documents that its own one changes;
    `table` is its rows of tables as Markdown, `table_heads` are those of the table in whose midst it begins;
    `facts` is what the graph knows of what the passage names.
    """

    key: str
    document: str
    pages: str
    score: float
    text: str
    section: str = ""
    table: str = ""
    table_heads: str = ""
    facts: Sequence[str] = ()
    amends: Sequence[str] = ()


def write(
    passages: Iterable[KeyedPassage], note: str = "", *, shown_before: Sequence[str] = (), left_out: int = 0
) -> str:
    """The content of the tool's message. `note` is what the tool tells beside the passages, `shown_before`
    the keys of those that stand in an earlier result, `left_out` how many were less to the point than others.
    """
    rows = [{key: value for key, value in asdict(p).items() if value not in ("", (), [])} for p in passages]
    beside = {"note": note, "shown_before": list(shown_before), "left_out": left_out}
    told = {key: value for key, value in beside.items() if value}
    return json.dumps({**told, "passages": rows}, ensure_ascii=False)


def read(content: str) -> list[KeyedPassage]:
    """The passages in a tool's message; none in a message that is plain words."""
    try:
        value = json.loads(content)
    except ValueError:
        return []
    return [KeyedPassage(**row) for row in value["passages"]] if isinstance(value, dict) else []
