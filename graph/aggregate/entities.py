"""Entities as folds over their names and mentions: pure functions, between one read and one write."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from graph.aggregate.relations import delete_relations
from graph.aggregate.statements import LONG, PASSAGES, SAID, Statement, best_passages, chosen, descriptions
from graph.models import DecisionKind
from graph.values.extraction import VALUES
from sql import rows

FIRST = 6  # statements of a name among which the best are looked for first


class Calling(NamedTuple):
    """One of an entity's names."""

    name: str
    places: int
    types: Sequence[str]
    key: str
    sense: str


def best_name(names: Sequence[Calling]) -> str:
    """The most frequent spelling, then the longest."""
    return min(names, key=lambda n: (-n.places, -len(n.name), n.key, n.sense)).name


def union_of_types(names: Sequence[Calling]) -> list[str]:
    """All types, the most frequent first; NAME says nothing beside others."""
    counts: Counter[str] = Counter()
    for name in names:
        for kind in name.types:
            counts[kind] += name.places
    types = sorted(counts, key=lambda kind: (-counts[kind], kind))
    return [kind for kind in types if kind != "NAME"] or types


# Of a thing that is named everywhere only the statements that description and passages are made of leave the
# database; `place` is the order of Statement.merit. The first few of a name nearly always tell, and finding
# them takes half the time of putting all in order; `untold` says where they don't.
_BEST = """
WITH said AS (
  SELECT n.entity_id, m.*, row_number() OVER (PARTITION BY n.entity_id ORDER BY m.description = '',
    NOT m.defines, m.length DESC, m.sha256 COLLATE "C", m.position, m.said_end, m.description COLLATE "C",
    m.chunk_id) AS place
  FROM graph_entityname n CROSS JOIN LATERAL (
    SELECT m.document_id, d.sha256, m.position, m.chunk_id, m.description, m.said_start, m.said_end,
           m.defines, CASE WHEN m.description <> '' THEN char_length(m.description)
                      ELSE least(m.said_end - m.said_start, %s) END AS length
    FROM graph_entitymention m JOIN datasources_document d ON d.id = m.document_id
    WHERE m.named_id = n.id AND m.live
    ORDER BY m.description = '', NOT m.defines, length DESC, d.sha256 COLLATE "C", m.position, m.said_end,
             m.description COLLATE "C", m.chunk_id LIMIT %s) AS m
  WHERE n.entity_id = ANY(%s)),
firsts AS (
  SELECT *, row_number() OVER (PARTITION BY entity_id, chunk_id ORDER BY place) = 1 AS of_chunk,
         description <> ''
           AND row_number() OVER (PARTITION BY entity_id, description ORDER BY place) = 1 AS of_words
  FROM said WHERE place <= coalesce(%s, place)),
counted AS (
  SELECT *, count(*) FILTER (WHERE of_chunk) OVER so_far AS chunks,
         count(*) FILTER (WHERE of_words) OVER so_far AS words
  FROM firsts WINDOW so_far AS (PARTITION BY entity_id ORDER BY place)),
judged AS (
  SELECT *, count(*) OVER whole = %s AND (max(chunks) OVER whole < %s
              OR bool_and(description <> '') OVER whole AND max(words) OVER whole < %s) AS untold
  FROM counted WINDOW whole AS (PARTITION BY entity_id))
SELECT entity_id, coalesce(untold, false), document_id, sha256, position, chunk_id, description, said_start,
       said_end, defines
FROM judged WHERE (of_chunk AND chunks <= %s) OR (of_words AND words <= %s) ORDER BY entity_id, place
"""
_COUNTS = """
SELECT entity_id, count(*), count(DISTINCT document_id) FROM (
  SELECT DISTINCT n.entity_id, m.document_id, m.position FROM graph_entityname n
  JOIN graph_entitymention m ON m.named_id = n.id WHERE n.entity_id = ANY(%s) AND m.live) AS places
GROUP BY entity_id
"""


