"""The filters beside the results: the documents, types of files and datasources to choose from."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Func, TextField
from django.db.models.functions import Lower

from datasources.models import Datasource, Document
from reader.search.asked import Asked, is_tag
from retrieval.engine.filters import tags_of

MOST_TYPES = 20
MOST_TAGS = 40
MOST_DOCUMENTS = 100
BARS, BAR, HIGHEST = 12, 14, 32  # of the drawing of days: how many, and the width and height of one
ENDING = Func(
    Lower("filename"), template="SUBSTRING(%(expressions)s FROM '[.]([^.]+)$')", output_field=TextField()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A box to tick. `count`: passages found there, or documents of that type."""

    value: str
    label: str
    count: int
    on: bool


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


def documents(datasources: Sequence[Datasource], counts: Mapping[int, int], asked: Asked) -> list[Choice]:
    """Those with most passages, and before them those that are chosen. counts: passages by document."""
    most = sorted(counts, key=lambda pk: (-counts[pk], pk))[:MOST_DOCUMENTS]
    known = Document.objects.filter(pk__in={*most, *asked.documents}, datasource__in=datasources)
    rows = sorted(
        known.values_list("pk", "title"),
        key=lambda row: (row[0] not in asked.documents, -counts.get(row[0], 0), row[1]),
    )
    return [
        Choice(value=str(pk), label=title, count=counts.get(pk, 0), on=pk in asked.documents)
        for pk, title in rows
    ]


def left_out(counts: Mapping[int, int]) -> int:
    """How many documents with a passage have no box."""
    return max(0, len(counts) - MOST_DOCUMENTS)


def ticked_types(asked: Asked) -> list[Choice]:
    return [Choice(value=each, label=each.upper(), count=0, on=True) for each in sorted(asked.types)]


def ticked_tags(asked: Asked) -> list[Choice]:
    return [Choice(value=each, label=each, count=0, on=True) for each in sorted(asked.tags)]


def tags(datasources: Sequence[Datasource], asked: Asked) -> list[Choice]:
    """Those of ready documents, the most frequent first, and what is ticked."""
    every = tags_of([each.pk for each in datasources], MOST_TAGS)
    counts = {tag: count for tag, count in every if is_tag(tag)}
    return [
        Choice(value=tag, label=tag, count=count, on=tag in asked.tags) for tag, count in counts.items()
    ] + [choice for choice in ticked_tags(asked) if choice.value not in counts]


def types(datasources: Sequence[Datasource], asked: Asked) -> list[Choice]:
    """Endings of the names of ready files, the most frequent first."""
    ready = Document.objects.ready().filter(datasource__in=datasources).annotate(ending=ENDING)
    endings = ready.exclude(ending__isnull=True).values_list("ending")
    return [
        Choice(value=ending, label=ending.upper(), count=count, on=ending in asked.types)
        for ending, count in endings.annotate(count=Count("pk")).order_by("-count", "ending")[:MOST_TYPES]
    ]


def days_added(datasources: Sequence[Datasource], asked: Asked) -> Days | None:
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


def datasources(every: Sequence[Datasource], counts: Mapping[int, int], asked: Asked) -> list[Choice]:
    """counts: passages, by datasource."""
    return [
        Choice(
            value=str(each.pk), label=each.name, count=counts.get(each.pk, 0), on=each.pk in asked.datasources
        )
        for each in every
    ]
