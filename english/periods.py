"""The times that questions and documents speak of: years, quarters, spans such as nine months, dates.

"FY22" and "fiscal 2022" are of one year.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from english.dates import DAY, RECENT_YEAR, YEAR, day_of
from english.quantities import ORDINALS

_YEAR = re.compile(rf"(?<![\d.,])(?:FY ?)?({YEAR})(?![\d,]\d)|\bFY ?'?(\d\d)\b")
_FISCAL = re.compile(
    rf"\bfiscal(?: years?)?((?:,? (?:and )?{RECENT_YEAR}\b)+)|\bFY ?'?((?:20)?\d\d)\b", re.IGNORECASE
)
_SHORT_YEAR = re.compile(
    rf"\b(?:FY|CY|[QH][1-4]|[1-4]Q)[ -]?['’]?({RECENT_YEAR}|\d\d)\b|\b({RECENT_YEAR})(?=[QH][1-4]\b)",
    re.IGNORECASE,
)
# "since 2019" asks for what came later; "from 1 January 2026" is the day of which something is told.
_REFERENCE = re.compile(
    r"\b(?:(?:since|after|before|until|till|by|than|until the end of)\s+(?:\w+\s+){0,2}|from\s+(?:\w+\s+)?)"
    rf"{YEAR}\b",
    re.IGNORECASE,
)
_ANY_QUARTER = (
    r"(?<![^\W\d_])(?:Q([1-4])|(?<!\d)([1-4])Q)(?=\b|_|['’]?\d\d)"
    r"|\b(first|second|third|fourth)[- ](?:fiscal )?quarter"
)
_QUARTER = re.compile(rf"{_ANY_QUARTER}s?\b", re.IGNORECASE)
_QUARTER_TERM = re.compile(rf"{_ANY_QUARTER}\b", re.IGNORECASE)  # as the index of words holds them
_BEFORE_TIME = r"(?:\b(?:in|for|of|during)\s+)?(?:\bthe\s+)?(?:\bfiscal\s+(?:year\s+)?)?"
_SPAN = re.compile(r"\b(three|six|nine|twelve)[- ](?:and (\w+)[- ])?months?\b", re.IGNORECASE)
_QUARTER_ENDED = re.compile(r"\bquarter(?:ly period)? ended\b", re.IGNORECASE)
_DAY = re.compile(rf"\b{DAY}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Periods:
    """Each empty when the text says nothing of the kind."""

    years: frozenset[str]
    fiscal: frozenset[str]  # those years that are called fiscal
    quarters: frozenset[int]
    spans: frozenset[str]
    dates: frozenset[tuple[int, int, int]]  # year, month, day

    @classmethod
    def of(cls, text: str) -> Self:
        spans = {word.lower() for found in _SPAN.findall(text) for word in found if word}
        return cls(
            years=frozenset(full or f"20{short}" for full, short in _YEAR.findall(text)),
            fiscal=frozenset(year for found in _FISCAL.findall(text) for year in _fiscal_years(found)),
            quarters=frozenset(_quarters(_QUARTER, text)),
            spans=frozenset(spans | ({"three"} if _QUARTER_ENDED.search(text) else set())),
            dates=frozenset(map(day_of, _DAY.finditer(text))),
        )

    @classmethod
    def asked(cls, question: str) -> Self:
        """Those that an answer must be about."""
        return cls.of(_REFERENCE.sub(" ", question))

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.years or self.fiscal or self.quarters or self.spans or self.dates)

    def met_by(self, words: "Periods", title: "Periods") -> bool:
        """Whether a text may be about these periods: its own words, or the title above it, name them, or
        neither names any.
        """
        if self.fiscal and words.fiscal and not self.fiscal & words.fiscal:
            return False
        if self.dates and words.dates and not self.dates & words.dates:
            return False
        if self.spans and words.spans and not self.spans & words.spans:
            return False
        if self.quarters and not words.quarters and words.spans and "three" not in words.spans:
            return False
        if self.quarters and (words.quarters or title.quarters):
            by_title = self.quarters & title.quarters and self._in_years(title.years | words.years)
            return bool(
                by_title or (self.quarters & words.quarters and self._in_years(words.years | title.years))
            )
        return self._in_years(words.years | title.years)

    def named_by(self, years: frozenset[str]) -> bool:
        """Whether a text of these years names one of the question's, or the question names none."""
        return not self.years or bool(self.years & years)

    def are_those_of(self, title: "Periods") -> bool:
        """Whether a title names the year asked for, and the quarter where one is asked for."""
        quarters = not self.quarters or bool(self.quarters & title.quarters)
        return bool(self.years & title.years) and quarters

    def _in_years(self, years: frozenset[str]) -> bool:
        return not self.years or not years or bool(self.years & years)


def unnamed_years(question: str, texts: Iterable[str]) -> str:
    """“2021 and fiscal 2022”: the years of a question that the texts don't name. A year need not be called
    fiscal where none is.
    """
    asked, told = Periods.asked(question), Periods.of(" ".join(texts))
    missing = asked.years - told.years
    if told.fiscal:
        missing |= asked.fiscal - told.fiscal
    return " and ".join(f"fiscal {year}" if year in asked.fiscal else year for year in sorted(missing))


def times_in(text: str) -> list[str]:
    """The words with which it tells the times that an answer must be about."""
    asked = _REFERENCE.sub(" ", text)
    return [found[0] for pattern in (_DAY, _QUARTER, _SPAN, _YEAR) for found in pattern.finditer(asked)]


def without_times(text: str, other: Periods) -> str:
    """The text without its years, quarters and spans, of each kind that the others name."""
    for named, pattern in (
        (other.dates, _DAY),
        (other.years, _YEAR),
        (other.quarters, _QUARTER),
        (other.spans, _SPAN),
    ):
        if named:
            text = re.sub(rf"{_BEFORE_TIME}(?:{pattern.pattern})", " ", text, flags=re.IGNORECASE)
    return text


def _fiscal_years(found: tuple[str, str]) -> list[str]:
    spelt, short = found
    return re.findall(r"\d{4}", spelt) if spelt else [short if len(short) == 4 else f"20{short}"]


def _quarters(pattern: re.Pattern[str], text: str) -> list[int]:
    found = pattern.findall(text)
    return [ORDINALS[word.lower()] if word else int(letter or figure) for letter, figure, word in found]


def period_terms(text: str) -> list[str]:
    """Terms of the years and quarters that a text names in short: "3Q 2022", "Q1'23", "third quarter"."""
    found = [after or before for after, before in _SHORT_YEAR.findall(text)]
    years = [year if len(year) == 4 else f"20{year}" for year in found]
    return list(dict.fromkeys([*years, *(f"q{number}" for number in _quarters(_QUARTER_TERM, text))]))
