"""How much a datasource may hold, and how much it holds."""

from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, Sum

from datasources.models import GONE, Datasource, DocumentStatus

MEGABYTE = 2**20
COUNTED = 1000  # documents that are counted each time; of more, a sum that is never too small is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """`size` in bytes, with the earlier versions of files, which stay for old citations."""

    documents: int
    size: int

    @property
    def most_documents(self) -> int:
        return int(settings.MAX_DATASOURCE_DOCUMENTS)

    @property
    def megabytes(self) -> int:
        return -(-self.size // MEGABYTE)

    @property
    def most_megabytes(self) -> int:
        return int(settings.MAX_DATASOURCE_BYTES // MEGABYTE)


def room_of(datasource: Datasource) -> Room:
    kept = datasource.documents.exclude(status=DocumentStatus.DELETED)
    return Room(
        **kept.aggregate(documents=Count("pk", filter=~Q(status__in=GONE)), size=Sum("size", default=0))
    )


def check_room(datasource: Datasource, *, documents: int, size: int) -> None:
    """Raises ValidationError when so much more does not fit."""
    at_most = _at_most(datasource)
    if at_most and not _refusal(datasource, at_most, documents, size):
        return
    if refusal := _refusal(datasource, room_of(datasource), documents, size):
        raise refusal


def take_room(datasource: Datasource, *, documents: int, size: int) -> None:
    """The same for what was stored in this transaction, while others wait. Raises ValidationError."""
    Datasource.objects.select_for_update(no_key=True).filter(pk=datasource.pk).first()
    at_most = _at_most(datasource)
    if at_most is None or _refusal(datasource, at_most, documents, size):
        room = room_of(datasource)
        before = Room(documents=room.documents - documents, size=max(0, room.size - size))
        if refusal := _refusal(datasource, before, documents, size):
            raise refusal
        at_most = Room(**datasource.documents.aggregate(documents=Count("pk"), size=Sum("size", default=0)))
    else:
        at_most = Room(documents=at_most.documents + documents, size=at_most.size + size)
    Datasource.objects.filter(pk=datasource.pk).update(
        documents_at_most=at_most.documents, size_at_most=at_most.size
    )


def _at_most(datasource: Datasource) -> Room | None:
    """What is never less than the datasource has, with what may be restored; None where counting is quick."""
    kept = Datasource.objects.filter(pk=datasource.pk, documents_at_most__gt=COUNTED)
    values = kept.values_list("documents_at_most", "size_at_most").first()
    return Room(documents=values[0], size=values[1]) if values else None


def _refusal(datasource: Datasource, room: Room, documents: int, size: int) -> ValidationError | None:
    """Why so much more does not fit."""
    advice = "Nothing was stored; delete what is no longer needed, or have the limit raised"
    if room.documents + documents > room.most_documents:
        return ValidationError(
            f"“{datasource.name}” has {room.documents:,} documents and takes {room.most_documents:,}"
            f" at most. {advice} (SVQ_MAX_DATASOURCE_DOCUMENTS).",
            code="datasource_full",
        )
    if room.size + size > settings.MAX_DATASOURCE_BYTES:
        return ValidationError(
            f"“{datasource.name}” has {room.megabytes:,} MB of files and takes {room.most_megabytes:,} MB"
            f" at most. {advice} (SVQ_MAX_DATASOURCE_MB).",
            code="datasource_full",
        )
    return None
