"""Where the words that were asked for stand in a text: the very words, or each of them in any form."""

import re
from collections.abc import Callable

from reader.search.asked import Asked
from text.fuzzy_match import FIRST_CJK
from text.query_words import QueryWords, Span

_LETTER = re.compile(r"\w")
_SIGN = re.compile(r"([^\w\s])")


def spans_in(asked: Asked) -> Callable[[str], tuple[Span, ...]]:
    """A function from a text to the places to mark in it."""
    if asked.exact:
        return lambda text: very_words(asked.text, text)
    words = QueryWords(asked.words)
    strict = range(len(words.words)) if asked.strict else ()
    return lambda text: words.held_by(text, strict).spans


def very_words(words: str, text: str) -> tuple[Span, ...]:
    pattern = _between_edges(words, r"\s+".join(map(re.escape, words.split())), r"\b", r"\b")
    return tuple(match.span() for match in re.finditer(pattern, text, re.IGNORECASE))


def pattern_for_postgres(words: str) -> str:
    """The very words, whatever white space, none of them a part of a longer word."""
    pieces = r"\s+".join(_SIGN.sub(r"\\\1", word) for word in words.split())
    return _between_edges(words, pieces, r"\m", r"\M")


def _between_edges(words: str, pieces: str, begins: str, ends: str) -> str:
    return f"{begins if _joins(words[0]) else ''}{pieces}{ends if _joins(words[-1]) else ''}"


def _joins(letter: str) -> bool:
    """Whether another letter beside it would make a longer word."""
    return bool(_LETTER.match(letter)) and letter < FIRST_CJK
