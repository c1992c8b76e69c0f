"""A model server that an owner connects for one datasource, where administrators allow that."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from datasources.model_choice import LABELS
from datasources.models import Datasource, Role
from datasources.pages import bar, datasource_for, page_of_datasource, posted_from
from providers.connections import services
from providers.connections.catalogue import PROVIDERS
from providers.connections.models import Connection
from providers.openai.models import Offered, offered
from providers.protocols import ProviderError
from providers.roles import ModelRole, of_environment
from providers.trial import tried
from providers.web.forms import ModelForm, PlaceForm

PAGE = page_of_datasource("datasource_settings", "#models")
LIST_PATIENCE = 10.0  # seconds


def may_connect() -> bool:
    """Whether owners may, and what they connect would be used."""
    return services.owners_may().connect and of_environment(ModelRole.AGENT) is None


def own_models(datasource: Datasource) -> list[tuple[ModelRole, str, Connection]]:
    """The servers that its owner has connected: each with its role, as it is and in words."""
    chosen = services.chosen_for(datasource.pk)
    own = {role: each for role, each in chosen.items() if each.datasource == datasource.pk}
    return [(role, label, own[role]) for role, label in LABELS.items() if role in own]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("key")
def own_model(request: HttpRequest, pk: int) -> HttpResponse:
    """?role= and ?place= choose; the form lists models, tries one, uses it."""
    datasource = datasource_for(request, pk, Role.OWNER)
    if not may_connect():
        raise PermissionDenied
    if request.method == "POST":
        return _submitted(request, datasource)
    role, place = request.GET.get("role", ""), request.GET.get("place", "")
    connected = {role.value: each for role, _, each in own_models(datasource)}.get(role)
    first = {
        "role": role if role in list(LABELS) else ModelRole.AGENT,
        "provider": place if place in PROVIDERS else connected.provider if connected else "openai",
        "address": connected.address if connected else "",
        "model": connected.model if connected else "",
        "price_input": (connected.price_input or None) if connected else None,
        "price_output": (connected.price_output or None) if connected else None,
        "timeout": connected.timeout if connected else 60,
    }
    return _page(request, datasource, ModelForm(initial=first, datasource=pk))


def _submitted(request: HttpRequest, datasource: Datasource) -> HttpResponse:
    if "list" in request.POST:
        return _listed(request, datasource)
    form = ModelForm(request.POST, datasource=datasource.pk)
    if not form.is_valid() or form.cleaned_data["role"] not in list(LABELS):
        return _page(request, datasource, form, status=422)
    offer, public_only = form.offer(), not services.owners_may().private_addresses
    role = ModelRole(form.cleaned_data["role"])
    outcome = tried(offer, role, request.user.pk, datasource.pk, public_only=public_only)
    if "use" not in request.POST or outcome.failure:
        return _page(request, datasource, form, status=422 if outcome.failure else 200, outcome=outcome)
    services.connect(form.cleaned_data["role"], offer, datasource.pk)
    messages.success(request, f"{offer.model} is connected for this datasource.")
    return redirect(PAGE(datasource.pk))


def _listed(request: HttpRequest, datasource: Datasource) -> HttpResponse:
    form, place = (kind(request.POST, datasource=datasource.pk) for kind in (ModelForm, PlaceForm))
    models: list[Offered] = []
    failure = ""
    if place.is_valid():
        given, public_only = place.cleaned_data, not services.owners_may().private_addresses
        try:
            models = offered(given["address"], given["key"], LIST_PATIENCE, public_only=public_only)
        except ProviderError as error:
            failure = error.message
    else:
        failure = " ".join(str(error) for errors in place.errors.values() for error in errors)
    initial = {name: form.data.get(name) for name in form.fields}
    shown = ModelForm(initial=initial, datasource=datasource.pk)
    return _page(request, datasource, shown, status=422 if failure else 200, offered=models, failure=failure)


def _page(
    request: HttpRequest, datasource: Datasource, form: ModelForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        **bar(datasource, "settings"),
        "form": form,
        "roles": LABELS.items(),
        "places": [(key, place) for key, place in PROVIDERS.items() if not place.reads_scans],
        "private_addresses": services.owners_may().private_addresses,
        **more,
    }
    return render(request, "datasources/own_model.html", context, status=status)


@login_required
@posted_from(PAGE)
def disconnect_own_model(request: HttpRequest, pk: int) -> HttpResponse:
    """The key is deleted with it; the models of everybody take its place."""
    datasource = datasource_for(request, pk, Role.OWNER)
    for role, _, connection in own_models(datasource):
        if role.value == request.POST.get("role"):
            services.assign(role, None, datasource.pk)
            messages.success(request, f"{connection.model} is disconnected, and its key is deleted.")
    return redirect(PAGE(pk))
