"""The pages of bundles: a datasource to take along, and bundles on their way in."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from datasources.models import Role
from datasources.refusals import too_busy
from datasources.web.forms import refuse
from datasources.web.pages import HtmxRequest, datasource_for, signed_in
from exchange.bundles import sending, services
from exchange.bundles.models import BundleImport
from jobs.fair_slots import Busy
from settings_pages.refusals import always_says

SHOWN = 20
BUSY = _("Other datasources are being exported just now. Nothing was made; try again in a minute.")


class BundleForm(forms.Form):
    file = forms.FileField(
        label=_("Exported file"),
        widget=forms.FileInput(attrs={"class": "input", "accept": ".zip"}),
        error_messages=always_says(_("Choose the .zip file that an export has made.")),
    )


@login_required
@require_GET
def bundle_file(request: HtmxRequest, pk: int) -> HttpResponseBase:
    """For owners."""
    datasource = datasource_for(request, pk, Role.OWNER)
    own = request.GET.get("conversations") == "on"
    try:
        return sending.bundle_file(datasource, signed_in(request), conversations=own)
    except Busy as busy:
        return too_busy(str(BUSY), busy)
    except ValidationError as refusal:
        return HttpResponse(refusal.messages[0], status=413, content_type="text/plain; charset=utf-8")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bundles(request: HtmxRequest) -> HttpResponse:
    """One's own imports; POST begins one."""
    form = BundleForm()
    if request.method == "POST":
        form = BundleForm(request.POST, request.FILES)
        if form.is_valid():
            file = form.cleaned_data["file"]
            try:
                services.hand_over(signed_in(request), file.name, file)
            except ValidationError as refusal:
                refuse(form, refusal, {"busy": "file", "no_bundle": "file"})
            else:
                return redirect("bundles")
    return render(
        request, "bundles/bundles.html", {**_state(request), "form": form}, status=422 if form.errors else 200
    )


@login_required
@require_safe
def bundles_state(request: HtmxRequest) -> HttpResponse:
    """The list of imports by itself, which asks again while one is under way."""
    return render(request, "bundles/_state.html", _state(request))


def _state(request: HtmxRequest) -> dict[str, Any]:
    rows = list(BundleImport.objects.visible_to(signed_in(request)).select_related("datasource")[:SHOWN])
    return {"imports": rows, "is_working": any(row.is_unfinished for row in rows)}
