"""Numbers of pages in words: runs of them, and no more than a person reads."""

from collections.abc import Sequence

NAMED = 6  # runs of pages that are named before it is said how many more there are


def named(numbers: Sequence[int], *, last: str = ", ") -> str:
    """“3-5, 9” of ascending numbers, “1, 3, 5, 7, 9, 11 and 2 more” of many. `last`: before the last run."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    words = [f"{a:,}" if a == b else f"{a:,}-{b:,}" for a, b in runs[:NAMED]]
    if rest := sum(b - a + 1 for a, b in runs[NAMED:]):
        return f"{', '.join(words)} and {rest:,} more"
    return last.join(filter(None, [", ".join(words[:-1]), words[-1]]))
