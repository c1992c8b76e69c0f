"""The stored places of entities: which are drawn, where they stand, and writing that down."""

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from graph.aggregate import update
from graph.layout.force_directed import Edges, Places, beside
from graph.layout.force_directed import lay_out as lay_out_nodes
from sql import rows

LAID_OUT = 2000  # the most mentioned ones have a place; others stand beside their neighbours when shown

# Of equally mentioned entities those with more relations come first: there is more to see of them.
RANKED = """
SELECT e.id FROM graph_entity e LEFT JOIN
 (SELECT id, count(*) AS ties FROM
   (SELECT source_id AS id FROM graph_relation WHERE datasource_id = %s
    UNION ALL SELECT target_id FROM graph_relation WHERE datasource_id = %s) AS ends
  GROUP BY id) AS tied ON tied.id = e.id
WHERE e.datasource_id = %s AND NOT e.hidden
ORDER BY e.mention_count DESC, coalesce(tied.ties, 0) DESC, e.key, e.sense LIMIT %s
"""


def ranked(datasource_id: int, limit: int) -> list[int]:
    """The ids of the most mentioned entities that are not hidden."""
    return [pk for (pk,) in rows(RANKED, datasource_id, datasource_id, datasource_id, limit)]


def lay_out(datasource_id: int) -> int:
    """Find and store a place for the most mentioned entities; gives their number."""
    ids = ranked(datasource_id, LAID_OUT)
    found = lay_out_nodes(*_drawn(ids))
    with transaction.atomic():
        update.lock(datasource_id)
        rows(
            "DELETE FROM graph_entityplace p USING graph_entity e WHERE e.id = p.entity_id"
            " AND e.datasource_id = %s AND NOT p.entity_id = ANY(%s)",
            datasource_id, ids,
        )  # fmt: skip
        rows(  # an entity that went meanwhile gets none
            "INSERT INTO graph_entityplace (entity_id, x, y)"
            " SELECT e.id, t.x, t.y FROM unnest(%s::bigint[], %s::float8[], %s::float8[]) AS t(id, x, y)"
            " JOIN graph_entity e ON e.id = t.id"
            " ON CONFLICT (entity_id) DO UPDATE SET x = excluded.x, y = excluded.y",
            ids, *(found[:, axis].round(2).tolist() for axis in (0, 1)),
        )  # fmt: skip
    return len(ids)


def places_of(ids: list[int]) -> Places:
    """Where these stand, in their order; those without a stored place stand beside their neighbours."""
    start, edges, _ = _drawn(ids)
    return beside(start, edges)


def _drawn(ids: list[int]) -> tuple[Places, Edges, NDArray[np.float64]]:
    """Stored places, relations as pairs of indices, and their strengths."""
    at = {pk: i for i, pk in enumerate(ids)}
    start = np.full((len(ids), 2), np.nan)
    for pk, x, y in rows("SELECT entity_id, x, y FROM graph_entityplace WHERE entity_id = ANY(%s)", ids):
        start[at[pk]] = x, y
    related = rows(
        "SELECT source_id, target_id, strength FROM graph_relation WHERE source_id = ANY(%s)"
        " AND target_id = ANY(%s) ORDER BY 1, 2",
        ids, ids,
    )  # fmt: skip
    edges = np.array([(at[a], at[b]) for a, b, _ in related], dtype=np.int64).reshape(-1, 2)
    return start, edges, np.array([strength for _, _, strength in related], dtype=np.float64)
