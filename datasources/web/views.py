"""A new datasource, and the tabs of one. Its documents and its deletion are ingestion's."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import reselect, reswap, retarget

from accounts.audit import made_in_audit_log
from datasources import services
from datasources.models import Datasource, Role
from datasources.web.forms import NewDatasourceForm, refuse
from datasources.web.pages import HtmxRequest, bar, datasource_for, go, signed_in


@login_required
@require_http_methods(["GET", "POST"])
def new_datasource(request: HtmxRequest) -> HttpResponse:
    """A dialog on the home page, or a page of its own."""
    form = NewDatasourceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name, description = form.cleaned_data["name"], form.cleaned_data["description"]
        try:
            made = services.create_datasource(signed_in(request), name, description=description)
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            made_in_audit_log(request, "datasource", [made.pk], made.pk)
            if form.cleaned_data["waiting"] and request.htmx:
                return take_files(request, made)
            return go(request, reverse("documents", args=[made.pk]))
    status = 422 if form.errors else 200
    return render(request, "datasources/new.html", {"form": form, "tab": "home"}, status=status)


def take_files(request: HtmxRequest, made: Datasource) -> HttpResponse:
    """In place of home: sends the files that were dropped there, then goes to the documents."""
    context = {"datasource": made, "max_bytes": settings.MAX_UPLOAD_BYTES}
    answer = render(request, "datasources/_adding.html", context)
    return reselect(reswap(retarget(answer, "#main"), "innerHTML"), ".adding")


@login_required
@require_GET
def tabs(request: HtmxRequest, pk: int) -> HttpResponse:
    """The tabs as they are now, with ?current= open: documents come and go while a page is open."""
    context = bar(datasource_for(request, pk, Role.ASKER), request.GET.get("current", ""))
    return render(request, "components/tabs.html", context)
