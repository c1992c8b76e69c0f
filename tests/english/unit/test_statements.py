"""Plain statements: their subject, verb and the rest, and what stands alone."""

import pytest

from english.statements import is_referring, plain_subject, statement_of

WRITTEN = {"Acme", "depot", "tenant", "new"}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Acme opened a depot in Leeds", "did Acme open a depot in Leeds"),
        ("The Tenant must pay the rent", "must the Tenant pay the rent"),
        ("The new depot was built in Leeds", "was the new depot built in Leeds"),
        ("Acme rose by half", "did Acme rise by half"),
    ],
)
def test_a_statement_is_put_as_after_when(said, asked):
    statement = statement_of(said, WRITTEN)

    assert statement is not None
    assert statement.asked() == asked


@pytest.mark.parametrize(
    "said",
    [
        "Shares issued by Acme fell",  # issued is no verb of its own
        "It opened a depot",
        "Acme opened a shop and sold tea",
        "In Leeds",
    ],
)
def test_what_is_not_plain_is_left_alone(said):
    assert statement_of(said, WRITTEN) is None


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The Supplier", "the Supplier"),
        ("New depot", "new depot"),
        ("The gap", ""),  # which one, only its own text tells
        ("This agreement", ""),
        ("May report", ""),
        ("Depots, shops", ""),
    ],
)
def test_a_subject_stands_alone_or_is_none(text, subject):
    assert plain_subject(text, WRITTEN) == subject


def test_a_question_that_points_back_is_told():
    assert is_referring("When does it end?")
    assert not is_referring("When does the lease end?")
