"""A whole drawing: each part that edges connect by itself, then all side by side."""

import time
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from graph.layout.beside import Edges, Places
from graph.layout.packing import pack
from graph.layout.springs import parts_of, settle

SECONDS = 10.0  # after which nodes stay where they are; 2,000 take about one

Part = NDArray[np.int64]  # indices of nodes


def lay_out(start: Places, edges: Edges, weights: NDArray[np.float64]) -> Places:
    """A place for each node, near that of `start` where there is one. The best linked nodes come first."""
    until = time.monotonic() + SECONDS
    # Edges between two hubs pull less: together they would press all hubs into one heap.
    degree = np.bincount(edges.ravel(), minlength=len(start))
    pull = (1 + np.log1p(weights) / 4) / np.sqrt(degree[edges].min(axis=1, initial=len(start)))
    fresh = np.isnan(start[:, 0])
    # Of equal ones those that have a place already come first, so that they keep it.
    parts = sorted(
        parts_of(len(start), edges, pull), key=lambda part: (-len(part), fresh[part].all(), part[0])
    )
    edges_of, index = _edges_of(parts, edges, len(start))
    shapes = [
        settle(start[part], index[edges[own]], pull[own], until)
        for part, own in zip(parts, edges_of, strict=True)
    ]
    places = np.zeros((len(start), 2))
    for part, shape, middle in zip(parts, shapes, pack(shapes, _middles(parts, start)), strict=True):
        places[part] = shape + middle
    return places


def _edges_of(parts: Sequence[Part], edges: Edges, count: int) -> tuple[list[Part], Part]:
    """The indices of each part's edges, and the index of each node within its part."""
    label, index = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for i, part in enumerate(parts):
        label[part], index[part] = i, np.arange(len(part))
    of_part = label[edges[:, 0]]
    order = np.argsort(of_part, kind="stable")
    cuts = np.searchsorted(of_part[order], np.arange(len(parts) + 1))
    return [order[first:last] for first, last in pairwise(cuts)], index


def _middles(parts: Sequence[Part], start: Places) -> Places:
    """Where the middle of each part was, seen from that of the first; not a number where it is new."""
    middles = np.full((len(parts), 2), np.nan)
    for i, part in enumerate(parts):
        known = start[part][~np.isnan(start[part, 0])]
        if len(known):
            middles[i] = known.mean(axis=0)
    return middles - np.nan_to_num(middles[:1])
