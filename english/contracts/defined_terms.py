"""Where a text defines words: “Availability” means ..., or the sums (the “Charges”)."""

import re
from collections.abc import Iterator

_TERM = r"[\"“](?P<term>[A-Z][\w’'/& -]{1,60}?)[\"”]"
# What a text says behind a word that it defines, in the usual way.
MEANS = r"(?:(?:shall\s+)?means?\b|(?:shall\s+have|has)\s+the\s+meaning\b|refers\s+to\b|is\s+defined\s+as\b)"
_TERM_IN_BRACKETS = _TERM.replace("(?P<term>", "(?:the\\s{1,2})?(?P<term>", 1)  # ("the Client")
_MEANS = re.compile(
    _TERM + r"(?:\s+or\s+[\"“][^\"“”]{1,60}[\"”])?\s{0,3}"
    r"(?:[:=]|\t|(?:shall\s)?(?:now\s)?(?:mean|have the meaning|refer|include)s?\b|has the meaning\b"
    r"|(?:is|are) (?:defined|the|any|an?|each|all)\b)"
)
_IN_BRACKETS = re.compile(
    r"\((?:hereinafter|hereafter|together|collectively|each|all)?,?\s{0,2}(?:referred to as\s)?"
    r"(?:the|an?|each an?)?\s{0,2}" + _TERM_IN_BRACKETS + r"\s{0,2}\)"
)


def definitions_in(text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """Each with the words in its group "term"."""
    last = len(text) if end is None else end
    for pattern in (_MEANS, _IN_BRACKETS):
        yield from pattern.finditer(text, start, last)


def meanings_in(text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """The same, only of terms that are said to mean something: a bracket names what stands before it."""
    yield from _MEANS.finditer(text, start, len(text) if end is None else end)


def named_behind(text: str, at: int) -> str:
    """The term in brackets right behind a place: "1 March 2024 (the “Effective Date”)"; empty without one."""
    found = _IN_BRACKETS.match(text, at + len(text[at : at + 2]) - len(text[at : at + 2].lstrip()))
    return found["term"] if found else ""
