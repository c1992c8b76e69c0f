"""How fast documents are read, by the event log of the last minutes, and how long one or all still take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, IntegerField, Max, Min, Q, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _

from datasources.models import IN_PROGRESS, Datasource, Document
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

    `slow` are the names of the steps whose time counts: two steps share a status.
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
        slow=frozenset(step.name for step in steps() if step.takes_long(datasource)),
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
    at = next(index for index, step in enumerate(steps()) if step.status == document.status)
    here, later = steps()[at], steps()[at + 1 :]
    speed = throughput.own.get((document.pk, document.status)) or throughput.usual.get(document.status)
    speed = speed or here.expected_speed
    if not speed and here.is_measured:
        return None
    now = (document.stage_total - document.stage_done) / speed if speed else 0.0
    times = _times(later, document.page_count, document.chunk_count, throughput)
    if here.expected_speed:  # so slow a step that what is not known of later ones matters little
        times = [each for each in times if each is not None]
    return _sum([now, *times])


def _times(
    later: Sequence[Step], pages: int | None, chunks: int, throughput: Throughput
) -> list[float | None]:
    """Of the steps that take long, at their usual speed; chunks are guessed from the pages until then."""
    by_pages = {"page_count": pages or 0, "chunk_count": chunks or (pages or 0) * throughput.chunks_per_page}
    times: list[float | None] = []
    for step in later:
        if step.name in throughput.slow:
            units, usual = by_pages[step.counted], throughput.usual.get(step.status)
            times.append(units / usual if units and usual else None)
    return times


def _sum(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) if len(known) == len(seconds) else None


def seconds_left_of_all(datasource: Datasource) -> float | None:
    """Until everything that waits can be searched; None while that can't be told.

    What is queued takes its turn beside as many documents as are being read now.
    """
    throughput = throughput_of(datasource)
    waiting = datasource.documents.unfinished()
    files = waiting.filter(passage=None)
    being_read = [seconds_left(document, throughput) for document in files.filter(status__in=IN_PROGRESS)]
    queued = files.exclude(status__in=IN_PROGRESS).aggregate(
        files=Count("pk"), pages=Sum("page_count", default=0), unknown=Count("pk", filter=Q(page_count=None))
    )
    behind: list[float | None] = [None] if queued["unknown"] else []
    if queued["files"]:
        behind += _times(steps(), queued["pages"], 0, throughput)
    passages = waiting.filter(passage__isnull=False).count()
    if passages:
        speed = passages_per_second(datasource)
        behind.append(passages / speed if speed else None)
    total = _sum([*being_read, *behind])
    if total is None:
        return None
    return max(total / max(1, len(being_read)), *(each or 0.0 for each in being_read), 0.0)


def passages_per_second(datasource: Datasource) -> float:
    """Of ready passages, whose events are of batches; 0 when they tell too little."""
    done = Cast(KT("data__done"), IntegerField())
    measured = Event.objects.filter(
        channel=progress.channel(datasource.pk),
        created__gt=timezone.now() - MEASURED,
        kind="passages_progressed",
    ).aggregate(first=Min("created"), last=Max("created"), done=Max(done) - Min(done))
    seconds = (measured["last"] - measured["first"]).total_seconds() if measured["last"] else 0.0
    return measured["done"] / seconds if seconds >= LEAST else 0.0


def as_words(seconds: float) -> str:
    """Such as “40 s”, “2 min” or “3 h”: rounded up, because nobody minds if it is sooner."""
    if seconds <= 55:
        return _("{n} s").format(n=max(5, -int(-seconds // 5) * 5))
    minutes = -int(-seconds // 60)
    if minutes < 90:
        return _("{n} min").format(n=minutes)
    return _("{n} h").format(n=-(-minutes // 60))
