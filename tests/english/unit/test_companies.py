"""How companies are named."""

import re

import pytest

from english.companies import CALLS_ITSELF, FORM, FORM_OR_COMPANY, LEGAL_FORMS


@pytest.mark.parametrize("form", ["Inc", "Limited", "plc", "GmbH"])
def test_a_legal_form_is_known_by_its_pattern_and_its_word(form):
    assert re.fullmatch(FORM, form)
    assert form.lower() in LEGAL_FORMS


def test_company_is_a_part_of_a_name_as_people_say_it():
    assert re.fullmatch(FORM_OR_COMPANY, "Company")
    assert not re.fullmatch(FORM, "Company")


def test_a_report_calls_its_own_company_so():
    assert re.search(CALLS_ITSELF, "In May the Company sold it.")
    assert not re.search(CALLS_ITSELF, "In May a company sold it.")
