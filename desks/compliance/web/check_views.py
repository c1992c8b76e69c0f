"""Starting, following, ending checks."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts.quotas import with_retry_after
from batches.budget import LEAST_MONEY
from batches.models import UnderWay
from datasources.models import Datasource, Role
from datasources.numbers import number_in
from datasources.web.ending import stop_or_go_on
from datasources.web.number_fields import AmountField, WholeField
from datasources.web.pages import (
    HtmxRequest,
    bar,
    can_edit,
    datasource_for,
    page_of_datasource,
    posted_from,
    signed_in,
)
from desks.compliance.checks.groups import chapters_of
from desks.compliance.checks.scope import requirements_in
from desks.compliance.checks.services import delete_assessment, go_on, start_check, stop
from desks.compliance.models import Requirement
from desks.compliance.web.find import assessment_of, check_of
from desks.compliance.web.gap_page import Choice, choice_of, frameworks_of, under_way
from desks.compliance.web.gap_views import page_address
from providers.language_models import playing
from providers.roles import ModelRole

GUESSED_TOKENS = 4_000  # of a requirement: what is asked, and what is answered


class CheckForm(forms.Form):
    token_budget = WholeField(
        label=gettext_lazy("Stop after this many tokens"),
        required=False,
        min_value=1,
        max_value=2**62,
        widget=forms.NumberInput(attrs={"class": "input"}),
    )
    money_budget = AmountField(
        label=gettext_lazy("Stop after this much money"),
        required=False,
        min_value=LEAST_MONEY,
        max_digits=12,
        decimal_places=6,
        widget=forms.NumberInput(attrs={"class": "input", "step": "any"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_check(request: HtmxRequest, pk: int) -> HttpResponse:
    """Choose framework, vendor, part and budget, or check again what is chosen."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    asked = request.POST if request.method == "POST" else request.GET
    choice = choice_of(datasource, asked)
    scope = _scope(choice, asked.get("at"))
    form = CheckForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and choice.framework and choice.subject:
        try:
            check = start_check(
                signed_in(request), choice.framework, choice.subject, scope=scope, **form.cleaned_data
            )
        except UnderWay as refusal:
            messages.info(request, refusal.messages[0])
            return redirect(f"{page_address(refusal.row.assessment)}&at={scope.pk if scope else 'all'}")
        except ValidationError as refusal:
            form.add_error(None, refusal)
            return with_retry_after(_form_page(request, datasource, choice, scope, form), refusal)
        return redirect(f"{page_address(check.assessment)}&at={scope.pk if scope else 'all'}")
    return _form_page(request, datasource, choice, scope, form)


def _scope(choice: Choice, at: str | None) -> Requirement | None:
    if choice.framework is None or not (number := number_in(at)):
        return None
    return choice.framework.requirements.filter(pk=number).first()


def _form_page(
    request: HtmxRequest, datasource: Datasource, choice: Choice, scope: Requirement | None, form: CheckForm
) -> HttpResponse:
    server = playing(datasource, ModelRole.AGENT)
    context: dict[str, Any] = bar(datasource, "gaps") | {
        "choice": choice,
        "framework": choice.framework,
        "subject": choice.subject,
        "form": form,
        "scope": scope,
        "server": server,
    }
    if choice.framework:
        everything = list(choice.framework.requirements.order_by("position"))
        count = len(requirements_in(choice.framework, scope))
        context |= {
            "chapters": chapters_of(everything),
            "count": count,
            "tokens": count * GUESSED_TOKENS,
            "frameworks": frameworks_of(datasource),
            "subjects": list(datasource.subjects.all()),
        }
    status = 422 if request.method == "POST" else 200
    return render(request, "compliance/check.html", context, status=status)


@login_required
@require_safe
def state(request: HtmxRequest, pk: int) -> HttpResponse:
    """The part of the page that changes while checks are under way; the whole page once none is."""
    datasource = datasource_for(request, pk)
    if not request.htmx:
        return redirect("gaps", pk)
    rows = under_way(datasource)
    context = {"datasource": datasource, "under_way": rows, "can_edit": can_edit(request, datasource)}
    response = render(request, "compliance/_under_way.html", context)
    if not rows:
        response["HX-Refresh"] = "true"
    return response


@login_required
@posted_from(page_of_datasource("gaps"))
def end_check(request: HtmxRequest, pk: int, check: int) -> HttpResponse:
    """`action`: stop, go on."""
    row = check_of(request, pk, check, Role.EDITOR)
    stopped = _("{check} stopped. What was found is kept.").format(check=row)
    stop_or_go_on(request, row, row.assessment.datasource, stop=stop, go_on=go_on, stopped=stopped)
    return redirect(page_address(row.assessment))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove_assessment(request: HtmxRequest, pk: int, assessment: int) -> HttpResponse:
    """GET asks, POST deletes."""
    row = assessment_of(request, pk, assessment, Role.EDITOR)
    if request.method == "POST":
        delete_assessment(row)
        told = _("The check of “{vendor}” was deleted.")
        messages.success(request, told.format(vendor=row.subject))
        return redirect(f"{reverse('gaps', args=[pk])}?framework={row.framework_id}")
    context = bar(row.datasource, "gaps") | {
        "assessment": row,
        "findings": row.findings.count(),
        "reviews": row.reviews.count(),
    }
    return render(request, "compliance/delete.html", context)
