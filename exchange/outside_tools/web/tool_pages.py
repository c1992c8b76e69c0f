"""Which outside tools the answers of a datasource may use, for its owners."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from datasources.models import Role
from datasources.settings.frame import frame_of
from datasources.web.pages import HtmxRequest, datasource_for, signed_in
from exchange.outside_tools import services
from exchange.outside_tools.choices import attached_by_others, choices_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def outside_tools(request: HtmxRequest, pk: int) -> HttpResponse:
    """POST attaches the ticked tools and no others, as they were shown."""
    datasource = datasource_for(request, pk, Role.OWNER)
    status = 200
    if request.method == "POST":
        try:
            services.attach(datasource, request.POST.getlist("tool"), by=signed_in(request))
        except ValidationError as refusal:
            messages.error(request, refusal.messages[0])
            status = 422
        else:
            messages.success(request, _("Saved. It counts from the next question on."))
            return redirect("outside_tools", pk)
    context = {
        **frame_of(request, datasource, "webhooks", _("Outside tools")),
        "servers": choices_of(datasource, signed_in(request)),
        "not_yours": attached_by_others(datasource, signed_in(request)),
    }
    return render(request, "outside_tools/tools.html", context, status=status)
