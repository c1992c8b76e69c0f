"""Reports to keep, and the comparison of vendors and of checks."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from datasources.numbers import number_in
from datasources.web.downloads import saved_as
from datasources.web.pages import HtmxRequest, bar, datasource_for, signed_in
from desks.compliance.checks.comparison import VendorColumn, over_time, vendors
from desks.compliance.checks.scope import requirements_in
from desks.compliance.models import Assessment
from desks.compliance.reports.files import FORMS, file_of, name_of_file
from desks.compliance.web.bars import LOOKS, bar_of
from desks.compliance.web.find import assessment_of
from desks.compliance.web.gap_page import choice_of
from desks.compliance.web.gap_views import page_address


@login_required
@require_safe
def report(request: HtmxRequest, pk: int, assessment: int, form: str) -> HttpResponse:
    """As docx, pdf, xlsx or csv; ?at= a part of the framework."""
    row = assessment_of(request, pk, assessment)
    if form not in FORMS:
        raise Http404
    number = number_in(request.GET.get("at"))
    scope = row.framework.requirements.filter(pk=number).first() if number else None
    try:
        content = file_of(row, scope, form, signed_in(request).pk)
    except ValidationError as refusal:
        messages.error(request, _(refusal.messages[0]))
        return redirect(page_address(row))
    headers = {"Content-Disposition": saved_as(name_of_file(row, form))}
    return HttpResponse(content, content_type=FORMS[form], headers=headers)


@login_required
@require_safe
def comparison(request: HtmxRequest, pk: int) -> HttpResponse:
    """All vendors of a framework, requirement by requirement; of ?vendor= its checks, one after the other."""
    datasource = datasource_for(request, pk)
    choice = choice_of(datasource, request.GET)
    context: dict[str, Any] = bar(datasource, "gaps") | {"choice": choice, "framework": choice.framework}
    if choice.framework is not None:
        requirements = requirements_in(choice.framework, None)
        columns = vendors(datasource, choice.framework, requirements)
        assessment = Assessment.objects.filter(framework=choice.framework, subject=choice.subject).first()
        context |= {
            "columns": [(column, bar_of(column.counts)) for column in columns],
            "rows": [
                (
                    row,
                    [_cell(column, row.pk) for column in columns],
                )
                for row in requirements
                if any(column.standings[row.pk].is_checked for column in columns)
            ],
            "subject": choice.subject,
            "moments": [(moment, bar_of(moment.counts)) for moment in over_time(assessment, requirements)]
            if assessment
            else [],
        }
    return render(request, "compliance/compare.html", context)


def _cell(column: VendorColumn, requirement: int) -> tuple[Any, tuple[str, str], Assessment]:
    """Verdict, look, and the assessment that it is from."""
    verdict = column.standings[requirement].verdict
    return verdict, LOOKS[verdict] if verdict else ("", "clock"), column.assessment
