"""Numbers of pages in words: runs of them, and no more than a person reads."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from localization.lists import joined, listed
from localization.numbers import numeral

NAMED = 6  # runs of pages that are named before it is said how many more there are


def named(numbers: Sequence[int], *, in_a_sentence: bool = False) -> str:
    """“3-5, 9” of ascending numbers, “1, 3, 5, 7, 9, 11 and 2 more” of many. in_a_sentence: with an
    “and” before the last run."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    words = [numeral(a) if a == b else f"{numeral(a)}-{numeral(b)}" for a, b in runs[:NAMED]]
    if rest := sum(b - a + 1 for a, b in runs[NAMED:]):
        return _("{pages} and {n} more").format(pages=joined(words), n=numeral(rest))
    return listed(words) if in_a_sentence else joined(words)
