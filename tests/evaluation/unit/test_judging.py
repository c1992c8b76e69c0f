"""What a judge is asked about: sentences, each with words."""

from desks.evaluation.runs.judging import sentences


def test_what_a_citation_leaves_behind_is_no_statement() -> None:
    assert sentences("It is ninety days.  . \n The fee is 12 euro.") == [
        "It is ninety days.",
        "The fee is 12 euro.",
    ]
