"""What pages call a relation: its type or its verb where that is sure, else what it was found under.

The rules keep a sentence's verb, or the heading of a table's column; a model gives a type, or its own words.
"""

from collections.abc import Collection, Iterable

from datasources.models import Datasource
from graph.extraction.rules.verbs import is_verb
from graph.models import GraphSettings
from graph.values.ontology import OTHER, PRESETS, Ontology


def relation_types(datasource: Datasource) -> frozenset[str]:
    """The types that a relation of this datasource may have been given, as they are stored."""
    own = GraphSettings.objects.of(datasource).types.relations
    return frozenset({*own, *PRESETS[Ontology.RESEARCH].relations} - {OTHER})


def sure_verb(keywords: Iterable[str], types: Collection[str]) -> str:
    """The first of the keywords that is one of the types, or a verb of a sentence; empty where none is."""
    for word in keywords:
        if word in types:
            return in_words(word)
        if is_verb(word):
            return word
    return ""


def in_words(keyword: str) -> str:
    """“BASED_ON” as “based on”; the heading of a column as it is."""
    return keyword.replace("_", " ").lower() if keyword.isupper() and "_" in keyword else keyword
