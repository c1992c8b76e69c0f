"""Values that a text states: spans of time, sums, rates, dates, times of day, frequencies, measures, counts.

Of each where it stands, and what it is in one unit.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass

from english.dates import MONTH, MONTH_DAY, RECENT_YEAR, date_of, month_number
from english.lexicon import root
from english.measures import MEASURED, base_of_unit
from english.quantities import NUMBER, NUMBER_WORDS, NUMBERS, UNIT_OF_TIME, number_of
from text.word_lists import words

# Kinds, as turns, REST and exports name them.
DURATION, MONEY, PERCENT, DATE, TIME = "duration", "amount", "percent", "date", "time"
COUNT, MEASURE, OFTEN = "count", "measure", "frequency"

_HOURS = {"second": 1 / 3600, "minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0}
_MONTHS = {"month": 1.0, "quarter": 3.0, "year": 12.0}
_A_YEAR = {
    "minute": 525_600.0,
    "hour": 8_760.0,
    "day": 365.0,
    "week": 52.0,
    "month": 12.0,
    "quarter": 4.0,
    "year": 1.0,
}
_ADVERBS = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
}
_SPAN = re.compile(
    r"[\s)]{0,3}(?:(?:full|clear|consecutive|calendar|(?P<working>business|working|bank))\s+)?"
    rf"(?P<unit>{UNIT_OF_TIME})s?\b(?!['’]?\s+(?:old|ago))",
    re.IGNORECASE,
)
# "The first nine months of fiscal year 2023" is a time of which something is told, and no span of time.
_OF_A_REPORT = re.compile(r"\b(?:first|last)\s+$", re.IGNORECASE)
_PERIOD_ENDS = re.compile(
    rf"\s+(?:of (?:the )?(?:fiscal|financial|calendar|{RECENT_YEAR})|ended)\b", re.IGNORECASE
)
BEFORE = 10  # characters
# "within one hour", "a week's notice": these have no figure that NUMBER would find.
_ONE = re.compile(
    rf"\b(?:within|for|after|than|least|lasts?|takes?|once|of)\s+(?P<one>an?|one)\s(?P<unit>{UNIT_OF_TIME})\b(?!\s+(?:old|ago))",
    re.IGNORECASE,
)
_TIMES = rf"(?:(?P<once>once|twice)|(?<![\d.,$€£¥])(?P<times>\d{{1,4}}|{NUMBER_WORDS})\s+times)"
_PER = rf"(?:an?|per|each|every|in (?:an?|every|each|any))\s+(?:\w+\s+)?(?P<unit>{UNIT_OF_TIME})s?\b"
_OFTEN = re.compile(
    rf"\b{_TIMES}\s+{_PER}|\b(?:every|each)\s+(?:(?P<number>\d+|{NUMBER_WORDS}|other|second)\s+)?(?P<each>{UNIT_OF_TIME})s?\b"
    rf"|\b(?P<adverb>{'|'.join(_ADVERBS)})\b(?!\s+(?:rent|fee|charge|payment|instal|salary|income|rate|price|cost|report|meeting))",
    re.IGNORECASE,
)
_MONTH_ALONE = re.compile(  # without its year only as "the end of February"
    rf"\b(?P<last>end of\s+)?(?P<month>{MONTH})\b(?:\.?,?\s+(?P<year>{RECENT_YEAR})\b|(?(last)|(?!)))"
)
_HOUR_WORDS = {word: number for word, number in NUMBERS.items() if number <= 12}
_CLOCK = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])[:.](?P<minute>[0-5]\d)\b(?!\s?%)(?:\s?(?P<half>[ap])\.?m\b)?"
    rf"|\b(?P<hour12>1[0-2]|[1-9]|{'|'.join(_HOUR_WORDS)})\s?"
    r"(?:(?P<half12>[ap])\.?m\b|o['’]clock)",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(
    rf"\b(?:(?P<hour>1[0-2]|[1-9]|{'|'.join(_HOUR_WORDS)}) (?:o['’]clock )?"
    r"in the (?P<part>morning|afternoon|evening)"
    r"|(?:12 )?(?P<twelve>noon|midnight))\b",
    re.IGNORECASE,
)
_NOON = {"noon": 720.0, "midnight": 1440.0}
_SHARES = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10}
_PART = re.compile(
    rf"\b(?:an?\s+|one\s+)?(?P<share>{'|'.join(_SHARES)})\s+(?:of\s+(?:the|your|its|their|all|an?)\b|(?:an?\s+(?P<unit>hour|day|year|month)\b|the\b))",
    re.IGNORECASE,
)
# What is numbered, not counted: "clause 12.2", "priority 1", "version 3".
_LABEL = re.compile(
    r"(?:§|\b(?:clauses?|sections?|sec\.|articles?|art\.|schedules?|annex(?:es)?|appendix|exhibits?|pages?"
    r"|chapters?|paragraphs?|versions?|v|no\.?|number|level|priority|severity|tier|class|category|part|tables?|figures?|fig\.?"
    r"|items?|notes?|steps?|phase|stage|type|group|grade|room|building|floor|unit|suite|flat|form|rule|regulation|directive|iso"
    r"|iec|questions?|box|bus|line|gate|amendment|edition|release|rev\.?|revision|lecture|sample"
    r"|points?))\s*#?\s*$",
    re.IGNORECASE,
)
# ... and those behind the first: "clauses 15.3, 15.4 and 17.2".
_LISTED = re.compile(
    r"\b(?:clauses|sections|articles|schedules|annexes|paragraphs|pages|parts|tables|figures|rules)\s+"
    r"[\w.()]{1,8}(?:(?:,|\s+(?:and|or|to))\s+[\d.()]{1,8}){0,20}(?:,|,?\s+(?:and|or|to))\s+$",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"^\W*(?:\d{1,3}(?:\.\d{1,3})+[.)]?|\d{1,3}[.)]|[A-Z]\d{1,3}[.)]?|\([a-z]\))(?=\s+[\"“(]?[A-Z](?:[a-z]|\s))"
    r"|(?<=[\"“])\d{1,3}(?:\.\d{1,3})+\.?(?=\s+[A-Z])|^\W*\d{1,3}(?:\.\d{1,3})*[.)]?\W*$"
)
# Figures of a name, an address or a register: "9 Canal Street", "04417722".
_OF_A_NAME = re.compile(r"\s[A-Z][a-z]+\s[A-Z][a-z]+")
_REGISTERED = re.compile(r"0\d{3,}")
_COUNTED = re.compile(r"\s{0,2}(?:[a-z][\w’-]*\s+){0,2}?(?P<noun>[a-z]{4,})\b")
_NOUNLESS = words(
    """and or of in on at to for from by with than as per each every is are was were be been the this that
    which who when if until before after within under over hundred thousand million billion percent cent upon
    shall will may must can"""
)
_IN_BRACKETS = re.compile(r"\(\d{1,2}\)$")
_JOINED = re.compile(r"[\w./-]")  # right before a number: it is a part of a code
_JOINED_BEHIND = re.compile(r"[./-]?\w")
# A number as other countries write it, of which NUMBER finds a part: "1.200,50", "1 200", "1'200".
_FOREIGN_BEFORE, _FOREIGN_BEHIND = re.compile(r"\d[.,'’\s]$"), re.compile(r"[.,'’]\d|\s\d{3}\b")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")  # "1.000" may be a thousand or one
_ABOVE = re.compile(r"\s*(?:points?\s+)?(?:above|below|over|under)\b")  # of something that isn't stated here
_EACH = re.compile(
    r"\s*(?:(?:an?|per|(?:for )?(?:each|every)|/)\s*(?P<each>second|minute|hour|day|night|week|month|quarter"
    r"|year|annum|user|person|head|seat|unit|item|piece|km|kilometre|kwh|kilowatt[ -]hour)s?\b"
    r"|(?P<adverb>p\.\s?a\.|annually|yearly|monthly|weekly|daily))",
    re.IGNORECASE,
)
_EACH_ALIKE = {
    "annum": "year",
    "kilowatt hour": "kwh",
    "kilowatt-hour": "kwh",
    "p.a.": "year",
    "p. a.": "year",
    "annually": "year",
    "yearly": "year",
    "monthly": "month",
}
_SAME = 1e-9
_NO_LEAP_YEAR = 2025
_WITH_WEEKENDS, _HOLIDAYS = 7 / 5, 5 * 24.0  # days that so many working days take, and hours on top


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """text[start:end] states it.

    number: hours or months of a span of time (`unit`: "hour" or "month"), times a year, the sum of money, the
    day of a date as month * 100 + day (its month alone as month * 100), minutes of a time of day. unit: a
    currency, or by its root what is counted; empty where nothing is named. year: of a date; 0 for none.
    per: for each of what a sum or a rate is.
    """

    kind: str
    number: float
    unit: str
    start: int
    end: int
    year: float = 0.0
    per: str = ""

    def same_as(self, other: "Value") -> bool:
        """Whether both may be true of one thing: the same in another unit, or without a currency."""
        if self.kind == DURATION and self.unit != other.unit and "working hour" in (self.unit, other.unit):
            return self._fits_days_off(other)
        if self.kind == DURATION and self.unit != other.unit:
            hours, months = (self, other) if self.unit == "hour" else (other, self)
            return months.number * 28 * 24 <= hours.number <= months.number * 31 * 24
        if self.kind == DATE:
            same_year = 0.0 in (self.year, other.year) or self.year == other.year
            if self.unit == other.unit:
                return same_year and self.number == other.number
            return same_year and self.number // 100 == other.number // 100
        units = self.unit == other.unit or "" in (self.unit, other.unit)
        return units and abs(self.number - other.number) <= _SAME * max(
            abs(self.number), abs(other.number), 1
        )

    def _fits_days_off(self, other: "Value") -> bool:
        """Whether working days may be this time by the calendar: how many days off there are nobody can tell,
        but hardly more than weekends and a few holidays. With months, nobody can tell.
        """
        working, calendar = (self, other) if self.unit == "working hour" else (other, self)
        if calendar.unit != "hour":
            return True
        return working.number <= calendar.number <= _WITH_WEEKENDS * working.number + _HOLIDAYS

    def comparable(self, other: "Value") -> bool:
        """Whether one may be held against the other: counts only if they count the same, sums only in one
        currency, as what costs pounds here and dollars there is hardly ever the same thing.
        """
        if self.kind != other.kind:
            return False
        if self.per != other.per:
            return False
        if self.kind == MEASURE:
            return self.unit == other.unit
        return self.kind not in (COUNT, MONEY) or self.unit == other.unit or "" in (self.unit, other.unit)


def values_in(text: str) -> list[Value]:
    """In the order of the text."""
    found: list[Value] = []
    taken = bytearray(len(text))
    for values in (_dates, _clock_in_words, _clock, _parts, _often, _numbers, _single):
        for value in values(text):
            if not any(taken[value.start : value.end]):
                found.append(value)
                taken[value.start : value.end] = b"x" * (value.end - value.start)
    return sorted(found, key=lambda value: value.start)


def _dates(text: str) -> Iterator[Value]:
    for match in MONTH_DAY.finditer(text):
        parts = {part.unit: part.value for part in date_of(match)}
        if "day" in parts:
            year = parts.get("year", 0.0)
            yield Value(
                kind=DATE, number=parts["day"], unit="day", year=year, start=match.start(), end=match.end()
            )
    for match in _MONTH_ALONE.finditer(text):
        month, year = month_number(match["month"]), int(match["year"] or 0)
        day = monthrange(year or _NO_LEAP_YEAR, month)[1] if match["last"] else 0
        yield Value(
            kind=DATE,
            number=month * 100.0 + day,
            unit="day" if day else "month",
            year=float(year),
            start=match.start(),
            end=match.end(),
        )


def _parts(text: str) -> Iterator[Value]:
    """Half an hour, a third of something."""
    for match in _PART.finditer(text):
        share = _SHARES[match["share"].lower()]
        if match["unit"]:
            value = _span(share, match["unit"], match.start(), match.end())
        else:
            value = Value(kind=PERCENT, number=100 * share, unit="%", start=match.start(), end=match.end())
        yield value


def _clock_in_words(text: str) -> Iterator[Value]:
    """Three in the morning, noon."""
    for match in _IN_WORDS.finditer(text):
        if match["twelve"]:
            minutes = _NOON[match["twelve"].lower()]
        else:
            hour = match["hour"].lower()
            minutes = 60.0 * (_HOUR_WORDS.get(hour) or int(hour)) % 720
            minutes += 0 if match["part"].lower() == "morning" else 720
        yield Value(kind=TIME, number=minutes, unit="", start=match.start(), end=match.end())


def _clock(text: str) -> Iterator[Value]:
    for match in _CLOCK.finditer(text):
        hour = match["hour"] or match["hour12"]
        minutes = 60.0 * (_HOUR_WORDS.get(hour.lower()) or int(hour)) + int(match["minute"] or 0)
        if match["hour"] and not (match["half"] or ":" in match[0]):
            continue  # "16.30" may be a sum, and "12.2" a clause
        half = (match["half"] or match["half12"] or "").lower()
        if half == "p" and minutes < 720:
            minutes += 720
        elif match["hour12"] and not half and minutes < 420:
            minutes += 720  # five o'clock is in the afternoon
        yield Value(kind=TIME, number=minutes, unit="", start=match.start(), end=match.end())


def _often(text: str) -> Iterator[Value]:
    for match in _OFTEN.finditer(text):
        if number := match["once"] or match["times"]:
            times, unit = _figure(number), match["unit"]
        elif match["adverb"]:
            times, unit = 1.0, _ADVERBS[match["adverb"].lower()]
        else:
            times, unit = 1 / _figure(match["number"] or "one"), match["each"]
        unit = unit.lower().replace("night", "day")
        if unit in _A_YEAR:
            yield Value(
                kind=OFTEN, number=times * _A_YEAR[unit], unit="", start=match.start(), end=match.end()
            )


def _figure(word: str) -> float:
    known = {"once": 1.0, "twice": 2.0, "other": 2.0, "second": 2.0, "one": 1.0}
    if (low := word.lower()) in known:
        return known[low]
    found = NUMBER.search(word)
    return max(number_of(found).value, 1.0) if found else 1.0


def _numbers(text: str) -> Iterator[Value]:
    numbering = [found.span() for found in _NUMBERING.finditer(text)]
    for match in NUMBER.finditer(text):
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        if any(first <= start < last for first, last in numbering) or _LABEL.search(
            text, max(0, start - 20), start
        ):
            continue
        if _LISTED.search(text, max(0, start - 160), start):
            continue
        end = match.start() + len(match[0].rstrip())
        if _FOREIGN_BEFORE.search(text[max(0, start - 2) : start]) or _FOREIGN_BEHIND.match(text, end):
            continue
        if _THOUSANDS.fullmatch(match["digits"] or "") or _ABOVE.match(text, end):
            continue
        quantity = number_of(match)
        number = abs(quantity.value)
        if quantity.unit in ("%", "pp", "bp"):
            yield Value(
                kind=PERCENT, number=number, unit=quantity.unit, per=_per(text, end), start=start, end=end
            )
        elif quantity.unit == "year":
            continue
        elif quantity.unit:
            cents = quantity.unit == "¢"
            unit = "" if cents else quantity.unit
            number = number / 100 if cents else number
            yield Value(kind=MONEY, number=number, unit=unit, per=_per(text, end), start=start, end=end)
        elif span := _SPAN.match(text, end):
            if _is_period(text, start, span.end()):
                continue
            yield _span(number, span["unit"], start, span.end(), working=bool(span["working"]))
        elif measured := MEASURED.match(text, end):
            factor, unit = base_of_unit(measured["unit"])
            yield Value(kind=MEASURE, number=number * factor, unit=unit, start=start, end=measured.end())
        elif not _JOINED.match(text[start - 1 : start]) and not _JOINED_BEHIND.match(text, end):
            if _REGISTERED.fullmatch(match["digits"] or "") or (
                match["digits"] and _OF_A_NAME.match(text, end)
            ):
                continue
            if match[0].strip().lower() == "one":  # as often no figure: "one of the parties"
                continue
            if _IN_BRACKETS.search(
                text[max(0, start - 1) : end + 1].rstrip()
            ):  # "between (1) Acme and (2) Brandt"
                continue
            counted = _COUNTED.match(text, end)
            noun = counted["noun"] if counted and counted["noun"] not in _NOUNLESS else ""
            unit = root(noun) if noun else ""
            per = _per(text, counted.end()) if counted and noun else ""
            yield Value(kind=COUNT, number=number, unit=unit, per=per, start=start, end=end)


def _per(text: str, end: int) -> str:
    """For each of what a sum or a rate is: "month user" of "$5 per user per month"; empty if not said."""
    each: list[str] = []
    while found := _EACH.match(text, end):
        named = (found["each"] or found["adverb"]).lower()
        each.append(_EACH_ALIKE.get(named, named))
        end = found.end()
    return " ".join(sorted(each))


def _single(text: str) -> Iterator[Value]:
    for match in _ONE.finditer(text):
        yield _span(1.0, match["unit"], match.start("one"), match.end())


def _is_period(text: str, start: int, end: int) -> bool:
    return bool(_OF_A_REPORT.search(text[max(0, start - BEFORE) : start]) and _PERIOD_ENDS.match(text, end))


def _span(number: float, unit: str, start: int, end: int, *, working: bool = False) -> Value:
    unit = unit.lower().replace("night", "day")
    if unit in _HOURS:
        of = "working hour" if working else "hour"
        return Value(kind=DURATION, number=number * _HOURS[unit], unit=of, start=start, end=end)
    return Value(kind=DURATION, number=number * _MONTHS[unit], unit="month", start=start, end=end)
