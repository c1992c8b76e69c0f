"""Gives entities and relations whose name or passages changed new vectors; only names are embedded for it.

A thing's vector is that of its name and those of the passages that say most about it, which are there
already. Measured on multi-hop questions, such vectors find the right passages more often than vectors of the
descriptions, which cost as much as embedding every document a second time.
"""

from django.db import connection, transaction

from graph.aggregate import update
from graph.values.extraction import VALUES
from ingestion.embedding import copy_into
from providers.protocols import Embedder
from sql import rows

NAMES_AT_ONCE = 256  # embedded and stored together
VECTORS_AT_ONCE = 2000  # put together while the graph's lock is held: about 0.1 s
NAME = 0.5  # length of a name's vector; that of the passages together has length 1
UNEMBEDDED = sorted(VALUES)  # found by key; their meaning says nothing

_NAMES = """
SELECT e.id, e.name FROM graph_entity e
WHERE e.datasource_id = %s AND e.vector_due AND NOT (e.types <@ %s::varchar[] AND e.types <> '{}')
  AND NOT EXISTS (SELECT 1 FROM graph_nameembedding n WHERE n.entity_id = e.id)
"""
_PASSAGES = """
SELECT due.id, l2_normalize(avg(c.vector)) AS vector FROM due CROSS JOIN unnest(due.passages) AS passage(id)
JOIN ingestion_chunkembedding c ON c.chunk_id = passage.id GROUP BY due.id
"""
_ENTITIES = f"""
WITH due AS (SELECT e.id, e.passages, n.vector FROM graph_entity e
             LEFT JOIN graph_nameembedding n ON n.entity_id = e.id WHERE e.id = ANY(%(ids)s)),
  gone AS (DELETE FROM graph_entityembedding
           WHERE entity_id IN (SELECT id FROM due WHERE vector IS NULL)),
  parts AS (SELECT id, vector FROM due UNION ALL ({_PASSAGES}))
INSERT INTO graph_entityembedding (entity_id, datasource_id, vector)
SELECT id, %(datasource)s, l2_normalize(sum(parts.vector)) FROM parts
WHERE id IN (SELECT id FROM due WHERE vector IS NOT NULL) GROUP BY id
ON CONFLICT (entity_id) DO UPDATE SET vector = excluded.vector
"""
_RELATIONS = f"""
WITH due AS (SELECT id, source_id, target_id, passages FROM graph_relation WHERE id = ANY(%(ids)s)),
  parts AS (
    SELECT due.id, n.vector FROM due JOIN graph_nameembedding n ON n.entity_id = due.source_id
    UNION ALL SELECT due.id, n.vector FROM due JOIN graph_nameembedding n ON n.entity_id = due.target_id
    UNION ALL ({_PASSAGES}))
INSERT INTO graph_relationembedding (relation_id, datasource_id, vector)
SELECT id, %(datasource)s, l2_normalize(sum(vector)) FROM parts GROUP BY id
ON CONFLICT (relation_id) DO UPDATE SET vector = excluded.vector
"""


def embed_due(datasource_id: int, embedder: Embedder) -> int:
    """Do one batch of what is due; returns its size, 0 when nothing is left. Raises ProviderError."""
    return (
        _embed_names(datasource_id, embedder)
        or _put_together("entity", _ENTITIES, datasource_id)
        or _put_together("relation", _RELATIONS, datasource_id)
    )


def _embed_names(datasource_id: int, embedder: Embedder) -> int:
    due = rows(_NAMES + "ORDER BY e.id LIMIT %s", datasource_id, UNEMBEDDED, NAMES_AT_ONCE)
    if not due:
        return 0
    names = list(dict.fromkeys(name for _, name in due))
    vectors = dict(zip(names, embedder.embed(names), strict=True))
    with transaction.atomic():
        update.lock(datasource_id)
        # Renamed or gone meanwhile: it stays due, or need not be.
        now = rows(_NAMES + "AND e.id = ANY(%s)", datasource_id, UNEMBEDDED, [pk for pk, _ in due])
        kept = [(pk, NAME * vectors[name]) for pk, name in now if name in vectors]
        copy_into("graph_nameembedding", "entity_id", datasource_id, kept)
    return len(due)


def _put_together(kind: str, sql: str, datasource_id: int) -> int:
    with transaction.atomic():
        update.lock(datasource_id)
        due = rows(
            f"SELECT id FROM graph_{kind} WHERE datasource_id = %s AND vector_due ORDER BY id LIMIT %s",
            datasource_id, VECTORS_AT_ONCE,
        )  # fmt: skip
        if not due:
            return 0
        ids = [pk for (pk,) in due]
        with connection.cursor() as cursor:
            cursor.execute(sql, {"ids": ids, "datasource": datasource_id})
        rows(f"UPDATE graph_{kind} SET vector_due = false WHERE id = ANY(%s)", ids)
    return len(ids)
