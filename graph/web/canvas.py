"""What the drawing of a graph needs, as compact rows: nodes with their places, and the edges between them."""

from typing import Any

from datasources.models import Datasource
from graph.layout import node_positions
from graph.values.type_styles import look, relation_label
from graph.web.query import MOST
from sql import rows

EDGES = 6000  # the strongest; more are a blot
AROUND = 30  # neighbours that come along with an entity that is not among those shown

_NODES = "SELECT id, name, types, mention_count FROM graph_entity WHERE id = ANY(%s)"
_EDGES = """
SELECT source_id, target_id, keywords, strength FROM graph_relation
WHERE source_id = ANY(%s) AND target_id = ANY(%s) ORDER BY strength DESC, id LIMIT %s
"""
_OF_DOCUMENT = """
SELECT e.id, count(DISTINCT m.position) FROM graph_entitymention m
JOIN graph_entityname n ON n.id = m.named_id JOIN graph_entity e ON e.id = n.entity_id
WHERE m.document_id = %s AND m.datasource_id = %s AND m.live AND NOT e.hidden
GROUP BY e.id ORDER BY 2 DESC, e.mention_count DESC, e.key, e.sense
"""
_EDGES_OF_DOCUMENT = """
SELECT s.entity_id, t.entity_id, (array_agg(m.keywords ORDER BY m.position))[1], sum(m.strength)
FROM graph_relationmention m
JOIN graph_entityname s ON s.id = m.source_id JOIN graph_entityname t ON t.id = m.target_id
WHERE m.document_id = %s AND m.live AND s.entity_id = ANY(%s) AND t.entity_id = ANY(%s)
 AND s.entity_id <> t.entity_id
GROUP BY 1, 2 ORDER BY 4 DESC, 1, 2 LIMIT %s
"""
_NEIGHBOURS = """
SELECT e.id FROM (
 SELECT target_id AS id, strength FROM graph_relation WHERE source_id = %s
 UNION ALL SELECT source_id, strength FROM graph_relation WHERE target_id = %s
) AS near JOIN graph_entity e ON e.id = near.id WHERE NOT e.hidden
GROUP BY e.id ORDER BY sum(near.strength) DESC, e.id LIMIT %s
"""


def canvas(datasource: Datasource, *, shown: int, document: int = 0, entity: int = 0) -> dict[str, Any]:
    """The `shown` most mentioned entities, in all documents or in one, and an asked one with its neighbours.

    types: [key, label, tone]; nodes: [id, name, indices of types, mentions, x, y], the most mentioned first;
    edges: [index of a node, index of another, label, strength].
    """
    if document:
        counted = dict(rows(_OF_DOCUMENT, document, datasource.pk))
        total, ids = len(counted), list(counted)[:shown]
    else:
        total, ids = (
            datasource.entities.filter(hidden=False).count(),
            node_positions.ranked(datasource.pk, shown),
        )
        counted = {}
    if entity and entity not in ids and datasource.entities.filter(pk=entity, hidden=False).exists():
        near = [pk for (pk,) in rows(_NEIGHBOURS, entity, entity, AROUND)]
        ids = list(dict.fromkeys([*ids, entity, *(pk for pk in near if not document or pk in counted)]))
    if document:
        edges = rows(_EDGES_OF_DOCUMENT, document, ids, ids, EDGES)
    else:
        edges = rows(_EDGES, ids, ids, EDGES)
    return {"total": total, "shown": shown, "most": MOST} | _drawn(ids, counted, edges)


def _drawn(ids: list[int], counted: dict[int, int], edges: list[tuple[Any, ...]]) -> dict[str, Any]:
    told = {pk: (name, types, mentions) for pk, name, types, mentions in rows(_NODES, ids)}
    ids = [pk for pk in ids if pk in told]  # one may have gone between two reads
    types = list(dict.fromkeys(key for pk in ids for key in told[pk][1] or ["OTHER"]))
    index = {key: i for i, key in enumerate(types)}
    at = {pk: i for i, pk in enumerate(ids)}
    nodes = []
    for pk, (x, y) in zip(ids, node_positions.places_of(ids).round(2).tolist(), strict=True):
        name, kinds, mentions = told[pk]
        nodes.append([pk, name, [index[key] for key in kinds or ["OTHER"]], counted.get(pk, mentions), x, y])
    return {
        "types": [[key, look(key).label, look(key).tone] for key in types],
        "nodes": nodes,
        "edges": [
            [at[a], at[b], relation_label(keywords) if keywords else "", round(strength, 2)]
            for a, b, keywords, strength in edges
            if a in at and b in at
        ],
    }
