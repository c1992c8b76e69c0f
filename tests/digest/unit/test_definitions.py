"""What the words of a quote mean, as their document defines them."""

from digest.definitions import defined_in
from digest.reading import PageText

PAGES = [
    PageText(
        number=1,
        text=(
            "1.1 In this Agreement:\n“Charges” means the sums in Schedule 2. “Working Day” means a day other "
            "than a Saturday. Hallowmere Foods Limited (the “Customer”) signs."
        ),
    ),
    PageText(
        number=2,
        text="“Charges” means something else here. “Order Form” means the form in Schedule 3.",
    ),
]


def said(words: str) -> list[tuple[str, int, str]]:
    return [(each.point.label, each.page, each.statement) for each in defined_in(words, PAGES)]


def test_each_term_is_told_once_where_it_is_defined_first() -> None:
    assert said("The Customer pays the Charges within ten Working Days.") == [
        ("Customer", 1, "Hallowmere Foods Limited (the “Customer”) signs."),
        ("Charges", 1, "“Charges” means the sums in Schedule 2."),
        ("Working Day", 1, "“Working Day” means a day other than a Saturday."),
    ]


def test_words_that_only_look_alike_are_no_terms() -> None:
    assert said("It charges nothing, and customers work all days. Discharges and Orders Form a line.") == []
    assert said("") == []
