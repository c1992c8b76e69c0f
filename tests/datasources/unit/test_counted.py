"""Counts within sentences have their own words where a language has another form there."""

from datasources.templatetags.amounts import WITHIN, counted_within
from tests.localization.pseudo import pseudo_language
from text import counted as in_english


def test_english_has_one_form() -> None:
    for noun in WITHIN:
        for number in (1, 2, 1284):
            assert counted_within(number, noun) == in_english.counted(number, noun)


def test_the_form_is_a_message_of_its_own() -> None:
    with pseudo_language():
        assert counted_within(1284, "document") == "⁅1.284 documents⁆"
