"""What an answer is worth, on answers and searches whose worth is known."""

import pytest

from answering.values.outcome import Outcome
from citations.checked import CheckedQuote
from citations.choices import OnPage, Support
from desks.evaluation.metrics.evidence import Gold, Span
from desks.evaluation.models import Kind
from desks.evaluation.runs.answering import Answered
from desks.evaluation.runs.scoring import Needed, _measured, statements


def cited(n: int, claim: str, support: Support, on_page: OnPage = OnPage.EXACT) -> CheckedQuote:
    return CheckedQuote(n=n, claim=claim, support=support, on_page=on_page)


def answered(*citations: CheckedQuote) -> Answered:
    return Answered(
        outcome=Outcome.ANSWERED,
        answer="",
        quotes_only=False,
        citations=citations,
        passages=[],
        trace=[],
        searches=1,
        seconds=1.0,
    )


@pytest.mark.parametrize(
    ("citations", "said"),
    [
        ([cited(1, "", Support.NONE)], [True]),
        ([cited(1, "", Support.NONE), cited(2, "", Support.NONE, OnPage.ABSENT)], [True, False]),
        ([cited(1, "It is so.", Support.NONE, OnPage.ABSENT)], [False]),
        ([cited(1, "It is so.", Support.SUPPORTED), cited(2, "It is so.", Support.NEEDS_EYE)], [True]),
    ],
)
def test_a_quotation_without_a_claim_says_what_it_quotes(
    citations: list[CheckedQuote], said: list[bool]
) -> None:
    assert statements(answered(*citations)) == said


def test_a_search_that_finds_nothing_is_worth_nothing() -> None:
    gold = [Gold(piece=0, span=Span(document=1, start=0, end=10))]
    needed = Needed(kind=Kind.SINGLE, gold=gold, chunks=frozenset({1}), pages=[], words={})
    assert _measured([], needed)["relevance_at_5"] == 0.0
