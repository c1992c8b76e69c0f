"""What an examination of this installation found: the lines of `doctor`."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A line of the report. `advice` is what to do, empty when all is well; `items` are what it is about.

    With `ok` and advice both, all works, and could be safer.
    """

    subject: str
    ok: bool
    detail: str
    advice: str = ""
    items: Sequence[str] = ()


def failed(subject: str, detail: str, advice: str, items: Sequence[str] = ()) -> Finding:
    return Finding(subject=subject, ok=False, detail=" ".join(detail.split()), advice=advice, items=items)


def sound(subject: str, detail: str) -> Finding:
    return Finding(subject=subject, ok=True, detail=detail)
