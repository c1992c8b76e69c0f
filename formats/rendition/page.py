"""A page that is to be typeset."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """text: what the file says there. lines: how it is drawn, from the top; none is wider than the page."""

    text: str
    lines: tuple[str, ...]
