"""The verdict on a claim, from what code found and what a second reader said. One table."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.citations.opinion import Opinion, Says
from chat.models import Citation, ConfirmedBy, Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    support: str
    confirmed_by: str = ConfirmedBy.NOBODY
    reason: str = ""


def settled(before: Settled, objections: Sequence[str], opinion: Opinion) -> Settled:
    """before: the verdict without this reader. objections: what code finds against the claim.

    | before       | supports                              | contradicts, neither |
    |--------------|---------------------------------------|----------------------|
    | supported    | as before                             | needs your eye       |
    | facts agree  | supported by the reader, no objection | needs your eye       |
    | needs eye    | supported by the reader, no objection | as before            |
    | contradicted | as before                             | as before            |
    """
    if before.support in (Support.CONTRADICTED, Support.NONE):
        return before
    if opinion.says != Says.SUPPORTS:
        if before.support == Support.NEEDS_EYE and opinion.says == Says.NEITHER:
            return before
        return Settled(support=Support.NEEDS_EYE, reason=opinion.doubt)
    if before.support == Support.SUPPORTED:
        return before
    if objections:
        return Settled(support=Support.NEEDS_EYE, reason=before.reason or objections[0])
    return Settled(support=Support.SUPPORTED, confirmed_by=ConfirmedBy.READER)


def take_opinion(citation: Citation, opinion: Opinion | None) -> None:
    """Set what a reader says of the citation, and the verdict that follows. None: it could not be asked."""
    if opinion is None:
        return
    before = Settled(support=citation.support, confirmed_by=citation.confirmed_by, reason=citation.reason)
    after = settled(before, citation.objections, opinion)
    citation.support, citation.confirmed_by = after.support, after.confirmed_by
    citation.reason, citation.reader, citation.judge = after.reason, opinion.model[:200], opinion.as_json()
    if opinion.doubt:  # another reader can't overrule it
        citation.objections = (*citation.objections, opinion.doubt)
