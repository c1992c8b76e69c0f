"""Tokens per day as bars in an SVG: numbers for the template, in the units of its view box."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format

from datasources.templatetags.amounts import many
from providers.spending.models import Purpose
from svq_site.usage.report import Report

# The view box is 970 wide and 150 high.
LEFT, RIGHT, TOP, BOTTOM = 42.0, 958.0, 16.0, 128.0
LABELS = 6  # of days, at most
ORDER = (
    Purpose.INDEXING,
    Purpose.ANSWERS,
    Purpose.TABLES,
    Purpose.EVALUATION,
    Purpose.ASSESSMENT,
    Purpose.TESTS,
)  # from the bottom up


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    css: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A label of an axis, and its place on it."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    bars: Sequence[Bar]
    levels: Sequence[Mark]
    days: Sequence[Mark]
    purposes: Sequence[Purpose]  # that occur


def chart_of(report: Report) -> Chart:
    columns = list(zip(*(report.by_purpose[purpose] for purpose in ORDER), strict=True))
    top = _round_up(max(map(sum, columns), default=0))
    step = (RIGHT - LEFT) / len(columns)
    bars: list[Bar] = []
    for index, column in enumerate(columns):
        floor = BOTTOM
        for purpose, tokens in zip(ORDER, column, strict=True):
            height = (BOTTOM - TOP) * tokens / top
            if tokens:
                bars.append(
                    Bar(
                        x=LEFT + index * step + step * 0.08,
                        y=floor - height,
                        width=step * 0.84,
                        height=max(height, 1.0),
                        css=str(purpose),
                    )
                )
            floor -= height
    every = max(1, math.ceil(len(columns) / LABELS))
    shown = range(len(columns) - 1, -1, -every)
    return Chart(
        bars=bars,
        levels=[
            Mark(at=BOTTOM - (BOTTOM - TOP) * share, text=many(round(top * share))) for share in (0, 0.5, 1)
        ],
        days=[Mark(at=LEFT + (index + 0.5) * step, text=_day(report.days[index])) for index in shown],
        purposes=[purpose for purpose in ORDER if any(report.by_purpose[purpose])],
    )


def _round_up(tokens: int) -> int:
    """The next 1, 2 or 5 with zeros, 10 at least."""
    scale = 10 ** max(1, len(str(max(tokens, 1))) - 1)
    return next(factor * scale for factor in (1, 2, 5, 10) if factor * scale >= tokens)


def _day(day: date) -> str:
    return date_format(day, "j M")