def fold_entities(ids: Iterable[int]) -> None:
    """Rewrite these entities from their mentions; those without a name go, with all that hangs on them."""
    wanted = sorted(ids)
    names: dict[int, list[Calling]] = defaultdict(list)
    for entity, *calling in rows(
        "SELECT entity_id, name, count, types, key, sense FROM graph_entityname WHERE entity_id = ANY(%s)",
        wanted,
    ):
        names[entity].append(Calling(*calling))
    statements = _best_of(wanted)
    counts = {entity: (mentions, documents) for entity, mentions, documents in rows(_COUNTS, wanted)}
    decided = _decided(wanted)
    words = descriptions({entity: chosen(said) for entity, said in statements.items()})
    _write_entities(
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
    _delete_entities([entity for entity in wanted if entity not in names])


def _best_of(ids: Sequence[int]) -> dict[int, list[Statement]]:
    """The statements that make up each entity's description and passages."""
    found: dict[int, list[Statement]] = defaultdict(list)
    wanted = set(ids)
    for first in (FIRST, None):
        said = rows(
            _BEST, LONG, first, sorted(wanted), first, first, PASSAGES, SAID, PASSAGES, SAID
        )  # fmt: skip
        wanted = {entity for entity, untold, *_ in said if untold}
        for entity, _, *statement in said:
            if entity not in wanted:
                found[entity].append(Statement(*statement))
        if not wanted:
            break
    return found


def _decided(ids: Sequence[int]) -> dict[tuple[int, str], tuple[str, list[str]]]:
    """People's latest decisions about any name of the entities."""
    return {
        (entity, kind): (name, types)
        for entity, kind, name, types in rows(
            "SELECT n.entity_id, d.kind, d.name, d.types FROM graph_entityname n JOIN"
            " graph_decision d"
            " ON d.datasource_id = n.datasource_id AND d.key = n.key AND d.sense = n.sense"
            " WHERE n.entity_id = ANY(%s) AND d.kind IN ('rename', 'retype', 'hide') ORDER BY d.id",
            ids,
        )
    }


def _write_entities(folded: Iterable[dict[str, Any]]) -> None:
    changed = rows(
        "WITH f AS (SELECT * FROM json_to_recordset(%s) AS f(id bigint, name text, types text[],"
        " description text, passages bigint[], mentions int, documents int, hidden boolean)),"
        " old AS (SELECT e.id, e.name, e.types::text[] <@ %s::text[] AS plain FROM graph_entity e"
        "  JOIN f ON f.id = e.id)"
        " UPDATE graph_entity e SET name = f.name, types = f.types, description = f.description,"
        "  passages = f.passages, mention_count = f.mentions, document_count = f.documents,"
        "  hidden = f.hidden,"
        "  vector_due = e.vector_due OR (e.name, e.passages, old.plain) IS DISTINCT FROM"
        "   (f.name, f.passages, f.types <@ %s::text[])"
        " FROM f JOIN old ON old.id = f.id WHERE e.id = f.id"
        "  AND (e.name, e.types::text[], e.description, e.passages, e.mention_count, e.document_count,"
        "   e.hidden) IS DISTINCT FROM"
        "   (f.name, f.types, f.description, f.passages, f.mentions, f.documents, f.hidden)"
        " RETURNING e.id, (old.name, old.plain) <> (e.name, e.types::text[] <@ %s::text[])",
        json.dumps(list(folded)), *[sorted(VALUES)] * 3,
    )  # fmt: skip
    renamed = [pk for pk, other in changed if other]
    rows("DELETE FROM graph_nameembedding WHERE entity_id = ANY(%s)", renamed)
    rows(
        "UPDATE graph_relation SET vector_due = true WHERE NOT vector_due"
        " AND (source_id = ANY(%s) OR target_id = ANY(%s))",
        renamed, renamed,
    )  # fmt: skip


def _delete_entities(ids: Sequence[int]) -> None:
    if not ids:
        return
    gone = [
        pk for (pk,) in rows(
            "SELECT id FROM graph_relation WHERE source_id = ANY(%s) OR target_id = ANY(%s)", ids, ids
        )
    ]  # fmt: skip
    delete_relations(gone)
    for table in ("entityembedding", "nameembedding"):
        rows(f"DELETE FROM graph_{table} WHERE entity_id = ANY(%s)", ids)
    rows("DELETE FROM graph_entity WHERE id = ANY(%s)", ids)
