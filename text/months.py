"""The names of months in English texts."""

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
# With the full stop of a short name, which ends no sentence.
MONTH_STOPPED = rf"(?:(?:Jan|Feb|Mar|Apr|June?|July?|Aug|Sept?|Oct|Nov|Dec)\.|{MONTH})"
# With the groups day, month and year, or day2, month2 and year2: "3rd day of February 2025", "May 4, 2019".
DAY = (
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:day of\s+)?(?P<month>{MONTH})\.?,?\s+"
    r"(?P<year>(?:19|20)\d\d)"
    rf"|(?P<month2>{MONTH})\.?\s+(?P<day2>\d{{1,2}}),?\s+(?P<year2>(?:19|20)\d\d))\b"
)
_SHORT_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def month_number(name: str) -> int:
    """1 to 12, of what MONTH matches."""
    return _SHORT_NAMES.index(name[:3].lower()) + 1
