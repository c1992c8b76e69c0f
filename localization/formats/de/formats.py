"""How numbers and dates are written in German; the names are those that Django looks for."""

DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
NUMBER_GROUPING = 3

globals().update(
    {
        "j M": "j. M",
        "j F": "j. F",
        "j M Y": "j. M Y",
        "j F Y": "j. F Y",
        "F Y": "F Y",
        "j M, H:i e": "j. M, H:i e",
        "j M Y H:i e": "j. M Y H:i e",
        "j F, H:i e": "j. F, H:i e",
        "j F Y, H:i e": "j. F Y, H:i e",
        "j F Y, H:i": "j. F Y, H:i",
    }
)
