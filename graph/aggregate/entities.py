"""Entities as folds over their names and mentions: pure functions, between one read and one write."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from graph.aggregate.relations import delete_relations
from graph.aggregate.statements import LONG, PASSAGES, SAID, Statement, best_passages, chosen, descriptions
from graph.models import DecisionKind
from graph.sql import query
from graph.values.extraction import VALUES
from sql import rows

FIRST = 6  # statements of a name among which the best are looked for first


class Naming(NamedTuple):
    """One of an entity's names."""

    name: str
    mentions: int
    types: Sequence[str]
    key: str
    sense: str


def best_name(names: Sequence[Naming]) -> str:
    """The most frequent spelling, then the longest."""
    return min(names, key=lambda n: (-n.mentions, -len(n.name), n.key, n.sense)).name


def union_of_types(names: Sequence[Naming]) -> list[str]:
    """All types, the most frequent first; NAME says nothing beside others."""
    counts: Counter[str] = Counter()
    for name in names:
        for kind in name.types:
            counts[kind] += name.mentions
    types = sorted(counts, key=lambda kind: (-counts[kind], kind))
    return [kind for kind in types if kind != "NAME"] or types


def fold_entities(ids: Iterable[int]) -> None:
    """Rewrite these entities from their mentions; those without a name go, with all that hangs on them."""
    entities = sorted(ids)
    names: dict[int, list[Naming]] = defaultdict(list)
    for entity, *naming in rows(
        "SELECT entity_id, name, count, types, key, sense FROM graph_entityname WHERE entity_id = ANY(%s)",
        entities,
    ):
        names[entity].append(Naming(*naming))
    statements = _best_statements(entities)
    counts = {entity: counted for entity, *counted in query("mention_counts", entities=entities)}
    decided = _decided(entities)
    words = descriptions({entity: chosen(said) for entity, said in statements.items()})
    _write(
        {
            "id": entity,
            "name": decided.get((entity, DecisionKind.RENAME), (best_name(names[entity]), []))[0],
            "types": decided.get((entity, DecisionKind.RETYPE), ("", union_of_types(names[entity])))[1],
            "description": words[entity],
            "passages": best_passages(said),
            "mentions": counts[entity][0],
            "documents": counts[entity][1],
            "hidden": (entity, DecisionKind.HIDE) in decided,
        }
        for entity, said in statements.items()
    )
    _delete([entity for entity in entities if entity not in names])


def _best_statements(entities: Sequence[int]) -> dict[int, list[Statement]]:
    """The statements that make up each entity's description and passages."""
    statements: dict[int, list[Statement]] = defaultdict(list)
    left = set(entities)
    for first in (FIRST, None):
        said = query(
            "best_statements", longest=LONG, first=first, entities=sorted(left), passages=PASSAGES,
            statements=SAID,
        )  # fmt: skip
        left = {entity for entity, untold, *_ in said if untold}
        for entity, _, *statement in said:
            if entity not in left:
                statements[entity].append(Statement(*statement))
        if not left:
            break
    return statements


def _decided(entities: Sequence[int]) -> dict[tuple[int, str], tuple[str, list[str]]]:
    """People's latest decisions about any name of the entities."""
    decisions = query("decisions_of_entities", entities=entities)
    return {(entity, kind): (name, types) for entity, kind, name, types in decisions}


def _write(folded: Iterable[dict[str, Any]]) -> None:
    changed = query("write_entities", folded=json.dumps(list(folded)), values=sorted(VALUES))
    renamed = [pk for pk, is_renamed in changed if is_renamed]
    rows("DELETE FROM graph_nameembedding WHERE entity_id = ANY(%s)", renamed)
    query("relations_lose_vectors", entities=renamed)


def _delete(ids: Sequence[int]) -> None:
    if not ids:
        return
    related = rows("SELECT id FROM graph_relation WHERE source_id = ANY(%s) OR target_id = ANY(%s)", ids, ids)
    delete_relations([pk for (pk,) in related])
    for table in ("entityembedding", "nameembedding"):
        rows(f"DELETE FROM graph_{table} WHERE entity_id = ANY(%s)", ids)
    rows("DELETE FROM graph_entity WHERE id = ANY(%s)", ids)
