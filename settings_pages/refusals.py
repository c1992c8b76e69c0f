"""What a field says of a value that it does not take."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from localization.numbers import lazy_numeral
from localization.promises import StrOrPromise

_WRONG = (
    "required",
    "invalid",
    "min_value",
    "max_value",
    "max_digits",
    "max_whole_digits",
    "max_decimal_places",
    "invalid_choice",
    "invalid_list",
)
OFFERED = gettext_lazy("Choose one of those that are offered.")


def always_says(allowed: StrOrPromise) -> dict[str, StrOrPromise]:
    """The error messages of a field that says what is allowed, whatever is wrong. allowed: a sentence."""
    return dict.fromkeys(_WRONG, allowed)


def whole_number(low: int, high: int, unit: str = "") -> dict[str, StrOrPromise]:
    """For a field with these limits. unit: characters, or none."""
    said = {
        "": gettext_lazy("A whole number, from {low} to {high}."),
        "characters": gettext_lazy("A whole number of characters, from {low} to {high}."),
    }
    return always_says(format_lazy(said[unit], low=lazy_numeral(low), high=lazy_numeral(high)))
