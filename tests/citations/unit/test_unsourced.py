"""Which sentences of an answer have no citation."""

import pytest

from citations.unsourced import sentences_without_source


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("It ends in May ⟦1⟧. Dogs are great. So are cats.", ["Dogs are great.", "So are cats."]),
        ("It ends in May. ⟦1⟧ ⟦2⟧ It began in June, says Dr. Smith ⟦3⟧.", []),
        ("It ends in May.⟦1⟧", []),
        ("It ends in May ⟦1⟧, and that\nis all there is to it.", []),
        (
            "## What it says\n\n**Notice**\n\nThe rules are these:\n\n- It ends ⟦1⟧\n- It goes on for ever\n",
            ["It goes on for ever"],
        ),
        (
            "| Year | Total of sales |\n|---|---|\n"
            "| 2022 | 5 million in all ⟦1⟧ |\n| 2023 | 6 million in all |",
            ["| 2023 | 6 million in all |"],
        ),
        ("Yes. Do you want more of it?", []),
        ("> It ends in May, they say. ⟦1⟧\n> That is a long time off.", ["That is a long time off."]),
        ("```\nlet it be code here\n```\n", []),
        ("1. It ends in May ⟦1⟧.\n2. It has no other end.", ["It has no other end."]),
        ("", []),
    ],
)
def test_sentences_without_a_citation(answer: str, found: list[str]) -> None:
    assert sentences_without_source(answer) == found
