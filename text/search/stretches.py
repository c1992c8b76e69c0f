"""A text in stretches, of which some are marked: what was looked for, in a list of results or on a page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A part of a text; `marked` says whether it is what was looked for."""

    text: str
    marked: bool
