"""The beginnings of a scope's documents."""

from retrieval.query import Scope
from retrieval.sql import query


def beginnings(scope: Scope, characters: int) -> list[str]:
    """About so many characters of each document of a scope, from its first chunks on."""
    return [text for (text,) in query("beginnings", **scope.parameters(), characters=characters)]
