"""What came of an order of questions, as the page of a set says it."""

from desks.evaluation.web.made_in_words import made_in_words


def test_each_kind_says_how_many_were_made_and_why_others_were_left_out() -> None:
    made = {
        "single": {
            "ordered": 20,
            "made": 18,
            "left_out": {"repeats another": 1, "the budget was used up": 1},
        },
        "none": {"ordered": 5, "made": 5, "left_out": {}},
    }
    assert made_in_words(made) == [
        "18 of 20 single-source, 1 left out, as it repeats another, 1 left out (the budget was used up)",
        "5 of 5 no-source",
    ]
