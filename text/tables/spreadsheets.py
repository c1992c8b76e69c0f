"""What a spreadsheet could take for a formula."""

from typing import Any

_RISKY = ("=", "+", "-", "@", "\t", "\r")  # at the start of a cell


def inert(value: Any) -> Any:
    """A cell of a CSV or Excel file: words of a document that begin like a formula get an apostrophe before
    them, with which a spreadsheet shows them as they are. Anything but text stays as it is.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_RISKY) else value


def escaped(value: str) -> str:
    """Inert, in a file that is read again: an apostrophe of the text's own gets another one."""
    return f"'{value}" if value.startswith("'") else str(inert(value))


def unescaped(value: str) -> str:
    """As it was before `escaped`."""
    return value[1:] if value.startswith("'") and value[1:].startswith((*_RISKY, "'")) else value
