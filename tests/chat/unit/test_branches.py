"""Which turn follows which."""

import pytest

from chat.branches import Branches, _before


def test_a_turn_follows_the_one_before_or_the_one_that_it_says() -> None:
    branches = Branches(before=_before([(1, None), (2, None), (3, 1)]))
    assert branches.path() == [1, 3]
    assert branches.path(through=2) == [1, 2]
    assert branches.versions(3) == [2, 3]


@pytest.mark.parametrize("rows", [[(1, 1)], [(1, 2), (2, 1)], [(1, None), (2, 3), (3, 2)], [(1, 9)]])
def test_a_row_that_follows_itself_leads_round_in_no_circle(rows: list[tuple[int, int | None]]) -> None:
    branches = Branches(before=_before(rows))
    assert branches.path() == sorted(branches.path())
    assert branches.path()[-1] == rows[-1][0]


@pytest.mark.parametrize("before", [{0: 0}, {1: 1}, {1: 2, 2: 1}, {1: 0, 2: 3, 3: 2}])
def test_every_path_comes_to_an_end(before: dict[int, int]) -> None:
    path = Branches(before=before).path()
    assert path[-1] == max(before)
    assert path == sorted(set(path))


def test_a_turn_of_the_number_0_leads_round_in_no_circle() -> None:
    assert Branches(before=_before([(0, None), (1, None)])).path() == [0, 1]
