"""The names of months in English texts."""

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
# With the full stop of a short name, which ends no sentence.
MONTH_STOPPED = rf"(?:(?:Jan|Feb|Mar|Apr|June?|July?|Aug|Sept?|Oct|Nov|Dec)\.|{MONTH})"
_SHORT_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def month_number(name: str) -> int:
    """1 to 12, of what MONTH matches."""
    return _SHORT_NAMES.index(name[:3].lower()) + 1
