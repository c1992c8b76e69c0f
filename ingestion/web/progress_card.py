"""The card above the documents: how far the reading of all that waits is, and how long it may take."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Case, Count, F, FloatField, Q, Sum, Value, When
from django.db.models.functions import Cast, NullIf
from django.utils import timezone

from datasources.models import Datasource, DocumentStatus
from events.models import Event
from ingestion import progress
from ingestion.step import Step, steps

MEASURED = timedelta(minutes=2)  # the speed is that of the last minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    name: str
    label: str
    percent: int
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexing:
    """`left` is a phrase such as “about 2 min left”, or empty when it can't be told yet."""

    unfinished: int
    documents: int
    paused: bool
    stages: tuple[Stage, ...]
    left: str


def indexing(datasource: Datasource) -> Indexing | None:
    """None when nothing waits to be read."""
    waiting = datasource.documents.unfinished()
    counts = waiting.aggregate(
        count=Count("pk"),
        bytes_uncut=Sum("size", filter=Q(chunk_count=0), default=0),
        **{name: value for step in steps() for name, value in _sums(step).items()},
    )
    if not counts["count"]:
        return None
    stages = tuple(
        Stage(
            name=step.name,
            label=step.label,
            percent=int(100 * counts[f"{step.name}_share"] / counts["count"]),
            detail=step.summary(counts[f"{step.name}_done"], counts[f"{step.name}_total"]),
        )
        for step in steps()
    )
    return Indexing(
        unfinished=counts["count"],
        documents=datasource.documents.current().count(),
        paused=datasource.paused,
        stages=stages,
        left="" if datasource.paused else time_left(datasource, counts),
    )


def _sums(step: Step) -> dict[str, Sum]:
    """Of all unfinished documents: units done, units in all, and how many documents' worth that is."""
    behind = [later.status for later in steps()[steps().index(step) + 1 :]]
    done = Case(When(status=step.status, then=F("stage_done")), When(status__in=behind, then=F(step.counted)))
    part = Cast("stage_done", FloatField()) / NullIf(Cast("stage_total", FloatField()), Value(0.0))
    share = Case(
        When(status=step.status, then=part), When(status__in=behind, then=Value(1.0)), default=Value(0.0),
        output_field=FloatField(),
    )  # fmt: skip
    return {
        f"{step.name}_done": Sum(done, default=0),
        f"{step.name}_total": Sum(step.counted, default=0),
        f"{step.name}_share": Sum(share, default=0.0),
    }


def time_left(datasource: Datasource, counts: dict[str, Any]) -> str:
    """From the vectors made in the last minutes; most of the time of reading goes into them.

    `counts` has the sums of the step that makes them, and the bytes of files that are not split yet.
    """
    speed = vectors_per_second(datasource)
    if not speed:
        return ""
    known = datasource.documents.current().filter(chunk_count__gt=0)
    cut = known.aggregate(chunks=Sum("chunk_count", default=0), size=Sum("size", default=0))
    density = cut["chunks"] / cut["size"] if cut["size"] else 0
    waiting = counts["embed_total"] - counts["embed_done"] + counts["bytes_uncut"] * density
    minutes = waiting / speed / 60
    if minutes < 1:
        return "less than a minute left"
    return f"about {minutes:.0f} min left" if minutes < 90 else f"about {minutes / 60:.0f} h left"


def vectors_per_second(datasource: Datasource) -> float:
    """Over the events of the last minutes; 0 when they tell too little."""
    events = Event.objects.filter(
        channel=progress.channel(datasource.pk),
        created__gt=timezone.now() - MEASURED,
        data__status=DocumentStatus.EMBEDDING,
    )
    rows = list(events.order_by("seq").values_list("created", "data__document", "data__done"))
    if len(rows) < 2:
        return 0.0
    made, latest = 0, dict[int, int]()
    for _, document, done in rows:
        made += max(0, done - latest.get(document, done))
        latest[document] = done
    return made / max(0.1, (rows[-1][0] - rows[0][0]).total_seconds())
