"""Places for nodes that have none yet: each near the middle of its neighbours, or else around all others."""

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.float64]  # one row a node: x, y; not a number where a node has no place yet
Edges = NDArray[np.int64]  # one row an edge: indices of two nodes

NEAR = 1.0  # from a new node to the middle of its neighbours
PASSES = 8  # in each of which the neighbours of those that were placed before find a place
GOLDEN = np.pi * (3 - np.sqrt(5))  # turning by this angle again and again never repeats a direction


def beside(start: Places, edges: Edges) -> Places:
    """Every place of `start` as it is, and one for each node without."""
    places = start.copy()
    turn = np.arange(len(places)) * GOLDEN
    around = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    for _ in range(PASSES):
        middles = middles_of_neighbours(places, edges)
        found = np.isnan(places[:, 0]) & ~np.isnan(middles[:, 0])
        if not found.any():
            break
        places[found] = middles[found] + NEAR * around[found]
    rest = np.isnan(places[:, 0])
    edge = np.hypot(*places[~rest].T).max(initial=0.0)
    away = edge + NEAR * np.sqrt(np.arange(rest.sum()) + 1)
    places[rest] = away[:, None] * around[rest]
    return places


def middles_of_neighbours(places: Places, edges: Edges) -> Places:
    """The mean place of each node's neighbours that have one; not a number where none has."""
    known = ~np.isnan(places[:, 0])
    total, number = np.zeros_like(places), np.zeros(len(places))
    for one, other in (edges.T, edges.T[::-1]):
        counts = known[other]
        np.add.at(total, one[counts], places[other[counts]])
        np.add.at(number, one[counts], 1)
    number[number == 0] = np.nan
    return total / number[:, None]
