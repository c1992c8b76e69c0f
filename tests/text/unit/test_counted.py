"""Numbers with their nouns."""

import pytest

from text.counted import counted


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (0, "file", "0 files"),
        (1, "file", "1 file"),
        (1284, "file", "1,284 files"),
        (1, "entity", "1 entity"),
        (2, "entity", "2 entities"),
        (3, "day", "3 days"),
    ],
)
def test_a_number_has_its_noun_in_the_singular_or_plural(number: int, noun: str, told: str) -> None:
    assert counted(number, noun) == told
