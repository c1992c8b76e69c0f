"""When an export says a quote once, because the answer has the same words."""

import pytest

from chat.exports import same_words, stands_in_answer
from chat.models import Citation, Turn


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is 450 pounds", "The rent is 450\n pounds."),
        ("Rent | 450 | monthly", "| Rent | 450 | monthly |"),
        ("| Item | Price |\n| --- | ---: |\n| Rent | 450 |", "Item\tPrice\nRent\t450"),
        ("It is a “fair” price", 'It is a "fair" price'),
        ("a\\_b costs \\*much\\*", "a_b costs *much*"),
    ],
)
def test_a_row_and_its_cells_are_the_same_words(one: str, other: str) -> None:
    assert same_words(one) == same_words(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Net loss was €3.5m", "Net loss was €35m"),
        ("Net loss was -3.5 %", "Net loss was 3.5 %"),
        ("It costs $15 a day", "It costs €15 a day"),
        ("It is 15 %", "It is 15"),
        ("Pay 1,5 a day", "Pay 15 a day"),
        ("Rooms 1 5 and 6", "Rooms 15 and 6"),
    ],
)
def test_signs_that_change_what_is_said_are_no_dress(one: str, other: str) -> None:
    assert same_words(one) != same_words(other)


@pytest.mark.parametrize(
    ("answer", "quote", "stands"),
    [
        ("> Notice is given 5 days before. [1]", "5 days before.", True),
        ("> Notice is given 15 days before. [1]", "5 days before.", False),
    ],
)
def test_a_quote_does_not_stand_in_the_answer_as_part_of_a_longer_figure(
    answer: str, quote: str, stands: bool
) -> None:
    turn = Turn(answer=answer, quotes_only=True)
    turn._prefetched_objects_cache = {"citations": []}  # type: ignore[attr-defined]
    assert stands_in_answer(turn, Citation(quote=quote)) is stands
