"""What the suite of faults would notice."""

from collections import Counter

from tests.faults.picture import Picture


def test_what_is_lost_doubled_or_different_is_told() -> None:
    expected = Picture(
        rows=Counter([("page", 1), ("page", 2)]), vectors={("m", "one"): [1.0, 0.0], ("m", "two"): [0.0, 1.0]}
    )
    assert expected.difference(expected) == []
    after = Picture(
        rows=Counter([("page", 1), ("page", 1)]),
        vectors={("m", "one"): [0.6, 0.8], ("m", "three"): [1.0, 0.0]},
    )
    assert sorted(after.difference(expected)) == [
        "missing: ('page', 2)",
        "too many: ('page', 1)",
        "vector of ('m', 'one')",
        "vector of ('m', 'three')",
        "vector of ('m', 'two')",
    ]
