"""How fast documents are being read, by the event log of the last minutes, and how long they still take."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import IntegerField, Max, Min, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone

from datasources.models import Datasource, Document
from events.models import Event
from ingestion import progress
from ingestion.step import Step, steps

MEASURED = timedelta(minutes=2)
LEAST = 3.0  # seconds; what was measured for a shorter time says too little


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """What one document had done of one stage at the first and at the last event of it."""

    document: int
    stage: str
    first: datetime
    last: datetime
    done: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """Pages or chunks a second: `own` of a document in its present step, `usual` of a step, by status.

    `slow` are the statuses of the steps whose time counts.
    """

    own: Mapping[tuple[int, str], float]
    usual: Mapping[str, float]
    chunks_per_page: float
    slow: frozenset[str]


def throughput_of(datasource: Datasource) -> Throughput:
    now = timezone.now()
    stretches = stretches_of(datasource, now - MEASURED)
    usual = {}
    for stage in {stretch.stage for stretch in stretches}:
        some = [stretch for stretch in stretches if stretch.stage == stage]
        seconds = sum((stretch.last - stretch.first).total_seconds() for stretch in some)
        if seconds >= LEAST:
            usual[stage] = sum(stretch.done for stretch in some) / seconds
    cut = datasource.documents.current().filter(chunk_count__gt=0, page_count__gt=0)
    sums = cut.aggregate(chunks=Sum("chunk_count", default=0), pages=Sum("page_count", default=0))
    return Throughput(
        own={
            # Until now, not until the last event: a document that stands still gets slower.
            (stretch.document, stretch.stage): stretch.done / (now - stretch.first).total_seconds()
            for stretch in stretches
            if stretch.done and (now - stretch.first).total_seconds() >= LEAST
        },
        usual=usual,
        chunks_per_page=sums["chunks"] / sums["pages"] if sums["pages"] else 0.0,
        slow=frozenset(str(step.status) for step in steps() if step.takes_long(datasource)),
    )


def stretches_of(datasource: Datasource, since: datetime) -> list[Stretch]:
    events = Event.objects.filter(
        channel=progress.channel(datasource.pk),
        created__gt=since,
        data__status__in=[step.status for step in steps() if step.is_measured],
    )
    done = Cast(KT("data__done"), IntegerField())
    rows: Any = (
        events.order_by()
        .values(document=KT("data__document"), stage=KT("data__status"))
        .annotate(first=Min("created"), last=Max("created"), done=Max(done) - Min(done))
    )
    return [Stretch(**row | {"document": int(row["document"])}) for row in rows]


def seconds_left(document: Document, throughput: Throughput) -> float | None:
    """Until the document can be searched; None while that can't be told.

    The present stage goes on at the document's own speed, a later one at its usual speed.
    """
    own = throughput.own.get((document.pk, document.status))
    if not own:
        return None
    here = next(index for index, step in enumerate(steps()) if step.status == document.status)
    later = [
        _time_of(step, document, throughput) for step in steps()[here + 1 :] if step.status in throughput.slow
    ]
    known = [seconds for seconds in later if seconds is not None]
    now = (document.stage_total - document.stage_done) / own
    return now + sum(known) if len(known) == len(later) else None


def _time_of(step: Step, document: Document, throughput: Throughput) -> float | None:
    """Of a later step at its usual speed; chunks are guessed from pages until they are there."""
    units = getattr(document, step.counted) or (document.page_count or 0) * throughput.chunks_per_page
    usual = throughput.usual.get(step.status)
    return units / usual if units and usual else None


def as_words(seconds: float) -> str:
    """Such as “40 s”, “2 min” or “3 h”: rounded up, because nobody minds if it is sooner."""
    if seconds <= 55:
        return f"{max(5, -int(-seconds // 5) * 5)} s"
    minutes = -int(-seconds // 60)
    return f"{minutes} min" if minutes < 90 else f"{-(-minutes // 60)} h"
