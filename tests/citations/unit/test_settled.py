"""The table of verdicts, row by row."""

from typing import Any

import pytest

from citations.opinion import Opinion, Says
from citations.settled import CUTS_WORD, Settled, settled, settled_by_code
from citations.support import SupportCheck

OBJECTION = "The quote says “30”, the claim “40”."
ROWS = [
    # before, objection, the reader says, after, confirmed by
    ("supported", "", "supports", "supported", "code"),
    ("supported", OBJECTION, "supports", "supported", "code"),
    ("supported", "", "contradicts", "needs_your_eye", ""),
    ("supported", "", "neither", "needs_your_eye", ""),
    ("facts_agree", "", "supports", "supported", "reader"),
    ("facts_agree", OBJECTION, "supports", "needs_your_eye", ""),
    ("facts_agree", "", "contradicts", "needs_your_eye", ""),
    ("facts_agree", "", "neither", "needs_your_eye", ""),
    ("needs_your_eye", "", "supports", "supported", "reader"),
    ("needs_your_eye", OBJECTION, "supports", "needs_your_eye", ""),
    ("needs_your_eye", "", "contradicts", "needs_your_eye", ""),
    ("needs_your_eye", "", "neither", "needs_your_eye", ""),
    ("contradicted", "", "supports", "contradicted", ""),
    ("contradicted", "", "contradicts", "contradicted", ""),
    ("contradicted", "", "neither", "contradicted", ""),
]


@pytest.mark.parametrize(("before", "objection", "says", "after", "by"), ROWS)
def test_each_row(before: str, objection: str, says: str, after: str, by: str) -> None:
    given = Settled(support=before, confirmed_by="code" if before == "supported" else "")
    found = settled(given, [objection] if objection else [], Opinion(says=Says(says), model="m"))
    assert (found.support, found.confirmed_by) == (after, by)


@pytest.mark.parametrize(
    ("support", "cuts_word", "told"),
    [
        ("supported", False, Settled(support="supported", confirmed_by="code")),
        ("supported", True, Settled(support="needs_your_eye", reason=CUTS_WORD)),
        ("facts_agree", False, Settled(support="facts_agree")),
        ("contradicted", True, Settled(support="contradicted")),
    ],
)
def test_code_alone_confirms_a_whole_quote_and_keeps_its_red(
    support: Any, cuts_word: bool, told: Settled
) -> None:
    assert settled_by_code(SupportCheck(support=support), cuts_word=cuts_word) == told
