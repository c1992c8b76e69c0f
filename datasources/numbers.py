"""Numbers in addresses and forms, where anybody may write anything: other text counts as no number. On a
command line it is refused.

What people type for themselves, such as a limit, is read alike on pages, over REST and on a command line: in
figures of any script, and without what only programs write, such as 1_000 and 1e5.
"""

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from decimal import Decimal
from uuid import UUID

DIGITS = 18  # what fits into a bigint, the type of every id
LARGEST = 10**DIGITS - 1
MOST_TYPED = 30  # digits: more than any limit has
# “1000”, “1,000” or “1 000”; an amount is in one piece, as “1,500” is one and a half to many.
_WHOLE = re.compile(r"\d+|\d{1,3}(?:[,٬\s]\d{3})+")
_AMOUNT = re.compile(r"(\d+)(?:[.٫](\d*))?|[.٫](\d+)")


def number_in(text: str | None) -> int | None:
    """The number that the text is; None for any other text and for a number that no id can be."""
    if text and text.isascii() and text.isdecimal() and len(text) <= DIGITS:
        return int(text)
    return None


def numbers_in(texts: Iterable[str]) -> list[int]:
    """The numbers among them."""
    return [number for text in texts if (number := number_in(text)) is not None]


def whole_typed(text: str) -> int | None:
    """The whole number that a person typed; None for any other text."""
    if not _WHOLE.fullmatch(text := text.strip()):
        return None
    digits = "".join(filter(str.isdecimal, text))
    return int(digits) if len(digits) <= MOST_TYPED else None


def amount_typed(text: str) -> Decimal | None:
    """The number with or without decimals that a person typed; None for any other text."""
    if not (found := _AMOUNT.fullmatch(text.strip())) or len(text) > MOST_TYPED:
        return None
    whole, decimals, alone = found.groups()
    return Decimal(f"{whole or 0}.{decimals or alone or 0}")


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


def amount(below: int) -> Callable[[str], Decimal]:
    """The same for an amount of money above 0."""

    def parse(text: str) -> Decimal:
        told = amount_typed(text)
        if told is None or not 0 < told < below:
            raise ArgumentTypeError(f"“{text}” is not an amount above 0 and below {below:,}.")
        return told

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
