"""A suggested question says of which document it speaks, where several are there."""

import pytest

from answering.suggestions.which_document import told_apart

OTHER = 'The Agreement ends in May. The Supplier delivers. "Fees" means the sums due.'


@pytest.mark.parametrize(
    ("question", "others", "offered"),
    [
        ("What do the authors propose?", [], "What do the authors propose?"),
        ("What do the authors propose?", [OTHER], "What do the authors propose, according to “Kilns”?"),
        ("When does the agreement end?", [OTHER], "When does the agreement end, according to “Kilns”?"),
        ("When does the lease end?", [OTHER], "When does the lease end?"),
        ("What must the Supplier pay?", [OTHER], "What must the Supplier pay, according to “Kilns”?"),
        ("What must the Tenant pay?", [OTHER], "What must the Tenant pay?"),
        ("What does “Fees” mean?", [OTHER], "What does “Fees” mean, according to “Kilns”?"),
        ("What does “Rent” mean?", [OTHER], "What does “Rent” mean?"),
        ("How hot is the glaze of Brixworth?", [OTHER], "How hot is the glaze of Brixworth?"),
    ],
)
def test_what_may_be_of_another_document_is_told_apart(
    question: str, others: list[str], offered: str
) -> None:
    assert told_apart(question, "Kilns", others) == offered


def test_a_title_that_is_too_long_to_be_said_leaves_the_question_out() -> None:
    assert told_apart("What do the authors propose?", "Kilns " * 20, [OTHER]) == ""


@pytest.mark.parametrize(
    "title",
    [
        "reports__pdf__kilns-fast",
        "kiln_report_final",
        "Kilns.pdf",
        "kilns-of-brixworth-final",
        "scan20250314113059",
    ],
)
def test_no_question_names_a_file(title: str) -> None:
    assert told_apart("What do the authors propose?", title, [OTHER]) == ""


def test_a_title_with_a_hyphen_is_no_files_name() -> None:
    asked = told_apart("What do the authors propose?", "Wood-fired kilns, 2024-2025", [OTHER])
    assert asked == "What do the authors propose, according to “Wood-fired kilns, 2024-2025”?"
