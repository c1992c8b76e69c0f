"""The filters beside the results: the documents, types of files and datasources to choose from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Func, TextField
from django.db.models.functions import Lower
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from datasources.in_use.tags import most_frequent
from datasources.models import Datasource, Document
from reader.search.asked import Asked, is_tag

MOST_TYPES = 20
MOST_TAGS = 40
MOST_DOCUMENTS = 100
ENDING = Func(
    Lower("filename"), template="SUBSTRING(%(expressions)s FROM '[.]([^.]+)$')", output_field=TextField()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A box to tick. `count`: passages found there, or documents of that type; None where nobody looked."""

    value: str
    label: str
    count: int | None
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSet:
    """A filter that is set: what the page calls it, in short what it lets pass, the search without it."""

    name: str
    passes: str
    without: Asked


def filters_set(asked: Asked, boxes: Mapping[str, Sequence[Choice]]) -> list[FilterSet]:
    """boxes: those of each filter that has some, ticked and not, by its name."""
    typed = {
        "day added": _days(asked.since, asked.until),
        "day written": _days(asked.written_since, asked.written_until),
        "written by": asked.written_by,
        "sent to": asked.sent_to,
    }
    return [
        FilterSet(
            name=name,
            passes=_in_short(boxes[name]) if name in boxes else typed[name],
            without=asked.without(name),
        )
        for name in asked.filters_set
    ]


def _in_short(boxes: Sequence[Choice]) -> str:
    ticked = [box.label for box in boxes if box.on]
    return ticked[0] if len(ticked) == 1 else str(len(ticked) or _("none"))


def _days(first: date | None, last: date | None) -> str:
    since, until = (day and date_format(day, "j M Y") for day in (first, last))
    if since and until:
        return _("{first} to {last}").format(first=since, last=until)
    return _("since {day}").format(day=since) if since else _("until {day}").format(day=until)


def documents(datasources: Sequence[Datasource], counts: Mapping[int, int], asked: Asked) -> list[Choice]:
    """Those that are chosen, then those with most passages. counts: passages by document."""
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
    every = most_frequent([each.pk for each in datasources], MOST_TAGS)
    counts = {tag: count for tag, count in every if is_tag(tag)}
    shown, ticked = set(map(str.lower, counts)), set(map(str.lower, asked.tags))
    return [
        Choice(value=tag, label=tag, count=count, on=tag.lower() in ticked) for tag, count in counts.items()
    ] + [choice for choice in ticked_tags(asked) if choice.value.lower() not in shown]


def types(datasources: Sequence[Datasource], asked: Asked) -> list[Choice]:
    """Endings of the names of ready files, the most frequent first, and what is ticked."""
    ready = Document.objects.ready().filter(datasource__in=datasources).annotate(ending=ENDING)
    endings = ready.exclude(ending__isnull=True).values_list("ending")
    shown = [
        Choice(value=ending, label=ending.upper(), count=count, on=ending in asked.types)
        for ending, count in endings.annotate(count=Count("pk")).order_by("-count", "ending")[:MOST_TYPES]
    ]
    known = {choice.value for choice in shown}
    return shown + [choice for choice in ticked_types(asked) if choice.value not in known]


def datasources(every: Sequence[Datasource], counts: Mapping[int, int], asked: Asked) -> list[Choice]:
    """counts: passages, by datasource that was searched."""
    return [
        Choice(
            value=str(each.pk), label=each.name, count=counts.get(each.pk), on=each.pk in asked.datasources
        )
        for each in every
    ]
