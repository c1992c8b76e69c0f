"""Years and quarters in the spellings of reports, as terms: "FY22" and "fiscal 2022" are of one year."""

import re

_YEAR = re.compile(
    r"\b(?:FY|CY|[QH][1-4]|[1-4]Q)[ -]?['’]?((?:19|20)\d\d|\d\d)\b|\b((?:19|20)\d\d)(?=[QH][1-4]\b)",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"(?<![^\W\d_])(?:Q([1-4])|(?<!\d)([1-4])Q)(?=\b|_|['’]?\d\d)"
    r"|\b(first|second|third|fourth)[- ](?:fiscal )?quarter\b",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth")


def period_terms(text: str) -> list[str]:
    """Terms of the years and quarters that a text names in short: "3Q 2022", "Q1'23", "third quarter"."""
    found = [after or before for after, before in _YEAR.findall(text)]
    years = [year if len(year) == 4 else f"20{year}" for year in found]
    quarters = [
        f"q{letter or figure or _ORDINALS.index(word.lower()) + 1}"
        for letter, figure, word in _QUARTER.findall(text)
    ]
    return list(dict.fromkeys([*years, *quarters]))
