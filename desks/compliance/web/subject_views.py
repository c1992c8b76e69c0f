"""Vendors of a datasource: the list, a new one, one to change."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from datasources.models import Datasource, DocumentStatus, Role
from datasources.numbers import number_in
from datasources.web.pages import HtmxRequest, bar, can_edit, datasource_for
from desks.compliance.checks.subjects import (
    change_subject,
    create_subject,
    delete_subject,
    searchable_counts,
)
from desks.compliance.frameworks.text import FRAMEWORK_KEY
from desks.compliance.models import Subject
from desks.compliance.web.find import subject_of

MOST_LISTED = 500  # documents to choose from, besides the vendor's own


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def subjects(request: HtmxRequest, pk: int) -> HttpResponse:
    """The vendors; POST adds one."""
    posted = request.method == "POST"
    datasource = datasource_for(request, pk, Role.EDITOR if posted else Role.VIEWER)
    error = ""
    if posted:
        try:
            chosen = chosen_documents(request.POST)  # whoever ticks some wants these, see ready_views
            wants_all = not chosen and request.POST.get("which") == "all"
            made = create_subject(datasource, request.POST.get("name", ""), chosen, has_all=wants_all)
        except ValidationError as refusal:
            error = _(refusal.messages[0])
        else:
            messages.success(request, _("“{vendor}” was added.").format(vendor=made))
            return redirect("gap_vendors", pk)
    counts = searchable_counts(datasource)
    rows = [(row, counts.get(row.pk, 0)) for row in datasource.subjects.order_by("name")]
    context = bar(datasource, "gaps") | {
        "rows": rows,
        "error": error,
        "can_edit": can_edit(request, datasource),
        "posted": request.POST,
    }
    context |= to_choose_from(datasource, set(chosen_documents(request.POST)))
    return render(request, "compliance/vendors.html", context, status=422 if error else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def subject(request: HtmxRequest, pk: int, subject: int) -> HttpResponse:
    """One vendor; POST with `action` save or delete."""
    posted = request.method == "POST"
    row = subject_of(request, pk, subject, Role.EDITOR if posted else Role.VIEWER)
    error = ""
    if posted:
        try:
            if request.POST.get("action") == "delete":
                delete_subject(row)
                told = _("“{vendor}” was deleted with its checks. Its documents are kept.")
                messages.success(request, told.format(vendor=row))
            else:
                change_subject(
                    row,
                    name=request.POST.get("name", ""),
                    documents=chosen_documents(request.POST),
                    has_all=request.POST.get("which") == "all",
                )
                messages.success(request, _("“{vendor}” was saved.").format(vendor=row))
        except ValidationError as refusal:
            error = _(refusal.messages[0])
        else:
            return redirect("gap_vendors", pk)
    shown = Subject.objects.select_related("datasource").get(pk=row.pk)
    chosen = (
        set(chosen_documents(request.POST)) if posted else set(shown.documents.values_list("pk", flat=True))
    )
    context = bar(row.datasource, "gaps") | {
        "subject": shown,
        "error": error,
        "can_edit": can_edit(request, row.datasource),
        "assessments": shown.assessments.count(),
    }
    context |= to_choose_from(row.datasource, chosen)
    return render(request, "compliance/vendor.html", context, status=422 if error else 200)


def chosen_documents(posted: QueryDict) -> list[int]:
    return [number for value in posted.getlist("document") if (number := number_in(value))]


def to_choose_from(datasource: Datasource, chosen: set[int]) -> dict[str, Any]:
    """For compliance/_vendor_fields.html. Chosen documents are always listed: saving keeps only those. Others
    are not offered where they could not be read.
    """
    rows = datasource.documents.current().exclude(metadata__has_key=FRAMEWORK_KEY).order_by("title", "pk")
    named = rows.values_list("pk", "title")
    unread = (DocumentStatus.FAILED, DocumentStatus.CANCELLED)
    others = named.exclude(pk__in=chosen).exclude(status__in=unread)
    listed = [*named.filter(pk__in=chosen), *others[:MOST_LISTED]]
    return {"documents": listed, "chosen": chosen, "more": max(0, others.count() - MOST_LISTED)}
