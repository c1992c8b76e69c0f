"""The marks in a stored answer: ⟦3⟧ is where citation 3 stands. The brackets hardly occur in documents."""

import re

MARK = re.compile(r"⟦(\d+)⟧")
_BRACKETS = str.maketrans("⟦⟧", "[]")
_NUMBER = re.compile(r"(?<!\\)((?:\\\\)*)\[(\s*\d+\s*)\]")


def mark(n: int) -> str:
    return f"⟦{n}⟧"


def without_marks(answer: str) -> str:
    return MARK.sub("", answer)


def unmarked(prose: str) -> str:
    """What a model wrote, of the same length, without a mark of its own: only code cites."""
    return prose.translate(_BRACKETS)


def numbered(answer: str) -> str:
    """The Markdown with [3] where citation 3 stands, for people and programs outside; a number in brackets
    that was written is escaped, so that it does not look like one.
    """
    return MARK.sub(r"[\1]", _NUMBER.sub(r"\1\\[\2\\]", answer))
