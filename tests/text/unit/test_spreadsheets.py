"""Cells that a spreadsheet shows as they are, and what was in them before."""

import pytest

from text.tables.spreadsheets import escaped, inert, unescaped


@pytest.mark.parametrize("text", ["=1+1", "+49 30", "-5 %", "@SUM(A1)", "\tindented", "\rback"])
def test_what_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert inert(text) == f"'{text}" == escaped(text)


@pytest.mark.parametrize("value", ["plain", "5 - 3", "'tis", "", 7, None])
def test_everything_else_stays_as_it_is(value: object) -> None:
    assert inert(value) == value


@pytest.mark.parametrize("text", ["=1+1", "'=1+1", "'tis", "''", "'", "", "plain", "\t'x"])
def test_an_escaped_cell_is_read_back_as_it_was(text: str) -> None:
    assert unescaped(escaped(text)) == text
