"""Earlier turns as a model reads them."""

import pytest

from chat.models import Turn, TurnStatus
from chat.turns.history import as_messages
from citations.marks import mark, without_marks


def turn(status: TurnStatus, question: str = "Why?", answer: str = "") -> Turn:
    return Turn(status=status, question=question, answer=answer)


def test_question_and_answer_of_each_turn_follow_each_other_in_order() -> None:
    told = as_messages(
        [turn(TurnStatus.ANSWERED, "Why?", "Because."), turn(TurnStatus.PARTIAL, "How?", "Like that.")]
    )
    assert [(one.role, one.content) for one in told] == [
        ("user", "Why?"),
        ("assistant", "Because."),
        ("user", "How?"),
        ("assistant", "Like that."),
    ]


@pytest.mark.parametrize(
    "status", [TurnStatus.QUEUED, TurnStatus.RUNNING, TurnStatus.FAILED, TurnStatus.STOPPED]
)
def test_a_turn_without_an_answer_is_not_told(status: TurnStatus) -> None:
    assert as_messages([turn(status, answer="Half an ans")]) == []


def test_a_turn_that_found_nothing_is_told_in_words() -> None:
    _, said = as_messages([turn(TurnStatus.NOT_FOUND)])
    assert said.content == TurnStatus.NOT_FOUND.label


def test_citation_marks_are_not_shown_to_a_model() -> None:
    assert without_marks(f"Kept{mark(1)} for long{mark(23)}.") == "Kept for long."
    _, said = as_messages([turn(TurnStatus.ANSWERED, answer=f"Kept. {mark(1)}")])
    assert mark(1) not in str(said.content)
