"""The evidence of findings as it may be shown: what rests on a deleted document is hidden."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext_noop

from datasources.models import Document, DocumentStatus
from desks.compliance.models import Evidence, Finding

HIDDEN = gettext_noop("A document that this rests on was deleted. Check again.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Of one finding. `is_hidden`: a document that it rests on was deleted, so nothing in words is shown."""

    rows: tuple[Evidence, ...] = ()
    is_hidden: bool = False


def evidence_of(findings: Iterable[Finding | None]) -> dict[int, Shown]:
    """By the finding's number."""
    chosen = [finding for finding in findings if finding is not None]
    gone = _gone({pk for finding in chosen for pk in finding.read})
    rows: dict[int, list[Evidence]] = {}
    for row in (
        Evidence.objects.filter(finding__in=chosen).select_related("document").order_by("finding", "n")
    ):
        if row.document_id not in gone:
            rows.setdefault(row.finding_id, []).append(row)
    return {
        finding.pk: Shown(
            rows=tuple(rows.get(finding.pk, ())), is_hidden=any(pk in gone for pk in finding.read)
        )
        for finding in chosen
    }


def _gone(documents: Collection[int]) -> set[int]:
    kept = Document.objects.filter(pk__in=documents).exclude(status=DocumentStatus.DELETED)
    return set(documents) - set(kept.values_list("pk", flat=True))
