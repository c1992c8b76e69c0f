"""The marks in a stored answer: ⟦3⟧ is where citation 3 stands. The brackets hardly occur in documents."""

import re

MARK = re.compile(r"⟦(\d+)⟧")


def mark(n: int) -> str:
    return f"⟦{n}⟧"


def without_marks(answer: str) -> str:
    return MARK.sub("", answer)


def numbered(answer: str) -> str:
    """The answer with [3] where citation 3 stands, for people and programs outside."""
    return MARK.sub(r"[\1]", answer)
