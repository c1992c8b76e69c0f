"""What a field says of a value that it does not take."""

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
OFFERED = "Choose one of those that are offered."


def always_says(allowed: str) -> dict[str, str]:
    """The error messages of a field that says what is allowed, whatever is wrong. allowed: a sentence."""
    return dict.fromkeys(_WRONG, allowed)


def whole_number(low: int, high: int, unit: str = "") -> dict[str, str]:
    """For a field with these limits. unit: in the plural, such as "characters"."""
    return always_says(f"A whole number{f' of {unit}' if unit else ''}, from {low:,} to {high:,}.")
