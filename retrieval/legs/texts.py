"""What the texts of a scope have and how they begin."""

from retrieval.legs.indexed_vocabulary import IndexedVocabulary, read
from retrieval.query import Scope
from retrieval.sql import query
from text.vocabulary import Vocabulary


def vocabulary(scope: Scope) -> Vocabulary:
    """All words of the chunks of a scope: one look for any number of words."""
    return IndexedVocabulary(scope) if scope.document_ids is None else read(scope)


def beginnings(scope: Scope, characters: int) -> list[str]:
    """About so many characters of each document of a scope, from its first chunks on."""
    return [text for (text,) in query("beginnings", **scope.parameters(), characters=characters)]
