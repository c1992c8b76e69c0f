"""The days on which documents were added, as bars above the date filter."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count

from datasources.models import Datasource, Document
from reader.search.asked import Asked

BARS, BAR, HIGHEST = 12, 14, 32  # how many bars, and the width and height of one


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """How many documents were added in a stretch of time; `on`: whether the filter lets some of them pass."""

    left: int
    height: int
    on: bool

    @property
    def top(self) -> int:
        return HIGHEST - self.height


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """`bars` are stretches of equal length from the first day to the last."""

    first: date
    last: date
    bars: Sequence[Bar]


def days_of(datasources: Sequence[Datasource], asked: Asked) -> Days | None:
    """When ready documents were added; None where all came on one day."""
    ready = Document.objects.ready().filter(datasource__in=datasources).order_by()
    by_day = dict(ready.values_list("created__date").annotate(Count("pk")))
    if len(by_day) < 2:
        return None
    first, last = min(by_day), max(by_day)
    counts: Counter[int] = Counter()
    for day, count in by_day.items():
        counts[_bar_of(day, first, last)] += count
    step = ((last - first).days + 1) / BARS
    edges = [first + timedelta(days=math.ceil(n * step)) for n in range(BARS + 1)]
    most = max(counts.values())
    return Days(
        first=first,
        last=last,
        bars=[
            Bar(
                left=n * BAR,
                height=math.ceil(HIGHEST * counts[n] / most),
                on=counts[n] > 0
                and (asked.since is None or edges[n + 1] > asked.since)
                and (asked.until is None or edges[n] <= asked.until),
            )
            for n in range(BARS)
        ],
    )


def _bar_of(day: date, first: date, last: date) -> int:
    return (day - first).days * BARS // ((last - first).days + 1)
