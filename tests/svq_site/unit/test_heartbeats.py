"""Which workers `up` replaces, by the heartbeats that it sees."""

from collections.abc import Mapping

import pytest

from svq_site.host.heartbeats import LOOK_SECONDS, SILENT_SECONDS, Heartbeats


class Observed:
    """Looks at regular moments, without a database."""

    def __init__(self, *pids: int) -> None:
        self.now = 1000.0
        self.all = list(pids)
        self.heartbeats = Heartbeats(self, lambda: self.now)

    def pids(self) -> list[int]:
        return self.all

    def replace(self, pid: int, why: str) -> None:
        raise AssertionError

    def after(self, seconds: float, beats: Mapping[int, float]) -> list[int]:
        self.now += seconds
        return self.heartbeats.silent(self.all, beats)

    def silent_after(self, beats: Mapping[int, float], *, alive: int = 0) -> float:
        """Seconds of looks until one is replaced; the heart of `alive` goes on beating."""
        for looks in range(1, 100):
            beating = {alive: float(looks)} if alive else {}
            if self.after(LOOK_SECONDS, {**beats, **beating}):
                return looks * LOOK_SECONDS
        return float("inf")


def test_the_silent_one_of_two_is_replaced_in_time() -> None:
    seen = Observed(1, 2)
    seen.after(LOOK_SECONDS, {1: 10.0, 2: 10.0})
    seen.after(LOOK_SECONDS, {1: 12.0, 2: 12.0})
    assert SILENT_SECONDS < seen.silent_after({1: 12.0}, alive=2) <= SILENT_SECONDS + 2 * LOOK_SECONDS
    assert seen.after(LOOK_SECONDS, {1: 12.0, 2: 1000.0}) == [1]


def test_one_whose_row_was_removed_is_silent_too() -> None:
    seen = Observed(1)
    seen.after(LOOK_SECONDS, {1: 10.0})
    seen.after(LOOK_SECONDS, {1: 12.0})
    assert seen.silent_after({}) < float("inf")


@pytest.mark.parametrize("beats", [{}, {1: 10.0}], ids=["no row", "the row of an earlier process"])
def test_one_that_only_starts_is_left_alone(beats: dict[int, float]) -> None:
    assert Observed(1).silent_after(beats) == float("inf")


def test_after_a_time_without_looks_all_have_as_long_again() -> None:
    seen = Observed(1)
    seen.after(LOOK_SECONDS, {1: 10.0})
    seen.after(LOOK_SECONDS, {1: 12.0})
    assert seen.after(3600, {1: 12.0}) == []  # the database was away
    assert seen.silent_after({1: 12.0}) > SILENT_SECONDS
