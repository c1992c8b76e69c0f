"""A service's refusal (ValidationError) in the three parts in which people and programs are told of it."""

import re

from django.core.exceptions import ValidationError

# The end of a sentence, unless it is inside “quotes”: names may have full stops in them.
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^“”]*(?:“[^“”]*”[^“”]*)*$)")


def split(text: str) -> tuple[str, str]:
    """Message and hint: the last of several sentences says what to do."""
    ends = list(SENTENCE_END.finditer(text))
    return (text[: ends[-1].start()], text[ends[-1].end() :]) if ends else (text, "")


def in_parts(refusal: ValidationError) -> dict[str, str]:
    """{"code", "message", "hint"}; the hint may be empty."""
    message, hint = split(refusal.messages[0])
    return {"code": str(getattr(refusal, "code", None) or "invalid"), "message": message, "hint": hint}
