"""Rows that name each other in a circle are found, however long the way into it is."""

import pytest

from exchange.bundles.checking import has_circle


@pytest.mark.parametrize(
    ("links", "found"),
    [
        ({}, False),
        ({2: 1, 3: 2, 4: 2}, False),
        ({1: 1}, True),
        ({1: 2, 2: 1}, True),
        ({9: 5, 5: 6, 6: 7, 7: 5, 3: 2}, True),
        ({number: number - 1 for number in range(1, 50_000)}, False),
    ],
)
def test_a_circle_has_no_end(links: dict[int, int], found: bool) -> None:
    assert has_circle(links) is found
