"""Numbers in addresses and forms, where anybody may write anything: other text counts as no number."""

from collections.abc import Iterable

DIGITS = 18  # what fits into a bigint, the type of every id


def number_in(text: str | None) -> int | None:
    """The number that the text is; None for any other text and for a number that no id can be."""
    if text and text.isascii() and text.isdecimal() and len(text) <= DIGITS:
        return int(text)
    return None


def numbers_in(texts: Iterable[str]) -> list[int]:
    """The numbers among them."""
    return [number for text in texts if (number := number_in(text)) is not None]


def limited(text: str | None, low: int, high: int, default: int | None = None) -> int:
    """The number, at least `low` and at most `high`; without one `default`, else `low`."""
    number = number_in(text)
    if number is None:
        return low if default is None else default
    return max(low, min(number, high))
