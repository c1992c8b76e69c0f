"""Words that a document defines. Pure."""

from collections.abc import Iterator

from digest.points import Kind, Point
from english.contracts.defined_terms import definitions_in


def terms(text: str, first: int, last: int) -> Iterator[Point]:
    """As “Availability” means ..., or the sums (the “Charges”)."""
    for found in definitions_in(text, first, last):
        yield Point(
            kind=Kind.TERM,
            label=" ".join(found["term"].split()),
            first=first,
            last=last,
            start=found.start("term"),
            end=found.end("term"),
        )
