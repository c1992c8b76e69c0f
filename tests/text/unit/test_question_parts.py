"""Several questions in one: told apart where each says what it is about, and left as they are elsewhere."""

import time

import pytest

from text.question_parts import LONGEST, parts


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Who is responsible for information security, and what does “Supplier” mean?",
            ["Who is responsible for information security", "what does “Supplier” mean?"],
        ),
        ("Who wrote Hamlet and who composed Tosca?", ["Who wrote Hamlet", "who composed Tosca?"]),
        (
            "By how much did net sales fall, and in which year was the head office sold?",
            ["By how much did net sales fall", "in which year was the head office sold?"],
        ),
        (
            "How long is the grace period for payments? Who owns the new data centre?",
            ["How long is the grace period for payments?", "Who owns the new data centre?"],
        ),
        (
            "Wie hoch ist die Miete, und wer zahlt die Nebenkosten der Wohnung?",
            ["Wie hoch ist die Miete", "wer zahlt die Nebenkosten der Wohnung?"],
        ),
        (
            "Quel est le loyer mensuel, et qui paie les charges communes?",
            ["Quel est le loyer mensuel", "qui paie les charges communes?"],
        ),
    ],
)
def test_each_question_stands_by_itself(question: str, expected: list[str]) -> None:
    assert parts(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "How high is the rent?",
        "Which contracts, leases and licences expire in 2024?",
        "When does the lease of the old mill end, and who may end it early?",  # "it" is in the first part
        "How much did Apple spend on research in 2023, and what were the priorities?",  # of the spending
        "When was the singer born who is known for her husky voice and who recorded Diamond Cut?",
        "In the second quarter of 2023, what was the chief factor behind the change of the net income?",
        "Between Iain Banks and Irwin Shaw, which writer has had a more diverse career?",
        "Has there been a shift in Intel's operating costs? If so, what are the main causes for the shift?",
        "What is the impact of exchange rates on Apple's results? List the impact for each reported period.",
        "and what?",
        "???",
        "",
        "and what is due " * LONGEST,
    ],
)
def test_what_leans_on_another_part_is_not_cut_off(question: str) -> None:
    assert parts(question) == []


def test_a_text_made_of_joints_takes_no_time() -> None:
    begun = time.process_time()
    parts(", and what" * (LONGEST // 10))
    assert time.process_time() - begun < 1
