"""Words that a document defines. Pure."""

import re
from collections.abc import Iterator

from digest.points import Kind, Point

_TERM = r"[\"“](?P<{name}>[A-Z][\w’'/& -]{{1,60}}?)[\"”]"
_MEANS = re.compile(
    _TERM.format(name="term") + r"(?:\s+or\s+[\"“][^\"“”]{1,60}[\"”])?\s{0,3}"
    r"(?:[:=]|\t|(?:shall\s)?(?:mean|have the meaning|refer|include)s?\b|has the meaning\b"
    r"|(?:is|are) (?:defined|the|any|an?|each|all)\b)"
)
_IN_BRACKETS = re.compile(
    r"\((?:hereinafter|hereafter|together|collectively|each|all)?,?\s{0,2}(?:referred to as\s)?"
    r"(?:the|an?|each an?)?\s{0,2}" + _TERM.format(name="term") + r"\s{0,2}\)"
)


def terms(text: str, first: int, last: int) -> Iterator[Point]:
    """As “Availability” means ..., or the sums (the “Charges”)."""
    for pattern in (_MEANS, _IN_BRACKETS):
        for found in pattern.finditer(text, first, last):
            yield Point(
                kind=Kind.TERM,
                label=" ".join(found["term"].split()),
                first=first,
                last=last,
                start=found.start("term"),
                end=found.end("term"),
            )
