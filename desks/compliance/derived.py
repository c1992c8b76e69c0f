"""What assessments hold of documents, as the registry of derived data needs it.

Evidence goes with its document. A finding that has read a purged document keeps its verdict and loses its
words; a later check looks at its requirement again. What people said of it stays.
"""

from collections.abc import Collection, Mapping

from django.db.models import Q, QuerySet

from batches.upkeep import forget_replies
from datasources.derived import Change, DerivedData
from datasources.derived import Subject as Deleted
from datasources.models import Datasource
from desks.compliance.checks.evidence import HIDDEN
from desks.compliance.checks.masking import mask_findings
from desks.compliance.models import Evidence, Finding, PaidReply, Subject

OF_SUBJECTS = Subject.documents.through._default_manager


class Assessments(DerivedData):
    loss, loss_at_zero = "assessments", False

    def apply(self, change: Change) -> None:
        """Whoever had a document has its new version; what was read of a purged one is forgotten."""
        if change.purged:
            _forget(change.datasource_id, change.purged)
        for old, new in change.superseded.items():
            have_it = OF_SUBJECTS.filter(document_id=new).values("subject_id")
            OF_SUBJECTS.filter(document_id=old).exclude(subject_id__in=have_it).update(document_id=new)

    def sweep(self, subject: Deleted) -> None:
        if not subject.whole:
            _forget(subject.datasource_id, subject.documents)

    def mask(self, datasource_id: int) -> None:
        mask_findings(datasource_id)

    def count_loss(self, datasource: Datasource) -> int:
        return datasource.assessments.count()

    def count(self, subject: Deleted) -> Mapping[str, int]:
        if subject.whole:
            of_datasource = Finding.objects.filter(assessment__datasource=subject.datasource_id)
            return {"assessment_findings": of_datasource.count()}
        return {
            "assessment_findings": _findings(subject.datasource_id, subject.documents).count(),
            "assessment_quotes": Evidence.objects.filter(document__in=subject.documents).count(),
        }


def _findings(datasource_id: int, documents: Collection[int]) -> QuerySet[Finding]:
    """Those that have read one of the documents."""
    read = Q(pk__in=[])
    for pk in documents:
        read |= Q(read__contains=[pk])
    return Finding.objects.filter(read, assessment__datasource=datasource_id)


def _forget(datasource_id: int, documents: Collection[int]) -> None:
    Evidence.objects.filter(document__in=documents).delete()
    _findings(datasource_id, documents).update(
        parts=[],
        draft="",
        reason=HIDDEN,
        reply={},
        read=[],
        content="",
        request="",
        error="",
        error_words=None,
    )
    forget_replies(PaidReply, check_of__assessment__datasource=datasource_id)
