"""Where the nodes of a drawing stand: the same each time, apart, and near what they are related to."""

from collections.abc import Sequence

import numpy as np
import pytest

from graph.layout.force_directed import Places, lay_out


def picture(count: int, edges: Sequence[tuple[int, int]]) -> Places:
    nowhere = np.full((count, 2), np.nan)
    return lay_out(nowhere, np.array(edges, dtype=np.int64).reshape(-1, 2), np.ones(len(edges)))


def test_the_same_graph_is_drawn_the_same() -> None:
    edges = [(i, (7 * i + 3) % 50) for i in range(50) if i != (7 * i + 3) % 50]
    assert np.array_equal(picture(60, edges), picture(60, edges))


@pytest.mark.parametrize(
    ("count", "edges"), [(0, []), (1, []), (2, [(0, 1)]), (40, []), (9, [(0, 1), (2, 3)])]
)
def test_no_two_stand_on_one_spot(count: int, edges: list[tuple[int, int]]) -> None:
    found = picture(count, edges)
    assert found.shape == (count, 2)
    assert np.isfinite(found).all()
    assert len({tuple(row) for row in found.round(1)}) == count


def test_what_is_related_stands_near() -> None:
    ring = [(i, (i + 1) % 20) for i in range(20)]
    other = [(20 + i, 20 + (i + 1) % 20) for i in range(20)]
    found = picture(40, ring + other)
    tied = np.mean([np.hypot(*(found[a] - found[b])) for a, b in ring + other])
    apart = np.mean([np.hypot(*(found[a] - found[a + 20])) for a in range(20)])
    assert tied < apart / 2


def test_thousands_find_a_place() -> None:
    rng = np.random.default_rng(0)
    edges = [(a, b) for a, b in rng.integers(0, 1500, (3000, 2)).tolist() if a != b]
    found = picture(1500, edges)
    assert len({tuple(row) for row in found.round(2)}) == 1500
