"""Texts from outside without the characters that Postgres cannot keep."""

from typing import Any


def storable(value: Any) -> Any:
    """The value, texts within lists and objects included, with U+FFFD for each NUL and lone surrogate; every
    other character keeps its place.
    """
    match value:
        case str():
            return value.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {storable(key): storable(item) for key, item in value.items()}
        case list() | tuple():
            return [storable(item) for item in value]
        case _:
            return value


def one_line(text: str, longest: int | None = None) -> str:
    """A storable text with single spaces for all white space, cut to so many characters."""
    return " ".join(storable(text).split())[:longest]
