"""Dates, time limits and sums of money of a statement. Pure."""

import re
from collections.abc import Iterator
from datetime import date

from digest.points import Kind, Point
from english.values import DATE, DURATION, MONEY, Value, values_in

# What makes a limit of a span of time; a "twelve months" in a sentence about figures is none.
_LIMITS = re.compile(
    r"\b(?:within|not? (?:later|less|more|fewer|earlier|longer) than|at least|at most|at the latest|up to"
    r"|(?:minimum|maximum|period|term)s? of|until|after|before|exceed(?:s|ing)?|during|every|on|for)"
    r"\s+(?:the\s+|a\s+|an\s+)?$",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"^['’]?s?\s+(?:prior\s+|written\s+|advance\s+|clear\s+)*(?:notice|warning)", re.IGNORECASE
)
_FIGURE = re.compile(r"^\W*[$€£¥]?\s?\d[\d.,]*\s*%?\)?\s*[$€£¥]?\s*$")  # "39,669 $": the sign of the next one
_REACH = 40  # characters before a span of time


def values(text: str, first: int, last: int) -> Iterator[Point]:
    said = text[first:last]
    for value in values_in(said):
        point = _point(value, said, first, last)
        if point:
            yield point


def _point(value: Value, said: str, first: int, last: int) -> Point | None:
    kind = _kind(value, said)
    if kind is None:
        return None
    day, month_alone = _day(value) if kind == Kind.DATE else (None, False)
    if kind == Kind.DATE and day is None:
        return None
    return Point(
        kind=kind,
        label=" ".join(said[value.start : value.end].split()),
        first=first,
        last=last,
        start=first + value.start,
        end=first + value.end,
        day=day,
        month_alone=month_alone,
    )


def _is_one_of_a_row(said: str) -> bool:
    """Whether it stands in a table with figures side by side: their unit is in its heads, not beside them."""
    cells = said.split("\t")
    return sum(bool(_FIGURE.search(cell)) for cell in cells[1:]) > 1


def _kind(value: Value, said: str) -> Kind | None:
    if value.kind == DATE:
        return Kind.DATE
    if value.kind == MONEY and value.unit:
        return None if _is_one_of_a_row(said) else Kind.AMOUNT
    if value.kind != DURATION:
        return None
    before, after = said[max(0, value.start - _REACH) : value.start], said[value.end :]
    return Kind.LIMIT if _LIMITS.search(before) or _NOTICE.match(after) else None


def _day(value: Value) -> tuple[date | None, bool]:
    """The day, and whether only its month is told; None without a year."""
    month, day = divmod(int(value.number), 100)
    try:
        return date(int(value.year), month, day or 1), not day
    except ValueError:
        return None, False
