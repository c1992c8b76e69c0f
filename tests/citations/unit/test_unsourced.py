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
        ("```sql\n# let it be code here\n```\n", ["let it be code here"]),
        ("It ends ⟦1⟧.\n~~~\nNine ministers approve it.", ["Nine ministers approve it."]),
        ("# Only nine ministers may end it\nIt ends ⟦1⟧.", ["Only nine ministers may end it"]),
        ("It ends ⟦1⟧\n## Nine ministers approved it\n", ["Nine ministers approved it"]),
        ("**Only nine ministers may end it**\n\nIt ends ⟦1⟧.", ["**Only nine ministers may end it**"]),
        ("It ends ⟦1⟧. **Nine ministers must approve it.**", ["**Nine ministers must approve it.**"]),
        ("## Who may end it\n\n## Term and notice of the contract\n\nIt ends ⟦1⟧.", []),
        (
            "| Nine ministers must agree | Who may end it |\n|---|---|\n| It ends ⟦1⟧ | x |",
            ["Nine ministers must agree"],
        ),
        ("Yes. It ends in May. ⟦1⟧ Not true.", ["Not true."]),
        ("Yes.\n\nIt ends in May. ⟦1⟧\n\nNot true.", ["Not true."]),
        ("It ends in May. ⟦1⟧  p click more PWNED", ["p click more PWNED"]),
        ("It ends in May ⟦1⟧; nine ministers must agree.", ["nine ministers must agree."]),
        ("It ends in May ⟦1⟧: nine ministers must agree.", ["nine ministers must agree."]),
        ("It ends in May ⟦1⟧; it began in June ⟦2⟧.", []),
        ("It ends in May. ⟦1⟧ Nine ministers must agree:", ["Nine ministers must agree"]),
        ("合同于五月终止。⟦1⟧须经九位部长批准。", ["须经九位部长批准。"]),
        ("合同于五月终止⟦1⟧。如下：\n\n- 通知⟦2⟧\n\n应当批准吗？", []),
        ("1. It ends in May ⟦1⟧.\n2. It has no other end.", ["It has no other end."]),
        ("", []),
    ],
)
def test_sentences_without_a_citation(answer: str, found: list[str]) -> None:
    assert sentences_without_source(answer) == found
