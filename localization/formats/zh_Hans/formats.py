"""How numbers and dates are written in Simplified Chinese; the names are those that Django looks for."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3

globals().update(
    {
        "j M": "n月j日",
        "j F": "n月j日",
        "j M Y": "Y年n月j日",
        "j F Y": "Y年n月j日",
        "F Y": "Y年n月",
        "j M, H:i e": "n月j日 H:i e",
        "j M Y H:i e": "Y年n月j日 H:i e",
        "j F, H:i e": "n月j日 H:i e",
        "j F Y, H:i e": "Y年n月j日 H:i e",
        "j F Y, H:i": "Y年n月j日 H:i",
    }
)
