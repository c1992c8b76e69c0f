"""Where a text defines words: “Availability” means ..., or the sums (the “Charges”)."""

import re
from collections.abc import Iterator

_TERM = r"[\"“](?P<term>[A-Z][\w’'/& -]{1,60}?)[\"”]"
_MEANS = re.compile(
    _TERM + r"(?:\s+or\s+[\"“][^\"“”]{1,60}[\"”])?\s{0,3}"
    r"(?:[:=]|\t|(?:shall\s)?(?:mean|have the meaning|refer|include)s?\b|has the meaning\b"
    r"|(?:is|are) (?:defined|the|any|an?|each|all)\b)"
)
_IN_BRACKETS = re.compile(
    r"\((?:hereinafter|hereafter|together|collectively|each|all)?,?\s{0,2}(?:referred to as\s)?"
    r"(?:the|an?|each an?)?\s{0,2}" + _TERM + r"\s{0,2}\)"
)


def definitions_in(text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """Each with the words in its group "term"."""
    for pattern in (_MEANS, _IN_BRACKETS):
        yield from pattern.finditer(text, start, len(text) if end is None else end)
