"""The day on which a contract says that it was made, and the one from which it has effect. Pure."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Self

from english.dates import DAY, day_of

_MADE = re.compile(
    rf"\bThis\s[\w. ]{{1,80}}?\s(?:is|was)\s(?:made|dated|signed|entered\sinto)\s"
    rf"(?:on\s|as\sof\s|this\s){{0,2}}{DAY}"
)
_EFFECT = re.compile(
    r"\b(?:takes?\seffect|has\seffect|[Ww]ith\seffect|is\seffective|comes?\sinto\s(?:force|effect))"
    rf"\s(?:(?:on|from|as)\s|and\s|of\s){{1,4}}{DAY}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """made: of a contract. effect: the day from which it holds. None for what its text does not say."""

    made: date | None
    effect: date | None

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(made=day_made(text), effect=day_of_effect(text))


def day_made(text: str) -> date | None:
    """“This Agreement is made on 3 February 2025”; None where a text says no such day."""
    return _day(_MADE, text)


def day_of_effect(text: str) -> date | None:
    """“This Amendment takes effect on 1 January 2026”."""
    return _day(_EFFECT, text)


def _day(pattern: re.Pattern[str], text: str) -> date | None:
    found = pattern.search(" ".join(text.split()))
    try:
        return date(*day_of(found)) if found else None
    except ValueError:  # a 31st of June
        return None
