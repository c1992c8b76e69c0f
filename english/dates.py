"""Days, months and years in English texts: "July 1" is "1 July"."""

import re

from english.quantities import Quantity, in_order

MONTHS = in_order("January February March April May June July August September October November December")
# A short name and the whole one, in small letters; "mar" and "may" are words of their own.
SHORT_NAMES = {month[:3].lower(): month.lower() for month in MONTHS if month not in ("March", "May")}
SHORT_NAMES["sept"] = "september"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_BY_LETTERS = {month[:3].lower(): number for month, number in MONTHS.items()}
# Patterns. MONTH: its name, in full or short.
MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
# With the full stop of a short name, which ends no sentence.
MONTH_STOPPED = rf"(?:(?:Jan|Feb|Mar|Apr|June?|July?|Aug|Sept?|Oct|Nov|Dec)\.|{MONTH})"
CALENDAR = re.compile(rf"{MONTH}|{'|'.join(WEEKDAYS)}")  # the name of a month or a weekday
YEAR = r"(?:1[89]|20)\d\d"
RECENT_YEAR = r"(?:19|20)\d\d"
NTH = r"\d{1,2}(?:st|nd|rd|th)?"
# As far as one is told: a day with its month, a month with its year, a year alone.
DATE = re.compile(
    rf"\b{NTH} (?:day of )?{MONTH}\b(?:,? \d{{4}})?|\b{MONTH}\.? {NTH}(?:,? \d{{4}})?\b"
    rf"|\b{MONTH},? \d{{4}}\b|\b{YEAR}\b"
)
# With the groups day, month and year, or day2, month2 and year2: "3rd day of February 2025", "May 4, 2019".
DAY = (
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:day of\s+)?(?P<month>{MONTH})\.?,?\s+"
    rf"(?P<year>{YEAR})"
    rf"|(?P<month2>{MONTH})\.?\s+(?P<day2>\d{{1,2}}),?\s+(?P<year2>{YEAR}))\b"
)
_OF_MONTH = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_ANY_YEAR = r"(?:1[6-9]|20)\d\d"
MONTH_DAY = re.compile(
    rf"\b(?:(?P<iso>{_ANY_YEAR})-(?P<im>\d\d)-(?P<id>\d\d)|(?P<um>\d{{1,2}})/(?P<ud>\d{{1,2}})/(?P<uy>\d{{4}}|\d\d)"
    rf"|(?P<d1>{_OF_MONTH})\s+(?:of\s+)?(?P<m1>{MONTH_STOPPED})(?![\w])(?:,?\s+(?P<y1>{_ANY_YEAR})\b)?"
    rf"|(?P<m2>{MONTH_STOPPED})\s+(?P<d2>{_OF_MONTH})\b(?![,.]?\d)(?!\s*%)(?:,?\s+(?P<y2>{_ANY_YEAR})\b)?"
    rf"|(?P<m3>{MONTH_STOPPED})(?:\s+of)?,?\s+(?P<y3>{_ANY_YEAR})\b)",
    re.IGNORECASE,
)
DAY_OR_MONTH = "day or month"  # the unit of 4/3, which is the third of April or the fourth of March


def month_number(name: str) -> int:
    """1 to 12, of what MONTH matches."""
    return _BY_LETTERS[name[:3].lower()]


def day_of(match: re.Match[str]) -> tuple[int, int, int]:
    """Year, month and day of a match of DAY."""
    month = month_number(match["month"] or match["month2"])
    return int(match["year"] or match["year2"]), month, int(match["day"] or match["day2"])


def date_of(match: re.Match[str]) -> list[Quantity]:
    """Day of the year (month * 100 + day; or month alone) and year of a match of MONTH_DAY, as far as it
    says. Of 4/3/2021 nobody can tell which is the month.
    """
    if match["iso"]:
        month, day, year = int(match["im"]), int(match["id"]), match["iso"]
    elif match["uy"]:
        month, day, year = int(match["um"]), int(match["ud"]), match["uy"]
        year = year if len(year) == 4 else f"20{year}"
        if month <= 12 and day <= 12 and month != day:
            return [
                Quantity(value=month * 100 + day, unit=DAY_OR_MONTH),
                Quantity(value=float(year), unit="year"),
            ]
        month, day = (day, month) if month > 12 else (month, day)
    else:
        number = match["d1"] or match["d2"]
        month = month_number(match["m1"] or match["m2"] or match["m3"])
        day = int(re.sub(r"\D", "", number)) if number else 0
        year = match["y1"] or match["y2"] or match["y3"]
    parts = [Quantity(value=month * 100 + day, unit="day") if day else Quantity(value=month, unit="month")]
    return [*parts, Quantity(value=float(year), unit="year")] if year else parts
