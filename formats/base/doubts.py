"""Where a page and its text disagree: words that nobody can see, letters other than the printed ones, print
that was not read; and pages that were not compared.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

MOST = 200  # of one kind on a page

Box = tuple[float, float, float, float]


class DoubtKind(StrEnum):
    """UNSEEN: the text has words of which the page shows nothing. LETTERS: the page shows other letters than
    the text has. UNREAD: the page shows print of which the text has nothing. SKIPPED: nobody has compared
    these words with the page.
    """

    UNSEEN = "unseen"
    LETTERS = "letters"
    UNREAD = "unread"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """start, end: of the words in the page's text; equal where it has none. box: x0, y0, x1, y1 in fractions
    of the displayed page; None for words outside of it. script: of print that was not read, such as
    "Hebrew", where it is known.
    """

    kind: DoubtKind
    start: int = 0
    end: int = 0
    box: Box | None = None
    script: str = ""


def at_most(found: Iterable[Doubt], most: int = MOST) -> list[Doubt]:
    """So many doubts of one kind, in order. Those beyond are one with the last, so that none is lost."""
    doubts = list(found)
    rest = doubts[most - 1 :]
    if len(rest) < 2:
        return doubts
    last = replace(
        rest[0], end=max(doubt.end for doubt in rest), box=_around([doubt.box for doubt in rest if doubt.box])
    )
    return [*doubts[: most - 1], last]


def _around(boxes: list[Box]) -> Box | None:
    if not boxes:
        return None
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
