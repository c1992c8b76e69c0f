"""The verdict on a claim, from what code found and what a second reader said. One table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_noop

from citations.choices import ConfirmedBy, Support
from citations.opinion import Opinion, Says
from citations.support import SupportCheck

CUTS_WORD = gettext_noop("The quote begins or ends inside a word.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    support: str
    confirmed_by: str = ConfirmedBy.NOBODY
    reason: str = ""


def settled_by_code(check: SupportCheck, *, cuts_word: bool = False) -> Settled:
    """The verdict before any reader. cuts_word: whether the quote begins or ends inside a word."""
    if cuts_word and check.support != Support.CONTRADICTED:
        return Settled(support=Support.NEEDS_EYE, reason=CUTS_WORD)
    by = ConfirmedBy.CODE if check.support == Support.SUPPORTED else ConfirmedBy.NOBODY
    return Settled(support=check.support, confirmed_by=by, reason=check.reason)


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
