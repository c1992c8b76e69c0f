"""Connected nodes find their places: each pushes all others away, and edges pull like springs.

rustworkx computes the forces and holds the interpreter meanwhile, so it is asked for one round at a time: a
few hundredths of a second for 2,000 nodes.
"""

import time

import numpy as np
import rustworkx
from numpy.typing import NDArray

from graph.layout.beside import Edges, Places, beside, middles_of_neighbours

SPRING = 5.0  # between nodes that only one edge connects; a part's radius is then about the root of its nodes
ROUNDS, FEWER_ROUNDS = 100, 30  # from nothing; when most nodes stand somewhere already
MANY = 400  # nodes, of which the first find their places before the others
# How far a node moves in a round, in parts of the drawing's radius.
HOT, TEPID, WARM, COOL = 0.25, 0.05, 0.005, 0.001
STEP = 0.1  # how far rustworkx moves a node in a round, in its own units
LARGEST = 3.0  # half of the stored places are no further from the middle, in parts of the drawing's radius
WIDEST = 2.5  # no node starts further out, in parts of what half of the others do
SPACED = 1.6  # the distances of the first, as the others come between them

Strengths = NDArray[np.float64]
Graph = rustworkx.PyGraph[int, float]


def settle(start: Places, edges: Edges, pull: Strengths, until: float) -> Places:
    """Places around their middle for nodes that are all connected, of which the best linked come first.

    `pull`: the strength of each edge. `until`: when to leave it as it is, in seconds of time.monotonic.
    """
    count = len(start)
    if count < 3:
        return np.array([[-1.0, 0.0], [1.0, 0.0]])[:count] * (count - 1)
    known = usable(start, edges)
    if np.isnan(known[:, 0]).mean() <= 0.5:
        at, heats = beside(known, edges), np.geomspace(WARM, COOL, FEWER_ROUNDS)
    elif count <= MANY:
        at, heats = beside(known, edges), np.geomspace(HOT, COOL, ROUNDS)
    else:
        at, heats = _from_first(count, edges, pull, until), np.geomspace(TEPID, COOL, FEWER_ROUNDS)
    graph = connected(count, edges, pull)
    hub = int(np.bincount(edges.ravel(), minlength=count).argmax())
    for heat in heats:
        if time.monotonic() > until:
            break
        at = _round(graph, at, float(heat * np.sqrt(count)), hub)
    return at - at.mean(axis=0)


def usable(start: Places, edges: Edges) -> Places:
    """Stored places around their middle, no wider than so many nodes need, so that nothing ever adds up.

    A node that stood elsewhere, as one that had no edges till now, loses its place.
    """
    if np.isnan(start[:, 0]).all():
        return start
    radius = np.sqrt(len(start))
    at = start - np.nanmedian(start, axis=0)
    half = float(np.nanmedian(np.hypot(*at.T)))
    at *= min(1.0, LARGEST * radius / max(half, 1e-9))
    from_neighbours = np.hypot(*(at - middles_of_neighbours(at, edges)).T)
    strays = np.hypot(*at.T) > WIDEST * max(radius, min(half, LARGEST * radius))
    strays |= from_neighbours > max(radius, 2 * SPRING)
    at[strays] = np.nan
    return at


def connected(count: int, edges: Edges, pull: Strengths) -> Graph:
    """The nodes and edges as the library's graph."""
    graph: Graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(list(zip(*edges.T.tolist(), pull.tolist(), strict=True)))
    return graph


def parts_of(count: int, edges: Edges, pull: Strengths) -> list[NDArray[np.int64]]:
    """The nodes that edges connect with one another."""
    found = rustworkx.connected_components(connected(count, edges, pull))
    return [np.array(sorted(part), dtype=np.int64) for part in found]


def _from_first(count: int, edges: Edges, pull: Strengths, until: float) -> Places:
    """Where the best linked quarter finds its places alone, and all others beside it."""
    inner = (edges < count // 4).all(axis=1)
    first = max(parts_of(count // 4, edges[inner], pull[inner]), key=len)
    index = np.full(count, -1)
    index[first] = np.arange(len(first))
    own = (index[edges] >= 0).all(axis=1)
    start = np.full((count, 2), np.nan)
    nowhere = np.full((len(first), 2), np.nan)
    start[first] = SPACED * settle(nowhere, index[edges[own]], pull[own], until)
    return beside(start, edges)


def _round(graph: Graph, at: Places, most: float, hub: int) -> Places:
    """Each node moves by about `most`; the hub stays, else the library would change the scale."""
    scale = STEP / most
    found = rustworkx.spring_layout(
        graph,
        pos=dict(enumerate((at * scale).tolist())),
        fixed={hub},
        k=SPRING * scale,
        num_iter=1,
        weight_fn=float,
    )
    return np.array([found[i] for i in range(len(at))]) / scale
