"""The names of companies as a description says them."""

import pytest

from answering.suggestions.subject_of_document import short_name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("The Coca-Cola Company", "The Coca-Cola Company"),
        ("Ford Motor Company", "Ford Motor Company"),
        ("The Company", "The Company"),
        ("The Corporation", "The Corporation"),
        ("Tiffany & Co.", "Tiffany & Co."),
        (" Inc", " Inc"),
        ("Apple Inc.", "Apple"),
        ("Microsoft Corporation", "Microsoft"),
        ("Deutsche Bank AG", "Deutsche Bank"),
    ],
)
def test_a_legal_form_is_left_out_where_people_do_not_say_it(name: str, said: str) -> None:
    assert short_name(name) == said
