"""Entities as folds over their names and mentions: pure functions, between one read and one write."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graph.aggregate.relations import delete_relations
from graph.aggregate.statements import LONG, PASSAGES, SAID, Statement, best_passages, chosen, descriptions
from graph.models import DecisionKind
from graph.resolution import frequent_names
from graph.resolution.frequent_names import ChangedDocuments, entities_in
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


class Frequent(NamedTuple):
    """A frequent entity as it is stored."""

    mentions: int
    documents: int
    sources: Sequence[int]


def fold_entities(ids: Iterable[int], documents: ChangedDocuments | None = None) -> None:
    """Rewrite these entities from their mentions; those without a name go, with all that hangs on them.

    documents: those alone whose mentions of them have changed; unless given, any may have.
    """
    entities = sorted(ids)
    names: dict[int, list[Naming]] = defaultdict(list)
    for entity, *naming in rows(
        "SELECT entity_id, name, count, types, key, sense FROM graph_entityname WHERE entity_id = ANY(%s)",
        entities,
    ):
        names[entity].append(Naming(*naming))
    frequent = _frequent(entities) if documents else {}
    counts = _counts(entities, frequent, documents)
    statements = _statements(entities, frequent, documents)
    decided = _decided(entities)
    words = descriptions({entity: chosen(said) for entity, said in statements.items()})
    _write(
        {
            "id": entity,
            "name": decided.get((entity, DecisionKind.RENAME), (best_name(names[entity]), []))[0],
            "types": decided.get((entity, DecisionKind.RETYPE), ("", union_of_types(names[entity])))[1],
            "description": words[entity],
            "passages": best_passages(said),
            "sources": sorted({s.chunk for s in said}) if counts[entity][0] > frequent_names.FREQUENT else [],
            "mentions": counts[entity][0],
            "documents": counts[entity][1],
            "hidden": (entity, DecisionKind.HIDE) in decided,
        }
        for entity, said in statements.items()
    )
    _delete([entity for entity in entities if entity not in names])


def _frequent(entities: Sequence[int]) -> dict[int, Frequent]:
    """Of these entities the frequent ones, of which not all mentions are to be read again."""
    stored = rows(
        "SELECT id, mention_count, document_count, sources FROM graph_entity"
        " WHERE id = ANY(%s) AND sources <> '{}'",
        entities,
    )
    return {pk: Frequent(*told) for pk, *told in stored}


def _counts(
    entities: Sequence[int], frequent: Mapping[int, Frequent], documents: ChangedDocuments | None
) -> dict[int, tuple[int, int]]:
    """In how many places and documents each is named."""
    rare = [pk for pk in entities if pk not in frequent]
    counts = {pk: (places, held) for pk, places, held in query("mention_counts", entities=rare)}
    if documents and frequent:
        now = entities_in(documents.ids)
        for pk, stored in frequent.items():
            (more, held), (less, lost) = now.get(pk, (0, 0)), documents.entities.get(pk, (0, 0))
            counts[pk] = stored.mentions + more - less, stored.documents + held - lost
    return counts


def _statements(
    entities: Sequence[int], frequent: Mapping[int, Frequent], documents: ChangedDocuments | None
) -> dict[int, list[Statement]]:
    """The statements that make up each entity's description and passages.

    Those of a frequent one are among its last ones and those of the changed documents, unless these had some.
    """
    kept = {
        pk: each for pk, each in frequent.items() if documents and documents.chunks.isdisjoint(each.sources)
    }
    statements = _best_statements([pk for pk in entities if pk not in kept])
    if documents and kept:
        chunks = sorted({chunk for each in kept.values() for chunk in each.sources})
        said = query(
            "best_statements_of_frequent",
            longest=LONG,
            first=None,
            entities=sorted(kept),
            passages=PASSAGES,
            statements=SAID,
            chunks=chunks,
            documents=list(documents.ids),
        )
        for entity, _, *statement in said:
            statements[entity].append(Statement(*statement))
    return statements


def _best_statements(entities: Sequence[int]) -> dict[int, list[Statement]]:
    statements: dict[int, list[Statement]] = defaultdict(list)
    left = set(entities)
    for first in (FIRST, None):
        if not left:
            break
        said = query(
            "best_statements",
            longest=LONG,
            first=first,
            entities=sorted(left),
            passages=PASSAGES,
            statements=SAID,
        )
        left = {entity for entity, untold, *_ in said if untold}
        for entity, _, *statement in said:
            if entity not in left:
                statements[entity].append(Statement(*statement))
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
