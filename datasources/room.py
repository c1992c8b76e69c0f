"""How much a datasource may hold, and how much it holds."""

from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, Sum

from datasources.models import GONE, Datasource, DocumentStatus

MEGABYTE = 2**20


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
    room = room_of(datasource)
    advice = "Nothing was stored; delete what is no longer needed, or have the limit raised"
    if room.documents + documents > room.most_documents:
        raise ValidationError(
            f"“{datasource.name}” has {room.documents:,} documents and takes {room.most_documents:,}"
            f" at most. {advice} (SVQ_MAX_DATASOURCE_DOCUMENTS).",
            code="datasource_full",
        )
    if room.size + size > settings.MAX_DATASOURCE_BYTES:
        raise ValidationError(
            f"“{datasource.name}” has {room.megabytes:,} MB of files and takes {room.most_megabytes:,} MB"
            f" at most. {advice} (SVQ_MAX_DATASOURCE_MB).",
            code="datasource_full",
        )
