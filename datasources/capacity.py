"""How much a datasource may hold, and how much it holds.

Its row keeps two sums that are never too small: an upload adds to them in one statement, which is all that
uploads at the same moment wait for. Rows are counted only where the sums say that there is no capacity left.
"""

from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Count, F, Q, QuerySet, Sum

from datasources.models import GONE, Datasource, DocumentStatus
from localization.stored import Said, said, sentences

MEGABYTE = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
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


def contents_of(datasource: Datasource) -> Contents:
    kept = datasource.documents.exclude(status=DocumentStatus.DELETED)
    return Contents(
        **kept.aggregate(documents=Count("pk", filter=~Q(status__in=GONE)), size=Sum("size", default=0))
    )


def check_capacity(datasource: Datasource, *, documents: int, size: int) -> None:
    """Raises ValidationError when so much more does not fit."""
    if not _fitting(datasource, documents, size).exists():
        _check(datasource, contents_of(datasource), documents, size)


def use_capacity(datasource: Datasource, *, documents: int, size: int) -> None:
    """Count what was stored in this transaction. Others wait from here to its end, so this comes late.

    Raises ValidationError when it does not fit.
    """
    added = _fitting(datasource, documents, size).update(
        documents_at_most=F("documents_at_most") + documents, size_at_most=F("size_at_most") + size
    )
    if not added:
        _count_again(datasource, documents, size)


def _fitting(datasource: Datasource, documents: int, size: int) -> QuerySet[Datasource]:
    """Its row, if the sums say that so much more fits. Without a sum, nothing has been counted yet."""
    return Datasource.objects.filter(
        pk=datasource.pk,
        documents_at_most__range=(1, settings.MAX_DATASOURCE_DOCUMENTS - documents),
        size_at_most__lte=settings.MAX_DATASOURCE_BYTES - size,
    )


def _count_again(datasource: Datasource, documents: int, size: int) -> None:
    """Sums take in what is deleted but may be restored, so they can be too large for what still fits."""
    Datasource.objects.select_for_update(no_key=True).filter(pk=datasource.pk).first()
    now = contents_of(datasource)
    before = Contents(documents=now.documents - documents, size=max(0, now.size - size))
    _check(datasource, before, documents, size)
    sums = datasource.documents.aggregate(documents=Count("pk"), size=Sum("size", default=0))
    Datasource.objects.filter(pk=datasource.pk).update(
        documents_at_most=sums["documents"], size_at_most=sums["size"]
    )


def _check(datasource: Datasource, contents: Contents, documents: int, size: int) -> None:
    """Raises ValidationError when so much more than the contents does not fit."""
    if contents.documents + documents > contents.most_documents:
        told = said(
            "“{name}” has {now} documents and takes {most} at most.",
            name=datasource.name,
            now=contents.documents,
            most=contents.most_documents,
        )
        raise _full(told, "SVQ_MAX_DATASOURCE_DOCUMENTS")
    if contents.size + size > settings.MAX_DATASOURCE_BYTES:
        told = said(
            "“{name}” has {now} MB of files and takes {most} MB at most.",
            name=datasource.name,
            now=contents.megabytes,
            most=contents.most_megabytes,
        )
        raise _full(told, "SVQ_MAX_DATASOURCE_MB")


def _full(told: Said, setting: str) -> ValidationError:
    advice = said(
        "Nothing was stored; delete what is no longer needed, or have the limit raised ({setting}).",
        setting=setting,
    )
    return ValidationError(sentences(told, advice), code="datasource_full")
