"""Who is near whom, and which belong together. Pure; knows no database."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Edge = tuple[int, int, float]  # indices a < b and their cosine


def edges(vectors: NDArray[np.float32], k: int, above: float) -> list[Edge]:
    """Each row's `k` nearest others with a cosine of at least `above`; a pair once, the nearest pairs first.

    vectors: shape (n, dimensions), rows of any length; a row of zeros is near to nothing.
    """
    count = len(vectors)
    if count < 2:
        return []
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -1.0)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
    pairs = {
        (min(a, b), max(a, b))
        for a in range(count)
        for b in map(int, nearest[a])
        if cosines[a, b] >= max(above, 1e-6)
    }
    found = [(a, b, round(min(float(cosines[a, b]), 1.0), 4)) for a, b in pairs]
    return sorted(found, key=lambda edge: (-edge[2], edge[:2]))


def groups(count: int, found: Sequence[Edge]) -> list[int]:
    """A label for each of `count` nodes, 0 for the largest group: those tied more than chance would tie them.

    Louvain's method (Blondel and others, 2008), with nodes in their given order, so that it is repeatable.
    """
    belongs = list(range(count))
    ties: Iterable[Edge] = found
    while True:
        level = _moved(len(set(belongs)), ties)
        if len(set(level)) == len(level):
            break
        names = {label: i for i, label in enumerate(dict.fromkeys(level))}
        level = [names[label] for label in level]
        belongs = [level[label] for label in belongs]
        merged: dict[tuple[int, int], float] = defaultdict(float)
        for a, b, weight in ties:
            merged[min(level[a], level[b]), max(level[a], level[b])] += weight
        ties = [(a, b, weight) for (a, b), weight in merged.items()]
    sizes = sorted(set(belongs), key=lambda label: (-belongs.count(label), belongs.index(label)))
    return [sizes.index(label) for label in belongs]


def _moved(count: int, ties: Iterable[Edge]) -> list[int]:
    """Each node in the group among its neighbours' that raises modularity most."""
    near: list[dict[int, float]] = [defaultdict(float) for _ in range(count)]
    degree = [0.0] * count
    for a, b, weight in ties:
        degree[a] += weight
        degree[b] += weight
        if a != b:
            near[a][b] += weight
            near[b][a] += weight
    total = sum(degree) or 1.0
    label, inside = list(range(count)), degree.copy()
    moving = True
    while moving:
        moving = False
        for node in range(count):
            own = label[node]
            inside[own] -= degree[node]
            pull: dict[int, float] = {own: 0.0}
            for other, weight in near[node].items():
                pull[label[other]] = pull.get(label[other], 0.0) + weight
            gain = {one: weight - degree[node] * inside[one] / total for one, weight in pull.items()}
            best = max(gain, key=lambda one: (gain[one], one == own, -one))
            if gain[best] > gain[own] + 1e-9:
                label[node], moving = best, True
            inside[label[node]] += degree[node]
    return label
