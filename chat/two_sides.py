"""Where two documents answer a question differently: `Turn.differ` with the citations it is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from answering.differing.kinds import FIGURES
from chat.models import Citation, Turn, TurnStatus
from citations.choices import OnPage

UNRANKED = gettext_noop("Nothing found that ranks them.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A citation and where its value stands in its quote; start and end enclose all of a yes or no."""

    citation: Citation
    start: int
    end: int

    @property
    def value(self) -> str:
        return " ".join(self.citation.quote[self.start : self.end].split())


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSides:
    """`ranked_by` quotes a sentence of one of the documents that says which of them governs."""

    kind: str
    one: Side
    other: Side
    ranked_by: Citation | None

    @property
    def title(self) -> str:
        """In English: pages translate it."""
        if self.kind in FIGURES:
            return gettext_noop("Two documents give different figures")
        return gettext_noop("Two documents give different answers")

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.one, self.other


def two_sides(turn: Turn) -> TwoSides | None:
    """None where nothing differs, and where a quote is no longer there as it was when it was compared."""
    if not turn.differ or turn.is_unfinished or turn.status == TurnStatus.NOT_FOUND:
        return None
    there = {citation.n: citation for citation in turn.citations.all() if _stands(citation)}
    sides = [_side(there, side) for side in turn.differ["sides"]]
    ranked_by = turn.differ.get("ranked_by")
    if len(sides) != 2 or sides[0] is None or sides[1] is None or (ranked_by and ranked_by not in there):
        return None
    return TwoSides(
        kind=turn.differ["kind"], one=sides[0], other=sides[1], ranked_by=there.get(ranked_by or 0)
    )


def _stands(citation: Citation) -> bool:
    return citation.on_page != OnPage.ABSENT and bool(citation.quote) and not citation.is_file_deleted


def _side(citations: Mapping[int, Citation], told: Mapping[str, Any]) -> Side | None:
    citation = citations.get(told["citation"])
    start, end = told["value"]
    if citation is None or not 0 <= start < end <= len(citation.quote) == told["of"]:
        return None  # it was changed since, such as by a mask
    return Side(citation=citation, start=start, end=end)
