"""The times that questions and documents speak of."""

import pytest

from english.periods import Periods, period_terms, times_in, unnamed_years, without_times


def test_a_year_is_one_however_it_is_written():
    assert Periods.of("FY22").years == Periods.of("fiscal 2022").years == {"2022"}
    assert Periods.of("fiscal years 2021 and 2022").fiscal == {"2021", "2022"}


@pytest.mark.parametrize("text", ["Q3", "3Q 2022", "the third quarter", "third fiscal quarter", "Q3'22"])
def test_a_quarter_is_one_however_it_is_written(text):
    assert Periods.of(text).quarters == {3}
    assert "q3" in period_terms(text)


def test_a_day_is_one_whichever_stands_first():
    assert Periods.of("July 1, 2023").dates == Periods.of("1 July 2023").dates == {(2023, 7, 1)}


def test_what_a_question_only_reckons_from_is_not_what_it_is_about():
    assert not Periods.asked("What has changed since 2019?")
    assert Periods.asked("What changed in 2019?").years == {"2019"}


def test_times_are_told_and_left_out_again():
    asked = "What were net sales in the third quarter of 2022?"

    assert times_in(asked) == ["third quarter", "2022"]
    assert without_times(asked, Periods.of("Q1 2021")).split() == ["What", "were", "net", "sales", "?"]


def test_years_that_no_text_names_are_missing():
    assert unnamed_years("Sales in 2021 and fiscal 2022?", ["In fiscal 2021 sales fell."]) == "fiscal 2022"
