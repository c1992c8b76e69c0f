"""The form of a model server that an owner connects for one datasource, where administrators allow that."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from datasources.models import Datasource, Role
from datasources.own_servers import connect, disconnect, may_connect, open_roles, own_models
from datasources.settings.sections import page_of_section
from datasources.web.pages import bar, datasource_for, posted_from
from providers.connections import services
from providers.connections.catalogue import PROVIDERS
from providers.openai.models import Offered, offered
from providers.protocols import ProviderError
from providers.roles import ModelRole
from providers.trial import tried
from providers.web.forms import USUAL_TIMEOUT, ModelForm, PlaceForm, usual_model

PAGE = page_of_section("models")
LIST_PATIENCE = 10.0  # seconds
READS_SCANS = "ocr"  # its place; that of others is never this one
NO_LIST = gettext_lazy("An OCR server has no list of its models. Type the name of one.")


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
        "role": role if role in open_roles() else next(iter(open_roles())),
        "provider": place if place in PROVIDERS else connected.provider if connected else "openai",
        "address": connected.address if connected else "",
        "model": connected.model if connected else usual_model(role),
        "price_input": (connected.price_input or None) if connected else None,
        "price_output": (connected.price_output or None) if connected else None,
        "timeout": connected.timeout if connected else USUAL_TIMEOUT,
    }
    return _page(request, datasource, ModelForm(initial=first, datasource=pk))


def _submitted(request: HttpRequest, datasource: Datasource) -> HttpResponse:
    if "list" in request.POST:
        return _listed(request, datasource)
    form = ModelForm(_given(request), datasource=datasource.pk)
    if not form.is_valid() or form.cleaned_data["role"] not in open_roles():
        return _page(request, datasource, form, status=422)
    offer, public_only = form.offer(), not services.owners_may().private_addresses
    role = ModelRole(form.cleaned_data["role"])
    outcome = tried(offer, role, request.user.pk, datasource.pk, public_only=public_only)
    if "use" not in request.POST or outcome.failure:
        return _page(request, datasource, form, status=422 if outcome.failure else 200, outcome=outcome)
    not_read = connect(datasource, role, offer)
    name = _("The OCR server") if role == ModelRole.OCR else offer.model
    messages.success(request, _("{name} is connected for this datasource.").format(name=name))
    _tell_of_scans(request, not_read)
    return redirect(PAGE(datasource.pk))


def _tell_of_scans(request: HttpRequest, not_read: str) -> None:
    if not_read:
        messages.warning(request, _("Scans are read as before. {why}").format(why=not_read))


def _given(request: HttpRequest) -> QueryDict:
    """What was sent, its place after the job: text recognition has a place of its own."""
    given = request.POST.copy()
    reads_scans = given.get("role") == ModelRole.OCR
    if reads_scans != (given.get("provider") == READS_SCANS):
        given["provider"] = READS_SCANS if reads_scans else "other"
    given["model"] = given.get("model", "").strip() or usual_model(given.get("role", ""))
    return given


def _listed(request: HttpRequest, datasource: Datasource) -> HttpResponse:
    form, place = (kind(_given(request), datasource=datasource.pk) for kind in (ModelForm, PlaceForm))
    models: list[Offered] = []
    failure = ""
    if form.data.get("role") == ModelRole.OCR:
        failure = str(NO_LIST)
    elif place.is_valid():
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
    reads_scans = form["role"].value() == ModelRole.OCR
    context = {
        **bar(datasource, "settings"),
        "form": form,
        "roles": open_roles().items(),
        "reads_scans": reads_scans,
        "places": [(key, place) for key, place in PROVIDERS.items() if place.reads_scans == reads_scans],
        "private_addresses": services.owners_may().private_addresses,
        **more,
    }
    return render(request, "datasources/own_model.html", context, status=status)


@login_required
@posted_from(PAGE)
def disconnect_own_model(request: HttpRequest, pk: int) -> HttpResponse:
    """The key is deleted with it; the models of everybody take its place."""
    datasource = datasource_for(request, pk, Role.OWNER)
    for role, _label, connection in own_models(datasource):
        if role.value == request.POST.get("role"):
            not_read = disconnect(datasource, role)
            messages.success(
                request, _("{model} is disconnected, and its key is deleted.").format(model=connection.model)
            )
            _tell_of_scans(request, not_read)
    return redirect(PAGE(pk))
