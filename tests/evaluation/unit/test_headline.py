"""Three numbers of a run: which results count as found, right and wrong, and which one looks at first."""

import pytest

from desks.evaluation.models import Kind, Question, Result, Run
from desks.evaluation.reports.headline import Became, became, headline_of, worth_a_look
from desks.evaluation.web.headline import parted

ANSWERS, SEARCHES = Run(frozen={"answers": True}), Run(frozen={"answers": False})


def result(kind: Kind = Kind.SINGLE, outcome: str = "answered", error: str = "", **scores: float) -> Result:
    return Result(question=Question(kind=kind, text="Why?"), outcome=outcome, error=error, scores=scores)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (result(completeness=1.0, relevance=0.2), Became.RIGHT),
        (result(completeness=0.5, relevance=0.2), Became.PARTLY),
        (result(completeness=0.0, relevance=0.2), Became.WRONG),
        (result(outcome="not_found", completeness=0.0, relevance=0.0), Became.MISSED),
        (result(outcome="not_found", completeness=0.0, relevance=0.1), Became.UNUSED),
        (result(error="The server is away."), Became.FAILED),
        (result(), Became.UNMEASURED),
        (result(Kind.NONE, outcome="not_found"), Became.RIGHT),
        (result(Kind.NONE), Became.WRONG),
    ],
)
def test_what_became_of_a_question(given: Result, expected: Became) -> None:
    assert became(given) == expected


def test_questions_are_counted_and_the_wrong_ones_come_first() -> None:
    right, missed = result(completeness=1.0, relevance=1.0), result(outcome="not_found", relevance=0.0)
    wrong, invented = result(completeness=0.0, relevance=0.5), result(Kind.NONE)
    results = [right, missed, wrong, invented]
    told = headline_of(ANSWERS, results)
    assert (told.asked, told.with_source, told.found, told.right, told.wrong, told.refused) == (
        4,
        3,
        2,
        1,
        2,
        1,
    )
    assert told.is_small
    assert [look.result for look in worth_a_look(ANSWERS, results)] == [wrong, invented, missed]


def test_a_run_that_only_searched_has_no_right_and_no_wrong_answers() -> None:
    found, lost = result(outcome="searched", hit_at_5=1.0), result(outcome="searched", hit_at_5=0.0)
    absent = result(Kind.NONE, outcome="searched")
    told = headline_of(SEARCHES, [found, lost, absent])
    assert (told.found, told.with_source, told.right, told.wrong) == (1, 2, 0, 0)
    assert [look.result for look in worth_a_look(SEARCHES, [found, lost, absent])] == [lost]


def test_what_begins_alike_is_shown_from_where_it_parts() -> None:
    clause = "16.3 The Supplier shall delete all Customer Data, including every backup, within 45 days after "
    said, expected = parted(
        f"{clause} the end. It pays nothing.", f"{clause} the end. {'Perth and Newport. ' * 20}"
    )
    assert said == "… days after the end. It pays nothing"
    assert expected.startswith("… days after the end. Perth and Newport.")
    assert parted("In May.", "In June.") == ("In May", "In June")
