"""Limits are read alike on pages and over REST: figures of any script, written as people write them."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from rest_framework.serializers import ValidationError as Refused

from batches.budget import LEAST_MONEY
from datasources.api import number_fields as of_rest
from datasources.numbers import LARGEST, amount, amount_typed, whole_typed
from datasources.web import number_fields as of_pages

WHOLE = [
    *[("100", 100), (" 100 ", 100), ("١٠٠", 100), ("१००", 100), ("1,000,000", 1_000_000), ("1 000", 1000)],
    *[("1_0", None), ("1e5", None), ("-1", None), ("+1", None), ("1.5", None), ("1,5", None), ("²", None)],
    *[("0", None), ("٠", None), ("9" * 40, None), ("NaN", None), ("ten", None)],
]
AMOUNTS = [
    *[("10", Decimal(10)), ("١٠", Decimal(10)), ("١٫٥", Decimal("1.5")), ("1.50", Decimal("1.5"))],
    *[(".5", Decimal("0.5")), ("5.", Decimal(5)), (" 2 ", Decimal(2))],
    *[("1_0", None), ("1e5", None), ("1E-2", None), ("1,5", None), ("-1", None), ("+1", None)],
    *[("0", None), ("٠", None), ("0.00", None), (".", None), ("Infinity", None), ("NaN", None)],
]


def on_a_page(field: Any, text: str) -> Any:
    try:
        return field.clean(text)
    except ValidationError:
        return None


def over_rest(field: Any, text: str) -> Any:
    try:
        return field.run_validation(text)
    except Refused:
        return None


@pytest.mark.parametrize(("text", "number"), WHOLE)
def test_a_limit_of_tokens_is_read_alike(text: str, number: int | None) -> None:
    assert on_a_page(of_pages.WholeField(min_value=1, max_value=LARGEST), text) == number
    assert over_rest(of_rest.WholeField(min_value=1, max_value=LARGEST), text) == number


@pytest.mark.parametrize(("text", "number"), AMOUNTS)
def test_a_limit_of_money_is_read_alike(text: str, number: Decimal | None) -> None:
    given: dict[str, Any] = {"min_value": LEAST_MONEY, "max_digits": 12, "decimal_places": 6}
    assert on_a_page(of_pages.AmountField(**given), text) == number
    assert over_rest(of_rest.AmountField(**given), text) == number


def test_numbers_of_json_are_taken_as_they_are() -> None:
    assert over_rest(of_rest.WholeField(min_value=1), 100) == 100  # type: ignore[arg-type]
    assert over_rest(of_rest.AmountField(12, 6), 1.5) == Decimal("1.5")  # type: ignore[arg-type]


def test_a_command_line_reads_as_pages_do() -> None:
    assert amount(100)("١٫٥") == Decimal("1.5")
    with pytest.raises(Exception, match="is not an amount above 0"):
        amount(100)("1e1")


def test_a_number_without_an_end_is_none() -> None:
    assert whole_typed("9" * 5000) is None
    assert amount_typed("9" * 5000) is None
