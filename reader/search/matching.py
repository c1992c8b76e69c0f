"""Where the query's words are in a text: the exact words, or each of them in any form."""

from collections.abc import Callable

from reader.search.asked import Asked
from text.search.query_words import QueryWords, Span
from text.search.very_words import very_words


def spans_in(asked: Asked) -> Callable[[str], tuple[Span, ...]]:
    """A function from a text to the places to mark in it."""
    if asked.exact:
        return lambda text: very_words(asked.text, text)
    words = QueryWords(asked.words)
    strict = range(len(words.words)) if asked.strict else ()
    return lambda text: words.held_by(text, strict).spans
