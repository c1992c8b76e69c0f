"""What the documents page says of deletions: what can be undone, what goes on, what has ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from datasources.models import Datasource, Deletion, Document

TOLD = timedelta(minutes=1)  # how long an end is told on the page; its receipt stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """`undoable` documents in `batches` can be brought back, `title` names one; `going` are being deleted."""

    undoable: int = 0
    title: str = ""
    batches: Sequence[UUID] = ()
    going: int = 0
    finished: int = 0
    receipt: Deletion | None = None  # of what was finished last


def notice(datasource: Datasource) -> Notice:
    told_from = timezone.now() - TOLD
    deletions = Deletion.objects.filter(datasource=datasource.pk, document__isnull=False)
    if not deletions.filter(Q(completed=None) | Q(completed__gt=told_from)).exists():
        return Notice()  # nearly always, and asked for at every tick of progress
    removed = Document.objects.removed().filter(datasource=datasource).exclude(status_before="")
    undoable = deletions.undoable().filter(document__in=removed.values("pk"))
    finished = deletions.filter(completed__gt=told_from)
    first = removed.first()
    count = removed.count()
    return Notice(
        undoable=count,
        title=first.title if first else "",
        batches=list(undoable.order_by("batch").values_list("batch", flat=True).distinct()) if count else [],
        going=deletions.filter(completed=None).exclude(document__in=removed.values("pk")).count(),
        finished=finished.count(),
        receipt=finished.order_by("-completed").first(),
    )
