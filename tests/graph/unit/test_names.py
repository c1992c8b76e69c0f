"""Spellings of one name meet under one key; names of different things do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.values.names import key, qualifier, qualifier_of_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Apple Inc.", "APPLE"),
        ("The Apple Company, Inc.", "apple"),
        ("Müller GmbH", "MULLER"),
        ("U.S.", "US"),
        ("J. P. Morgan", "JP Morgan"),
        ("Smith's", "Smith"),
        ("the Boss’ ", "Boss"),
        ("Micro-Soft", "Micro Soft"),
        ("  New\nYork ", "new york"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Section 4.2", "Section 42"),
        ("$3 billion", "€3 billion"),
        ("Madonna (book)", "Madonna"),
        ("Madonna (book)", "Madonna (singer)"),
        ("Apple", "Apples"),
        ("5%", "5"),
    ],
)
def test_different_names_keep_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize("name", ["The", "Inc", "Co.", "AG", "La"])
def test_a_name_of_nothing_but_article_or_legal_form_stays_a_name(name: str) -> None:
    assert key(name)


def test_a_qualifier_is_told_from_its_name() -> None:
    assert qualifier(" Madonna (book) ") == ("Madonna", "book")
    assert qualifier("Madonna") == ("Madonna", "")
    assert qualifier_of_key(key("Madonna (book)")) == ("madonna", "book")
    assert qualifier_of_key(key("Madonna")) == ("madonna", "")


@given(st.text(max_size=300))
def test_a_key_is_bounded_and_stable(name: str) -> None:
    assert len(key(name)) <= 200
    if any(letter.isalnum() and letter.isascii() for letter in name):
        assert key(name)
