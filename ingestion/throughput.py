"""How fast documents are being read, by the event log of the last minutes, and how long they still take."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import IntegerField, Max, Min, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone

from datasources.models import Datasource, Document, DocumentStatus
from events.models import Event
from graph.extraction.extract import by_model
from ingestion import progress

MEASURED = timedelta(minutes=2)
LEAST = 3.0  # seconds; what was measured for a shorter time says too little
COUNTED = [DocumentStatus.EXTRACTING, DocumentStatus.EMBEDDING, DocumentStatus.LINKING]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """What one document had done of one stage at the first and at the last event of it."""

    document: int
    stage: str
    first: datetime
    last: datetime
    done: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Pages or chunks a second: `own` of a document in its present stage, `usual` of a stage."""

    own: Mapping[tuple[int, str], float]
    usual: Mapping[str, float]
    chunks_per_page: float
    by_model: bool


def pace_of(datasource: Datasource) -> Pace:
    now = timezone.now()
    stretches = stretches_of(datasource, now - MEASURED)
    usual = {}
    for stage in COUNTED:
        some = [one for one in stretches if one.stage == stage]
        seconds = sum((one.last - one.first).total_seconds() for one in some)
        if seconds >= LEAST:
            usual[str(stage)] = sum(one.done for one in some) / seconds
    cut = datasource.documents.current().filter(chunk_count__gt=0, page_count__gt=0)
    sums = cut.aggregate(chunks=Sum("chunk_count", default=0), pages=Sum("page_count", default=0))
    return Pace(
        own={
            # Until now, not until the last event: a document that stands still gets slower.
            (one.document, one.stage): one.done / (now - one.first).total_seconds()
            for one in stretches
            if one.done and (now - one.first).total_seconds() >= LEAST
        },
        usual=usual,
        chunks_per_page=sums["chunks"] / sums["pages"] if sums["pages"] else 0.0,
        by_model=by_model(datasource),
    )


def stretches_of(datasource: Datasource, since: datetime) -> list[Stretch]:
    events = Event.objects.filter(
        channel=progress.channel(datasource.pk), created__gt=since, data__status__in=COUNTED
    )
    done = Cast(KT("data__done"), IntegerField())
    rows: Any = (
        events.order_by()
        .values(document=KT("data__document"), stage=KT("data__status"))
        .annotate(first=Min("created"), last=Max("created"), done=Max(done) - Min(done))
    )
    return [Stretch(**row | {"document": int(row["document"])}) for row in rows]


def seconds_left(document: Document, pace: Pace) -> float | None:
    """Until the document can be searched; None while that can't be told.

    The present stage goes on at the document's own speed, a later one at its usual speed.
    """
    own = pace.own.get((document.pk, document.status))
    if not own:
        return None
    parts: list[float | None] = [(document.stage_total - document.stage_done) / own]
    chunks: float = document.chunk_count
    if document.status == DocumentStatus.EXTRACTING:
        chunks = document.stage_total * pace.chunks_per_page
        parts.append(_later(DocumentStatus.EMBEDDING, chunks, pace))
    if document.status != DocumentStatus.LINKING and pace.by_model:
        parts.append(_later(DocumentStatus.LINKING, chunks, pace))
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _later(stage: DocumentStatus, units: float, pace: Pace) -> float | None:
    usual = pace.usual.get(stage)
    return units / usual if units and usual else None


def as_words(seconds: float) -> str:
    """Such as “40 s”, “2 min” or “3 h”: rounded up, because nobody minds if it is sooner."""
    if seconds <= 55:
        return f"{max(5, -int(-seconds // 5) * 5)} s"
    minutes = -int(-seconds // 60)
    return f"{minutes} min" if minutes < 90 else f"{-(-minutes // 60)} h"
