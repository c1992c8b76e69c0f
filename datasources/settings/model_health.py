"""What was measured of the models that a datasource works with, and whether their servers answer."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from datasources.models import Datasource
from datasources.settings.panels import models_in_use
from datasources.web.pages import datasource_for
from providers.health import health_of
from providers.spending.speed import speeds
from providers.web.figures import figures


def measured(datasource: Datasource) -> list[dict[str, Any]]:
    """A row for each of its models: how fast it has been, and the address that says how it does."""
    fast, address = speeds(), reverse("datasource_model_health", args=[datasource.pk])
    return [
        {"model": model, **figures(model.server, fast, address, role=model.role)}
        for model in models_in_use(datasource)
    ]


@login_required
@require_safe
def model_health(request: HttpRequest, pk: int) -> HttpResponse:
    """?role= one that a server plays here."""
    datasource, role = datasource_for(request, pk), request.GET.get("role")
    model = next((one for one in models_in_use(datasource) if one.role == role), None)
    health = health_of(model.server, model.role) if model and model.server else None
    return render(request, "providers/_health.html", {"health": health})
