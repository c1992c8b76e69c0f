"""The rows of an address as this person may see them. A stranger gets “not found”."""

from django.http import Http404
from django.shortcuts import get_object_or_404

from datasources.models import DocumentStatus, Role
from datasources.web.pages import HtmxRequest, datasource_for, signed_in
from desks.compliance.frameworks.lookup import framework_for
from desks.compliance.models import Assessment, Check, Evidence, Framework, Requirement, Subject


def assessment_of(request: HtmxRequest, pk: int, assessment: int, needed: Role = Role.VIEWER) -> Assessment:
    """Raises Http404 (stranger, no such assessment here), PermissionDenied (low role)."""
    datasource = datasource_for(request, pk, needed)
    rows = Assessment.objects.select_related("datasource__owner", "framework", "subject")
    return get_object_or_404(rows, datasource=datasource, pk=assessment)


def requirement_of(assessment: Assessment, requirement: int) -> Requirement:
    rows = assessment.framework.requirements.assessable()
    return get_object_or_404(rows, pk=requirement)


def check_of(request: HtmxRequest, pk: int, check: int, needed: Role = Role.VIEWER) -> Check:
    datasource = datasource_for(request, pk, needed)
    rows = Check.objects.select_related(
        "assessment__subject", "assessment__framework", "assessment__datasource"
    )
    return get_object_or_404(rows, assessment__datasource=datasource, pk=check)


def subject_of(request: HtmxRequest, pk: int, subject: int, needed: Role = Role.VIEWER) -> Subject:
    datasource = datasource_for(request, pk, needed)
    return get_object_or_404(Subject.objects.select_related("datasource"), datasource=datasource, pk=subject)


def evidence_in(request: HtmxRequest, pk: int, evidence: int) -> Evidence:
    """Raises Http404 also while its document is deleted."""
    datasource = datasource_for(request, pk)
    rows = Evidence.objects.select_related("document__datasource", "finding__assessment")
    row = get_object_or_404(rows, pk=evidence, finding__assessment__datasource=datasource)
    if row.document.status == DocumentStatus.DELETED:
        raise Http404
    return row


def framework_of(request: HtmxRequest, framework: int, *, own: bool = False) -> Framework:
    """Raises Http404 (stranger), PermissionDenied (`own`: somebody else's)."""
    return framework_for(signed_in(request), framework, own=own)
