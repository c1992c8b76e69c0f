"""Personal data in findings, where the owner of their datasource wants it masked. What people said about them
stays as it is.
"""

from collections.abc import Iterable

from django.db.models import QuerySet

from datasources.masking import mask_row, mask_rows, masked, masked_columns
from desks.compliance.models import Evidence, Finding, PaidReply

OF_FINDING = ("parts", "draft", "reason", "error")
OF_EVIDENCE = ("quote", "reason")


def mask_findings(datasource_id: int) -> None:
    """In those that were written before it was wanted."""
    findings = Finding.objects.filter(assessment__datasource=datasource_id)
    mask_rows(findings, *OF_FINDING)
    mask_rows(Evidence.objects.filter(finding__in=findings), *OF_EVIDENCE)
    PaidReply.objects.filter(check_of__assessment__datasource=datasource_id).delete()
    _forget_replies(findings.exclude(reply={}))


def _forget_replies(findings: QuerySet[Finding]) -> None:
    """Those with such data: with holes they could not be checked again, so the model is asked again."""
    for finding in findings.only("reply").iterator():
        if masked_columns(finding, "reply"):
            Finding.objects.filter(pk=finding.pk).update(reply={})


def mask_finding(finding: Finding, evidence: Iterable[Evidence]) -> None:
    """In one that is about to be written; its owner may want it only since the model was asked."""
    if masked([finding.assessment.datasource_id]):
        mask_row(finding, *OF_FINDING)
        for row in evidence:
            mask_row(row, *OF_EVIDENCE)
