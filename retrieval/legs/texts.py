"""What the texts of a scope have and how they begin, read through once and not kept."""

from retrieval.query import Scope
from retrieval.sql import query
from text.vocabulary import Vocabulary

READ_AT_ONCE = 500  # chunks


def vocabulary(scope: Scope) -> Vocabulary:
    """All words of the chunks of a scope: one look for any number of words."""
    texts = scope.chunks().order_by().values_list("text", flat=True)
    return Vocabulary(texts.iterator(chunk_size=READ_AT_ONCE))


def beginnings(scope: Scope, characters: int) -> list[str]:
    """About so many characters of each document of a scope, from its first chunks on."""
    return [text for (text,) in query("beginnings", **scope.parameters(), characters=characters)]
