"""How numbers and dates are written in French; the names are those that Django looks for."""

DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "\u202f"  # a narrow no-break space
NUMBER_GROUPING = 3

globals().update(
    {
        "j M": "j b",
        "j F": "j F",
        "j M Y": "j b Y",
        "j F Y": "j F Y",
        "F Y": "F Y",
        "j M, H:i e": "j b, H:i e",
        "j M Y H:i e": "j b Y H:i e",
        "j F, H:i e": "j F, H:i e",
        "j F Y, H:i e": "j F Y, H:i e",
        "j F Y, H:i": "j F Y, H:i",
    }
)
