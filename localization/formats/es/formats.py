"""How numbers and dates are written in Spanish; the names are those that Django looks for."""

DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
NUMBER_GROUPING = 3

globals().update(
    {
        "j M": "j b",
        "j F": r"j \d\e F",
        "j M Y": "j b Y",
        "j F Y": r"j \d\e F \d\e Y",
        "F Y": r"F \d\e Y",
        "j M, H:i e": "j b, H:i e",
        "j M Y H:i e": "j b Y H:i e",
        "j F, H:i e": r"j \d\e F, H:i e",
        "j F Y, H:i e": r"j \d\e F \d\e Y, H:i e",
        "j F Y, H:i": r"j \d\e F \d\e Y, H:i",
    }
)
