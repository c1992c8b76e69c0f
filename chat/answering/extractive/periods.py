"""The times that questions and documents speak of: years, quarters, spans such as nine months, dates."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from text.months import MONTH

_YEAR = re.compile(r"(?<![\d.,])(?:FY ?)?((?:1[89]|20)\d\d)(?![\d,]\d)|\bFY ?'?(\d\d)\b")
_FISCAL = re.compile(
    r"\bfiscal(?: years?)?((?:,? (?:and )?(?:19|20)\d\d\b)+)|\bFY ?'?((?:20)?\d\d)\b", re.IGNORECASE
)
# "since 2019" asks for what came later; "from 1 January 2026" is the day of which something is told.
_REFERENCE = re.compile(
    r"\b(?:(?:since|after|before|until|till|by|than|until the end of)\s+(?:\w+\s+){0,2}|from\s+(?:\w+\s+)?)"
    r"(?:1[89]|20)\d\d\b",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"\bQ([1-4])\b|\b([1-4])Q(?=\d|\b)|\b(first|second|third|fourth)[- ](?:fiscal )?quarters?\b",
    re.IGNORECASE,
)
_BEFORE_TIME = r"(?:\b(?:in|for|of|during)\s+)?(?:\bthe\s+)?(?:\bfiscal\s+(?:year\s+)?)?"
_ORDINALS = ("first", "second", "third", "fourth")
_SPAN = re.compile(r"\b(three|six|nine|twelve)[- ](?:and (\w+)[- ])?months?\b", re.IGNORECASE)
_QUARTER_ENDED = re.compile(r"\bquarter(?:ly period)? ended\b", re.IGNORECASE)
_DATE = re.compile(
    rf"\b(\d{{1,2}}) ({MONTH})\.?,? ((?:1[89]|20)\d\d)|\b({MONTH})\.? (\d{{1,2}}),? ((?:1[89]|20)\d\d)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Periods:
    """Each empty when the text says nothing of the kind."""

    years: frozenset[str]
    fiscal: frozenset[str]  # those years that are called fiscal
    quarters: frozenset[int]
    spans: frozenset[str]
    dates: frozenset[tuple[str, str, str]]  # day, the first letters of the month, year

    @classmethod
    def of(cls, text: str) -> Self:
        spans = {word.lower() for found in _SPAN.findall(text) for word in found if word}
        return cls(
            years=frozenset(full or f"20{short}" for full, short in _YEAR.findall(text)),
            fiscal=frozenset(year for found in _FISCAL.findall(text) for year in _fiscal_years(found)),
            quarters=frozenset(map(_quarter, _QUARTER.findall(text))),
            spans=frozenset(spans | ({"three"} if _QUARTER_ENDED.search(text) else set())),
            dates=frozenset(map(_date, _DATE.findall(text))),
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
    return [found[0] for pattern in (_DATE, _QUARTER, _SPAN, _YEAR) for found in pattern.finditer(asked)]


def without_times(text: str, other: Periods) -> str:
    """The text without its years, quarters and spans, of each kind that the others name."""
    for named, pattern in (
        (other.dates, _DATE),
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


def _quarter(found: tuple[str, str, str]) -> int:
    letter, short, word = found
    return _ORDINALS.index(word.lower()) + 1 if word else int(letter or short)


def _date(found: tuple[str, ...]) -> tuple[str, str, str]:
    day, month, year = found[:3] if found[0] else (found[4], found[3], found[5])
    return day, month[:3], year
