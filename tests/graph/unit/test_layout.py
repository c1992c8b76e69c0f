"""Where the nodes of a drawing stand: the same each time, apart, and near what they are related to."""

import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any

import numpy as np
import pytest

from graph.layout.beside import Edges, Places
from graph.layout.drawing import lay_out


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


def test_laid_out_again_and_again_it_stays_as_large_and_as_quick() -> None:
    """Parts join and split in between, as documents come and go."""
    rng = np.random.default_rng(1)
    count = 90
    groups = [np.arange(first, first + 6) for first in range(0, count, 6)]
    inner = [(int(group[0]), int(node)) for group in groups for node in group[1:]]
    places, reach, steps = np.full((count, 2), np.nan), [], []
    for _ in range(30):
        joined = rng.choice(len(groups), (8, 2))
        between = [(int(groups[a][1]), int(groups[b][2])) for a, b in joined if a != b]
        kept = [edge for edge in inner if rng.random() > 0.1]
        places[rng.choice(count, 3)] = np.nan
        edges = np.array(kept + between, dtype=np.int64)
        places, taken = counted(places, edges)
        places = places.round(2)
        reach.append(np.hypot(*places.T).max())
        steps.append(taken)
    assert max(reach) < 2 * reach[0]
    assert max(steps) < 300 * count


def counted(start: Places, edges: Edges) -> tuple[Places, int]:
    """The drawing, and how many lines of the layout were executed for it."""
    lines = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if "/graph/layout/" not in frame.f_code.co_filename:
            return None
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = lay_out(start, edges, np.ones(len(edges)))
    finally:
        sys.settrace(before)
    return found, lines


def test_places_that_were_stored_far_too_wide_come_back_to_size() -> None:
    rng = np.random.default_rng(2)
    edges = np.array([(i, i // 3) for i in range(1, 60)], dtype=np.int64)
    usual = np.hypot(*picture(80, edges.tolist()).T).max()
    wide = lay_out(rng.normal(0, 2000, (80, 2)), edges, np.ones(len(edges)))
    assert np.hypot(*wide.T).max() < 1.5 * usual


def test_what_is_there_stays_where_it_is_when_something_new_comes() -> None:
    edges = [(i, i // 3) for i in range(1, 60)] + [(60, 61), (62, 63), (62, 64)]
    before = picture(90, edges)
    start = np.concatenate([before, np.full((3, 2), np.nan)])
    more = np.array([*edges, (90, 4), (91, 62)], dtype=np.int64)
    after = lay_out(start, more, np.ones(len(more)))
    moved = np.hypot(*(after[:90] - before).T)
    assert np.median(moved) < 0.05 * np.hypot(*before.T).max()
    tied = np.hypot(*(after[90] - after[4]))
    assert tied < np.median(np.hypot(*(after - after[4]).T)), "the new one is beside its neighbour"


def test_when_time_is_up_every_node_has_a_place_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.layout.drawing.SECONDS", -1.0)
    found = picture(900, [(i, i // 3) for i in range(1, 600)])
    assert np.isfinite(found).all()
    assert len({tuple(row) for row in found.round(2)}) > 890
