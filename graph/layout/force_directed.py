"""Where the nodes of a drawing stand, computed with numpy alone. Pure, and the same for the same input.

Nodes push one another apart and edges pull them together, as Fruchterman and Reingold did in 1991; then the
parts that no edge connects are packed around the largest. All pairs are computed: for a few thousand nodes.
"""

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.float64]  # one row a node: x, y; not a number where a node has no place yet
Edges = NDArray[np.int64]  # one row an edge: indices of two nodes

ROUNDS, FEWER_ROUNDS = 200, 50  # from nothing; when most nodes stand somewhere already
MANY = 400  # nodes
NEAR = 1.0  # the length of an edge that neither pulls nor pushes
GRAVITY = 0.4
# How far a node may move in a round, in parts of the drawing's radius.
HOT, TEPID, WARM, COOL = 0.25, 0.06, 0.01, 0.001
SPREAD = 2.0  # room for connected nodes, against that for single ones
GAP = 1.3  # between unconnected parts
BLOCK = 256  # rows of the table of all pairs that fit a processor's cache
GOLDEN = np.pi * (3 - np.sqrt(5))  # turning by this angle again and again never repeats a direction


def lay_out(start: Places, edges: Edges, weights: NDArray[np.float64]) -> Places:
    """A place for each node, near that of `start` where there is one."""
    fresh = np.isnan(start[:, 0])
    places = beside(start, edges)
    parts = _parts(len(start), edges)
    # Edges between two hubs pull less: together they would press all hubs into one heap.
    degree = np.bincount(edges.ravel(), minlength=len(start))
    pull = (1 + np.log1p(weights) / 4) / np.sqrt(degree[edges].min(axis=1, initial=len(start)))
    for part in parts:
        index = np.full(len(start), -1)
        index[part] = np.arange(len(part))
        own = index[edges[:, 0]] >= 0
        places[part] = _settle(places[part], index[edges[own]], pull[own], fresh[part].mean() > 0.5)
    return _pack(places, parts)


def beside(start: Places, edges: Edges) -> Places:
    """Give each node without a place one near the middle of its neighbours, or else on a spiral."""
    places = start.copy()
    count = len(places)
    turn = np.arange(count) * GOLDEN
    spiral = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    known = ~np.isnan(places[:, 0])
    total, number = np.zeros((count, 2)), np.zeros(count)
    for a, b in ((0, 1), (1, 0)):
        use = edges[known[edges[:, b]]]
        np.add.at(total, use[:, a], places[use[:, b]])
        np.add.at(number, use[:, a], 1)
    found = ~known & (number > 0)
    places[found] = total[found] / number[found, None] + NEAR * spiral[found]
    rest = np.isnan(places[:, 0])
    edge = np.sqrt(np.nanmax((places**2).sum(axis=1), initial=0)) if rest.any() and not rest.all() else 0.0
    order = np.arange(rest.sum())
    places[rest] = (edge + NEAR * np.sqrt(order + 1))[:, None] * spiral[rest]
    return places


def _parts(count: int, edges: Edges) -> list[NDArray[np.int64]]:
    """The nodes that edges connect with one another, the largest part first."""
    label = np.arange(count)
    while True:
        lower = label.copy()
        np.minimum.at(lower, edges[:, 0], label[edges[:, 1]])
        np.minimum.at(lower, edges[:, 1], label[edges[:, 0]])
        lower = lower[lower]
        if (lower == label).all():
            break
        label = lower
    order = np.argsort(label, kind="stable")
    cuts = np.flatnonzero(np.diff(label[order])) + 1
    return sorted(np.split(order, cuts), key=len, reverse=True) if count else []


def _settle(at: Places, edges: Edges, pull: NDArray[np.float64], from_nothing: bool) -> Places:
    """Let the forces move connected nodes, less and less far. Of many, the first find their places first."""
    count = len(at)
    if count < 3:
        return np.array([[-NEAR / 2, 0.0], [NEAR / 2, 0.0]])[:count] * (count - 1)
    heat, rounds = (HOT, ROUNDS) if from_nothing else (WARM, FEWER_ROUNDS)
    if from_nothing and count > MANY:
        head = count // 4
        inner = (edges < head).all(axis=1)
        first = np.full_like(at, np.nan)
        first[:head] = 2 * _settle(at[:head], edges[inner], pull[inner], from_nothing)
        at, heat, rounds = beside(first, edges), TEPID, ROUNDS // 2
    now = ((at - at.mean(axis=0)) / SPREAD).astype(np.float32)
    for most in np.geomspace(heat, COOL, rounds) * NEAR * np.sqrt(count):
        force = _push(now) + _pull(now, edges, pull) - GRAVITY * now
        length = np.sqrt((force**2).sum(axis=1, keepdims=True))
        now += force * np.minimum(1, most / np.maximum(length, 1e-6)).astype(np.float32)
    return SPREAD * (now - now.mean(axis=0)).astype(np.float64)


def _push(at: NDArray[np.float32]) -> NDArray[np.float32]:
    """Every node away from every other, by NEAR squared over the distance."""
    across, down = at[:, 0].copy(), at[:, 1].copy()
    force = np.empty_like(at)
    for first in range(0, len(at), BLOCK):
        rows = slice(first, first + BLOCK)
        x, y = across[rows, None] - across, down[rows, None] - down
        apart = x * x
        apart += y * y
        np.maximum(apart, 0.01 * NEAR**2, out=apart)
        np.divide(NEAR**2, apart, out=apart)
        force[rows, 0] = np.einsum("ij,ij->i", x, apart)
        force[rows, 1] = np.einsum("ij,ij->i", y, apart)
    return force


def _pull(at: NDArray[np.float32], edges: Edges, pull: NDArray[np.float64]) -> NDArray[np.float32]:
    """Both ends of every edge together, by the square of its length over NEAR."""
    one, two = edges[:, 0], edges[:, 1]
    vectors = at[two] - at[one]
    vectors = vectors * (np.sqrt((vectors**2).sum(axis=1)) * pull / NEAR)[:, None]
    force = np.empty_like(at)
    for axis in (0, 1):
        to = np.bincount(one, vectors[:, axis], len(at))
        force[:, axis] = to - np.bincount(two, vectors[:, axis], len(at))
    return force


def _pack(places: Places, parts: list[NDArray[np.int64]]) -> Places:
    """Set each part down where it touches nothing, as near to the middle as a spiral finds room."""
    packed = np.full_like(places, np.nan)
    done = np.zeros((0, 2))
    step = 0
    for part in parts:
        shape = places[part]
        reach = np.sqrt((shape**2).sum(axis=1)).max() + GAP * NEAR
        while len(done):
            spot = NEAR * np.sqrt(step) * np.array([np.cos(step * GOLDEN), np.sin(step * GOLDEN)])
            if ((done - spot) ** 2).sum(axis=1).min() >= reach**2:
                shape = shape + spot
                break
            step += 1
        packed[part] = shape
        done = np.concatenate([done, shape])
    return packed
