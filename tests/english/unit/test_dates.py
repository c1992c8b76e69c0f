"""Days, months and years in English texts."""

import re

import pytest

from english.dates import DAY, DAY_OR_MONTH, MONTH, MONTH_DAY, MONTHS, SHORT_NAMES, date_of, month_number


@pytest.mark.parametrize("month", MONTHS)
def test_a_month_is_known_by_its_name_and_by_the_short_one(month):
    assert re.fullmatch(MONTH, month)
    assert re.fullmatch(MONTH, month[:3])
    assert month_number(month) == month_number(month[:3]) == MONTHS[month]


def test_a_word_that_is_no_month_alone_is_not_written_out_as_one():
    assert SHORT_NAMES["sept"] == "september"
    assert "mar" not in SHORT_NAMES  # "to mar the view"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1 July 2024", [(701, "day"), (2024, "year")]),
        ("July 1, 2024", [(701, "day"), (2024, "year")]),
        ("2024-07-01", [(701, "day"), (2024, "year")]),
        ("the 3rd of Feb.", [(203, "day")]),
        ("Sept 2019", [(9, "month"), (2019, "year")]),
        ("25/12/21", [(1225, "day"), (2021, "year")]),
        ("4/3/2021", [(403, DAY_OR_MONTH), (2021, "year")]),
    ],
)
def test_a_date_has_one_value_however_it_is_written(text, values):
    found = MONTH_DAY.search(text)

    assert found is not None
    assert [(part.value, part.unit) for part in date_of(found)] == values


def test_a_percentage_behind_a_month_is_no_day():
    assert MONTH_DAY.search("sales in May 5 % above April") is None


@pytest.mark.parametrize("text", ["3rd day of February 2025", "3 February 2025", "February 3, 2025"])
def test_a_day_of_a_contract_has_day_month_and_year(text):
    found = re.fullmatch(DAY, text)

    assert found is not None
    parts = [found[name] or found[f"{name}2"] for name in ("day", "month", "year")]
    assert parts == ["3", "February", "2025"]
