"""Which types of things the graph shows until a person chooses: those that say what the documents are about.

Amounts, dates, references and capitalised words of no known kind are there on request.
"""

from collections.abc import Collection, Sequence

from graph.values.extraction import VALUES
from graph.values.ontology import OTHER

ALL, NONE = "all", "none"  # as addresses have them
UNSURE = frozenset({"NAME", "TOPIC", OTHER})
ENOUGH = 8  # entities of sure types; a graph with fewer begins with all names


def first_types(counts: Sequence[tuple[str, int]]) -> set[str]:
    """The types that are shown at first. `counts`: each type there is, with the number of its entities."""
    named = {key: count for key, count in counts if key not in VALUES}
    sure = {key: count for key, count in named.items() if key not in UNSURE}
    return set(sure if sum(sure.values()) >= ENOUGH else named) or {key for key, _ in counts}


def chosen_types(asked: Collection[str], counts: Sequence[tuple[str, int]]) -> set[str]:
    """The types that an address asks for, of those that there are."""
    there = {key for key, _ in counts}
    if ALL in asked:
        return there
    return there & set(asked) if asked else first_types(counts)
