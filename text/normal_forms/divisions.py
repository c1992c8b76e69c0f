"""Words that the end of a line divides with a hyphen, put together again."""

import re

# Possessive, and only from the beginning of a word: else a long word without an end takes quadratic time.
_DIVISION = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010][^\S\n]*+\n\s*+(?=[^\W\d_])")
_DIVIDED = re.compile(rf"(?<![^\W\d_])[^\W\d_]++(?:{_DIVISION.pattern}[^\W\d_]++)+")


def without_divisions(text: str) -> str:
    return _DIVISION.sub("", text)


def divided_words(text: str) -> list[str]:
    """Those words of the text, whole."""
    return [without_divisions(match[0]) for match in _DIVIDED.finditer(text)]
