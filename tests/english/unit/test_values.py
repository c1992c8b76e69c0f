"""Values that a text states."""

import pytest

from english.values import COUNT, DATE, DURATION, MEASURE, MONEY, OFTEN, PERCENT, TIME, values_in


@pytest.mark.parametrize(
    ("text", "kind", "number", "unit"),
    [
        ("within thirty (30) days", DURATION, 720, "hour"),
        ("a term of two years", DURATION, 24, "month"),
        ("a sum of $1.5 million", MONEY, 1_500_000, "$"),
        ("95 per cent of it", PERCENT, 95, "%"),
        ("on 3 May 2024", DATE, 503, "day"),
        ("at 5.30 p.m.", TIME, 1050, ""),
        ("twice a month", OFTEN, 24, ""),
        ("a weight of 2 kg", MEASURE, 2000, "g"),
        ("two kilograms of it", MEASURE, 2000, "g"),
        ("of 12 servers", COUNT, 12, "server"),
    ],
)
def test_a_value_has_its_kind_and_is_told_in_one_unit(text, kind, number, unit):
    (value,) = values_in(text)

    assert (value.kind, value.number, value.unit) == (kind, number, unit)


@pytest.mark.parametrize(
    "text", ["see clause 12.2", "priority 1", "company no. 04417722", "9 Canal Street Mews"]
)
def test_what_is_numbered_is_not_counted(text):
    assert values_in(text) == []


def test_one_price_is_per_month_and_the_other_is_not():
    each, once = values_in("It costs £5 per user per month."), values_in("It costs £5.")

    assert each[0].per == "month user"
    assert not each[0].comparable(once[0])


def test_a_month_may_have_as_many_days_as_are_told():
    assert values_in("for 30 days")[0].same_as(values_in("for a term of one month")[0])
