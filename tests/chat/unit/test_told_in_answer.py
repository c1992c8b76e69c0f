"""Whether an answer says what a quote says: in the same words, with the same figures."""

import pytest

from chat.exports import same_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("| Priority 1 | 1 hour |", "Priority 1\t1 hour"),
        ("> It is “kept” for\n> 35 days.", "It is kept for 35 days."),
        (r"**Rent** is \*due\*.", "Rent is *due*."),
    ],
)
def test_the_same_words(one: str, other: str) -> None:
    assert same_words(one) == same_words(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Net loss was €3.5m", "Net loss was €35m"),
        ("Net loss was -3.5 %", "Net loss was 3.5 %"),
        ("It costs $1.5 a day", "It costs €1.5 a day"),
        ("It is kept for 15days", "It is kept for 1 5days"),
        ("It has > 5 members", "It has 5 members"),
    ],
)
def test_other_figures_are_no_same_words(one: str, other: str) -> None:
    assert same_words(one) != same_words(other)
