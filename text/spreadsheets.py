"""What a spreadsheet could take for a formula."""

from typing import Any


def inert(value: Any) -> Any:
    """A cell of a CSV or Excel file: words of a document that begin like a formula get an apostrophe before
    them, with which a spreadsheet shows them as they are. Anything but text stays as it is.
    """
    risky = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if risky else value
