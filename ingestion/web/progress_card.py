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
from ingestion.web.rows import ORDER, STAGES

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
        pages=Sum("page_count", default=0),
        chunks=Sum("chunk_count", default=0),
        bytes_uncut=Sum("size", filter=Q(chunk_count=0), default=0),
        pages_read=Sum(_done("page_count", DocumentStatus.EXTRACTING), default=0),
        vectors=Sum(_done("chunk_count", DocumentStatus.EMBEDDING), default=0),
        linked=Sum(_done("chunk_count", DocumentStatus.LINKING), default=0),
        **{STAGES[stage][0]: Sum(_fraction(stage), default=0.0) for stage in ORDER},
    )
    if not counts["count"]:
        return None
    details = {
        "extract": f"{counts['pages_read']:,} of {counts['pages']:,} pages read",
        "chunk": f"{counts['chunks']:,} chunks so far",
        "embed": f"{counts['vectors']:,} of {counts['chunks']:,} vectors",
        "graph": f"{counts['linked']:,} of {counts['chunks']:,} chunks linked",
    }
    stages = tuple(
        Stage(name=name, label=label, percent=int(100 * counts[name] / counts["count"]), detail=details[name])
        for name, label in STAGES.values()
    )
    return Indexing(
        unfinished=counts["count"],
        documents=datasource.documents.current().count(),
        paused=datasource.paused,
        stages=stages,
        left="" if datasource.paused else time_left(datasource, counts),
    )


def _behind(stage: DocumentStatus) -> list[DocumentStatus]:
    """The statuses of documents that have the stage behind them."""
    return ORDER[ORDER.index(stage) + 1 :]


def _done(whole: str, stage: DocumentStatus) -> Case:
    return Case(When(status=stage, then=F("stage_done")), When(status__in=_behind(stage), then=F(whole)))


def _fraction(stage: DocumentStatus) -> Case:
    part = Cast("stage_done", FloatField()) / NullIf(Cast("stage_total", FloatField()), Value(0.0))
    return Case(
        When(status=stage, then=part), When(status__in=_behind(stage), then=Value(1.0)), default=Value(0.0),
        output_field=FloatField(),
    )  # fmt: skip


def time_left(datasource: Datasource, counts: dict[str, Any]) -> str:
    """From the vectors made in the last minutes; most of the time of reading goes into them."""
    speed = vectors_per_second(datasource)
    if not speed:
        return ""
    known = datasource.documents.current().filter(chunk_count__gt=0)
    cut = known.aggregate(chunks=Sum("chunk_count", default=0), size=Sum("size", default=0))
    density = cut["chunks"] / cut["size"] if cut["size"] else 0
    waiting = counts["chunks"] - counts["vectors"] + counts["bytes_uncut"] * density
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
