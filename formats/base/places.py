"""What the file calls its pages and rows: “Slide 7”, “Sheet “Fees”, rows 2 to 40”. Pure."""

import re

_ROWS = re.compile(r"(?:, rows?| ?Rows?) [\d,]+(?: to [\d,]+)?$")


def with_rows(place: str, first: int, last: int) -> str:
    """The place, and which of its rows: “Sheet “Fees”, row 12”, “Rows 2 to 40”."""
    named = f"row {first:,}" if first == last else f"rows {first:,} to {last:,}"
    return f"{place}, {named}" if place else named.capitalize()


def without_rows(place: str) -> str:
    return _ROWS.sub("", place)
