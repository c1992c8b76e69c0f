"""Which documents are alike, from their vectors alone: nearest neighbours and the groups they form."""

from typing import Any

import numpy as np
import pytest

from graph.document_map import similarity


def rows_of(count: int, *pairs: tuple[int, int]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Unit vectors of which the given pairs are alike."""
    vectors = np.eye(count, dtype=np.float32)
    for a, b in pairs:
        vectors[b] += 2 * vectors[a]
    return vectors


def test_each_has_its_nearest_and_a_pair_counts_once() -> None:
    found = similarity.edges(rows_of(4, (0, 1), (2, 3)), k=3, above=0.3)
    assert [edge[:2] for edge in found] == [(0, 1), (2, 3)]
    assert all(edge[2] == pytest.approx(2 / 5**0.5, abs=1e-3) for edge in found)


def test_no_more_neighbours_than_asked_for() -> None:
    star = np.ones((6, 3), dtype=np.float32) + np.eye(6, 3, dtype=np.float32)
    wanted = similarity.edges(star, k=1, above=0.3)
    assert len(wanted) <= 6 < len(similarity.edges(star, k=5, above=0.3))


def test_what_says_nothing_is_near_to_nothing() -> None:
    assert similarity.edges(np.zeros((3, 4), dtype=np.float32), k=3, above=0.0) == []


def test_groups_are_what_hangs_together() -> None:
    cliques = [(a, b, 0.9) for a, b in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]]
    labels = similarity.groups(7, [*cliques, (2, 3, 0.3)])
    assert labels[0] == labels[1] == labels[2] != labels[3] == labels[4] == labels[5]
    assert labels[6] not in labels[:6]
