"""The stored places of entities: which are drawn, where they stand, and writing that down."""

from collections.abc import Sequence

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from datasources.models import Datasource
from graph.aggregate import update
from graph.layout.beside import Edges, Places, beside
from graph.layout.drawing import lay_out as lay_out_nodes
from graph.sql import query
from graph.values.extraction import VALUES
from graph.values.names import COMMON_NOUNS
from sql import rows

FEW = 90  # so many are quickly spread over all of the drawing
LAID_OUT = 2000  # the best linked ones have a place; others stand beside their neighbours when shown


def ranked(datasource_id: int, limit: int, types: Sequence[str] | None = None) -> list[int]:
    """The ids of the best linked entities that are not hidden, of these types or of all."""
    chosen = None if types is None else list(types)
    found = query(
        "ranked_entities",
        datasource=datasource_id,
        limit=limit,
        types=chosen,
        values=sorted(VALUES),
        nouns=sorted(COMMON_NOUNS),
    )
    return [pk for (pk,) in found]


def exist(datasource: Datasource) -> bool:
    """Whether the graph was drawn before."""
    return datasource.entities.filter(position__isnull=False).exists()


def lay_out(datasource_id: int) -> int:
    """Find and store a place for the best linked entities; gives their number."""
    ids = ranked(datasource_id, LAID_OUT)
    positions = lay_out_nodes(*_drawn(ids))
    with transaction.atomic():
        update.lock(datasource_id)
        query("forget_positions", datasource=datasource_id, drawn=ids)
        x, y = (positions[:, axis].round(2).tolist() for axis in (0, 1))
        query("write_positions", entities=ids, x=x, y=y)
    return len(ids)


def positions_of(ids: list[int]) -> Places:
    """Where these stand, in their order; those without a stored place stand beside their neighbours.

    The stored places are those of thousands, among which a few may stand in a heap: these are laid out alone.
    """
    start, edges, weights = _drawn(ids)
    if len(ids) > FEW:
        return beside(start, edges)
    return lay_out_nodes(np.full_like(start, np.nan), edges, weights)


def _drawn(ids: list[int]) -> tuple[Places, Edges, NDArray[np.float64]]:
    """Stored places, relations as pairs of indices, and their strengths."""
    at = {pk: i for i, pk in enumerate(ids)}
    start = np.full((len(ids), 2), np.nan)
    for pk, x, y in rows("SELECT entity_id, x, y FROM graph_entityposition WHERE entity_id = ANY(%s)", ids):
        start[at[pk]] = x, y
    related = query("relations_between", entities=ids)
    edges = np.array([(at[a], at[b]) for a, b, _ in related], dtype=np.int64).reshape(-1, 2)
    return start, edges, np.array([strength for _, _, strength in related], dtype=np.float64)
