"""What the drawing of a graph needs, as compact rows: nodes with their places, and the edges between them."""

from collections.abc import Sequence
from typing import Any

from datasources.models import Datasource
from graph.layout import node_positions
from graph.models.listing import entities_of
from graph.sql import query
from graph.values.type_styles import type_style
from graph.web.query import MOST
from graph.web.relation_words import relation_types, sure_verb
from sql import rows

EDGES = 6000  # the strongest; more are a blot
AROUND = 30  # neighbours that come along with an entity that is not among those shown


def canvas(
    datasource: Datasource,
    *,
    shown: int,
    types: Sequence[str] | None = None,
    document: int = 0,
    entity: int = 0,
) -> dict[str, Any]:
    """The `shown` best linked entities of these types, or of all; in one document the most mentioned ones;
    and an asked one with its neighbours.

    total: entities that there are; matching: those of the types.
    types: [key, label, tone]; nodes: [id, name, indices of types, mentions, x, y], the best first;
    edges: [index of a node, index of another, verb, strength, number of the relation], the strongest first.
    The verb is empty where it isn't sure: all that is known then is that a sentence or a row names the two.
    """
    if document:
        chosen = None if types is None else list(types)
        there = query("entities_of_document", document=document, datasource=datasource.pk, types=chosen)
        counted = {pk: mentions for pk, mentions, has_type in there if has_type}
        total, matching, ids = len(there), len(counted), list(counted)[:shown]
    else:
        total, counted = datasource.entities.filter(hidden=False).count(), {}
        matching = entities_of(datasource, types=types or ()).count()
        ids = node_positions.ranked(datasource.pk, shown, types)
    if entity and entity not in ids and datasource.entities.filter(pk=entity, hidden=False).exists():
        near = [pk for (pk,) in query("neighbours_of_entity", entity=entity, limit=AROUND)]
        ids = list(dict.fromkeys([*ids, entity, *(pk for pk in near if not document or pk in counted)]))
    if document:
        edges = query("relations_of_document", document=document, entities=ids, limit=EDGES)
    else:
        edges = query("strongest_relations_between", entities=ids, limit=EDGES)
    return {"total": total, "matching": matching, "shown": shown, "most": MOST} | _drawn(
        ids, counted, edges, relation_types(datasource)
    )


def _drawn(
    ids: list[int], counted: dict[int, int], edges: list[tuple[Any, ...]], verbs: frozenset[str]
) -> dict[str, Any]:
    named = rows("SELECT id, name, types, mention_count FROM graph_entity WHERE id = ANY(%s)", ids)
    told = {pk: (name, types, mentions) for pk, name, types, mentions in named}
    ids = [pk for pk in ids if pk in told]  # one may have gone between two reads
    types = list(dict.fromkeys(key for pk in ids for key in told[pk][1] or ["OTHER"]))
    index = {key: i for i, key in enumerate(types)}
    at = {pk: i for i, pk in enumerate(ids)}
    nodes = []
    for pk, (x, y) in zip(ids, node_positions.positions_of(ids).round(2).tolist(), strict=True):
        name, kinds, mentions = told[pk]
        nodes.append([pk, name, [index[key] for key in kinds or ["OTHER"]], counted.get(pk, mentions), x, y])
    return {
        "types": [[key, type_style(key).label, type_style(key).tone] for key in types],
        "nodes": nodes,
        "edges": [
            [at[a], at[b], sure_verb(keywords, verbs), round(strength, 2), relation]
            for a, b, keywords, strength, relation in edges
            if a in at and b in at
        ],
    }
