"""The page of usage and cost: their own for everybody, the whole deployment's for administrators."""

import csv
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from datasources.models import Role
from datasources.numbers import number_in
from datasources.settings.sections import page_of_section
from datasources.settings.views import section_page
from datasources.web.pages import HtmxRequest, datasource_for, posted_from, signed_in
from providers.spending import budgets
from providers.spending.models import EVERYWHERE
from settings_pages.saving import changed_values
from svq_site.usage.changing import change_budget
from svq_site.usage.chart import chart_of
from svq_site.usage.forms import MonthlyBudgetForm
from svq_site.usage.report import report, spent_by
from text.tables.spreadsheets import inert

SPANS = {
    **{n: format_lazy(ngettext_lazy("{n} day", "{n} days", n), n=n) for n in (7, 30)},
    365: gettext_lazy("Year"),
}
USUAL = 30
ALL = "all"
BUDGET = page_of_section("models", "#budget")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def usage(request: HttpRequest) -> HttpResponse:
    """?days= and, for administrators, ?of=all. POST sets the budget of the deployment."""
    person = signed_in(request)
    of_all = sees_all(person, request.GET)
    if request.method != "POST":
        return _page(request, person, of_all=of_all)
    if not person.is_superuser:
        raise Http404
    form = MonthlyBudgetForm(request.POST)
    if not form.is_valid():
        return _page(request, person, of_all=True, form=form)
    change_budget(EVERYWHERE, **changed_values(form))
    messages.success(request, _("The month's budget is set."))
    return redirect(f"{request.path}?of={ALL}")


def sees_all(person: User, asked: QueryDict) -> bool:
    """Whether the deployment's spending is asked for, by somebody who may see it. Raises Http404."""
    of_all = asked.get("of") == ALL
    if of_all and not (person.is_superuser and person.reach is None):
        raise Http404
    return of_all


def days_in(asked: QueryDict) -> int:
    days = number_in(asked.get("days")) or USUAL
    return days if days in SPANS else USUAL


def _page(
    request: HttpRequest, person: User, *, of_all: bool, form: MonthlyBudgetForm | None = None
) -> HttpResponse:
    days = days_in(request.GET)
    shown = report(person, days, of_all=of_all)
    month = budgets.month_of() if person.is_superuser else None
    context: dict[str, Any] = {
        "tab": "account",
        "report": shown,
        "chart": chart_of(shown),
        "days": days,
        "spans": SPANS.items(),
        "of_all": of_all,
        "month": month if of_all else None,
        "next_month": budgets.next_month(),
        "tables": [
            (_("Datasources"), _("Datasource"), shown.by_datasource),
            (_("Models"), _("Model"), shown.by_model),
            *([(_("People"), _("Person"), shown.by_person)] if of_all else []),
        ],
        "form": form or (MonthlyBudgetForm(initial=MonthlyBudgetForm.values(month)) if month else None),
    }
    return render(request, "usage/usage.html", context, status=422 if form and form.errors else 200)


@login_required
@require_safe
def usage_csv(request: HttpRequest) -> HttpResponse:
    """The same as a table for a spreadsheet: a line for each day, datasource, model, person and purpose."""
    person = signed_in(request)
    of_all = sees_all(person, request.GET)
    first = timezone.localdate() - timedelta(days=days_in(request.GET) - 1)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="usage.csv"'
    columns = (
        "day",
        "person",
        "datasource",
        "purpose",
        "model",
        "host",
        "calls",
        "prompt_tokens",
        "completion_tokens",
        "milliseconds",
        "money",
    )
    lines = csv.writer(response)
    lines.writerow(columns)
    rows = spent_by(None if of_all else person).filter(day__gte=first).order_by("day", "pk")
    for row in rows.values_list(*columns).iterator():
        lines.writerow([inert(value) for value in row])
    return response


@login_required
@posted_from(BUDGET)
def datasource_budget(request: HtmxRequest, pk: int) -> HttpResponse:
    """What language models may cost in this datasource in a month."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = MonthlyBudgetForm(request.POST)
    if not form.is_valid():
        return section_page(request, datasource, "models", monthly_budget_form=form)
    change_budget(datasource.pk, **changed_values(form))
    messages.success(request, _("The month's budget is set."))
    return redirect(BUDGET(pk))
