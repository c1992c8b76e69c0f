"""Numbers in addresses and forms, where anybody may write anything: other text counts as no number. On a
command line it is refused.
"""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from uuid import UUID

DIGITS = 18  # what fits into a bigint, the type of every id
LARGEST = 10**DIGITS - 1


def number_in(text: str | None) -> int | None:
    """The number that the text is; None for any other text and for a number that no id can be."""
    if text and text.isascii() and text.isdecimal() and len(text) <= DIGITS:
        return int(text)
    return None


def numbers_in(texts: Iterable[str]) -> list[int]:
    """The numbers among them."""
    return [number for text in texts if (number := number_in(text)) is not None]


def uuid_in(text: str) -> UUID | None:
    """None for any other text."""
    try:
        return UUID(text)
    except ValueError:
        return None


def limited(text: str | None, low: int, high: int, default: int | None = None) -> int:
    """The number, at least `low` and at most `high`; without one `default`, else `low`."""
    number = number_in(text)
    if number is None:
        return low if default is None else default
    return max(low, min(number, high))


def whole(least: int, most: int) -> Callable[[str], int]:
    """What argparse makes a whole number of a command line with; it refuses any other, with exit status 2."""

    def parse(text: str) -> int:
        number = number_in(text)
        if number is None or not least <= number <= most:
            raise ArgumentTypeError(f"“{text}” is not a whole number from {least:,} to {most:,}.")
        return number

    return parse


def share(text: str) -> float:
    """The same for a number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:  # "nan" is not
        raise ArgumentTypeError(f"“{text}” is not a number from 0 to 1.")
    return number
