"""Where administrators connect model servers for all datasources."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from localization.stored import retold
from providers import local_servers
from providers.connections import services
from providers.connections.catalogue import OTHER, PROVIDERS, THIS_COMPUTER, Provider
from providers.connections.models import EVERYWHERE, Connection
from providers.local_models import store
from providers.local_models.roles import LocalRole
from providers.openai.models import offered
from providers.protocols import ProviderError
from providers.roles import ModelRole, of_environment
from providers.trial import tried
from providers.web.administrators import administrators_only
from providers.web.connected import connected_models, is_number, role_of, row
from providers.web.forms import (
    CHOICE,
    IN_SENTENCE,
    USUAL_TIMEOUT,
    WRITING,
    ModelForm,
    PlaceForm,
    usual_model,
)


class HtmxRequest(HttpRequest):
    """A request as the middleware of htmx hands it on."""

    htmx: HtmxDetails


LIST_PATIENCE = 10.0  # seconds
FOR_PEOPLE = pgettext_lazy("a job of a model, within a sentence", "people to choose")


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
@sensitive_post_parameters("key")
def models(request: HtmxRequest) -> HttpResponse:
    """Which model plays which role; choosing a place, its key and its model; testing and using it."""
    if request.method == "POST":
        return _submitted(request)
    if not {"role", "place"} & set(request.GET):
        return render(request, "providers/models.html", _page(request, None))
    role = role_of(request.GET.get("role"))
    now = services.connected(role) if role else None
    shown = "providers/_connect.html" if request.htmx.target == "connect" else "providers/connect.html"
    place = request.GET.get("place", now.provider if now else "ocr" if role == ModelRole.OCR else "")
    if place not in dict(_places(role)):
        return render(request, shown, _page(request, role))
    stays = now is not None and now.provider == place
    first = {
        "provider": place,
        "role": role or CHOICE,
        "address": request.GET.get("address") or (now.address if now and stays else ""),
        "model": request.GET.get("model") or (now.model if now and stays else usual_model(role)),
        "price_input": (now.price_input or None) if now and stays else None,
        "price_output": (now.price_output or None) if now and stays else None,
        "timeout": now.timeout if now and stays else USUAL_TIMEOUT,
        "offered": now.offered if now and stays else not role,
    }
    return render(request, shown, _page(request, role, ModelForm(initial=first)))


def _submitted(request: HtmxRequest) -> HttpResponse:
    """Test the model, and use it if it answers or if the person wants it anyway.

    With htmx only the result of the test is sent back, so that the form keeps the typed key.
    """
    form = ModelForm(request.POST)
    role = role_of(request.POST.get("role"))
    shown = "providers/_tested.html" if request.htmx else "providers/connect.html"
    if not form.is_valid():
        return render(request, shown, _page(request, role, form), status=422)
    offer = form.offer()
    outcome = tried(offer, role, request.user.pk)
    doubtful = outcome.failure or (outcome.ability is not None and outcome.ability.is_weak)
    if "test" in request.POST or (doubtful and "anyway" not in request.POST):
        told = _page(request, role, form) | {"outcome": outcome}
        return render(request, shown, told, status=422 if outcome.failure else 200)
    services.connect(role or CHOICE, offer)
    named = _("{model} at {place}").format(model=offer.model, place=_place(offer))
    messages.success(request, _connected(role, named))
    there = _next(request) or reverse("models")
    return HttpResponseClientRedirect(there) if request.htmx else redirect(there)


def _place(offer: services.Offer) -> str:
    """The provider's name; the server's where that is none of a provider: “OpenAI compatible”."""
    host = urlsplit(offer.address).hostname if offer.provider == OTHER else ""
    return host or _(PROVIDERS[offer.provider].name)


def _connected(role: ModelRole | None, model: str) -> str:
    if role is None:
        told = _("{model} is connected. Owners may choose it for a datasource, and people for a question.")
        return told.format(model=model)
    if of_environment(role):
        told = _("{model} is stored. It is used once {variable} is unset.")
        return told.format(model=model, variable=_variable(role))
    does = {
        ModelRole.AGENT: _("It answers from the next question on."),
        ModelRole.EXTRACTION: _("It reads for the graph from now on, where a datasource is read by a model."),
        ModelRole.JUDGE: _("It gives its opinion from the next answer on."),
        ModelRole.EMBEDDINGS: _(
            "It embeds all passages in the background; the old vectors serve until then."
        ),
        ModelRole.RERANK: _("It looks at the best passages where a search asks for it."),
        ModelRole.OCR: _("It reads scans where a datasource's settings say so."),
    }
    told = _("{model} is connected.").format(model=model)
    return f"{told} {does[role]}"


def _variable(role: ModelRole) -> str:
    """The variable of the environment that names the server of the role."""
    names = {
        ModelRole.EMBEDDINGS: "SVQ_EMBEDDING_BASE_URL",
        ModelRole.RERANK: "SVQ_RERANK_BASE_URL",
        ModelRole.OCR: "SVQ_OCR_BASE_URL",
    }
    return names.get(role, "SVQ_LLM_BASE_URL")


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def disconnect(request: HtmxRequest) -> HttpResponse:
    """Confirm, then take the role away and delete its key."""
    asked = request.POST if request.method == "POST" else request.GET
    role = role_of(asked.get("role", ModelRole.AGENT))
    if role is None:
        return _withdraw(request, asked.get("model", ""))
    connection = services.connected(role)
    if connection is None:
        return redirect("models")
    if request.method != "POST":
        return render(request, "providers/disconnect.html", {"connection": connection, **row(role)})
    services.disconnect(role)
    messages.success(request, _("{model} is disconnected.").format(model=connection.model))
    return redirect("models")


def _withdraw(request: HtmxRequest, number: str) -> HttpResponse:
    """Confirm, then stop offering the model."""
    connection = services.offered().filter(pk=number).first() if is_number(number) else None
    if connection is None:
        return redirect("models")
    if request.method != "POST":
        context = {"connection": connection, "role": CHOICE, "name": "", "withdrawn": True}
        return render(request, "providers/disconnect.html", context)
    services.withdraw(connection)
    messages.success(request, _("{model} can no longer be chosen.").format(model=connection.model))
    return redirect("models")


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def owners(request: HtmxRequest) -> HttpResponse:
    """Whether owners may connect servers for their datasources, which, and where webhooks and connected
    folders may lead.
    """
    if request.method == "POST":
        given = request.POST
        names = ("connect", "private_addresses", "private_webhooks", "private_connectors")
        ticked = {name: name in given for name in names}
        try:
            services.allow_owners(**ticked)
        except ValidationError as refusal:
            messages.error(request, _(refusal.messages[0]))
        else:
            messages.success(request, _("Saved what owners may connect."))
    return redirect(f"{reverse('models')}#owners")


@require_safe
@administrators_only
def leaves(request: HtmxRequest) -> HttpResponse:
    """What a server would receive, shown while its address is typed."""
    context = _leaves(request.GET.get("address", "")) | {"role": role_of(request.GET.get("role")) or CHOICE}
    return render(request, "providers/_leaves.html", context)


@require_safe
@administrators_only
def found(request: HtmxRequest) -> HttpResponse:
    """The servers that answer on this machine."""
    context = {
        "found": local_servers.find(),
        "installed": store.installed(LocalRole.CHAT),
        "role": role_of(request.GET.get("role")) or CHOICE,
        "next": _next(request),
    }
    return render(request, "providers/_found.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
@sensitive_post_parameters("key")
def listed(request: HttpRequest) -> HttpResponse:
    """The models of a place, for the field that names one."""
    if request.method != "POST":
        return redirect("models")
    form = PlaceForm(request.POST)
    context: dict[str, Any] = {}
    if not form.is_valid():
        context["failure"] = " ".join(str(error) for errors in form.errors.values() for error in errors)
    else:
        try:
            found = offered(form.cleaned_data["address"], form.cleaned_data["key"], LIST_PATIENCE)
        except ProviderError as error:
            context["failure"] = retold(error.message)
        else:
            is_only = len(found) == 1 and not request.POST.get("model", "").strip()
            context |= {"offered": found, "only": found[0].name if is_only else ""}
    return render(request, "providers/_offered.html", context)


def _page(request: HtmxRequest, role: ModelRole | None, form: ModelForm | None = None) -> dict[str, Any]:
    place = (form["provider"].value() or "") if form else ""
    provider = PROVIDERS.get(place)
    address = (provider.address if provider else "") or (form["address"].value() or "" if form else "")
    return {
        "tab": "account",
        **connected_models(),
        "owners_may": services.owners_may(),
        "own_servers": Connection.objects.exclude(datasource=EVERYWHERE).count(),
        "role": role or CHOICE,
        "role_name": IN_SENTENCE[role] if role else FOR_PEOPLE,
        "writes": role is None or role in WRITING,
        "places": _places(role),
        "reads_scans": role == ModelRole.OCR,
        "place": place,
        "provider": provider,
        "form": form,
        "address": address,
        **_leaves(address),
        "has_key": bool(address and services.kept_key(address)),
        "of_environment": bool(settings.LLM_BASE_URL),
        "next": _next(request),
        "models_page": reverse("models"),
    }


def _places(role: ModelRole | None) -> list[tuple[str, Provider]]:
    """Where a model for the role can be had."""
    return [(key, one) for key, one in PROVIDERS.items() if one.reads_scans == (role == ModelRole.OCR)]


def _leaves(address: str) -> dict[str, Any]:
    """Who gets what is asked, and whether that leaves this computer."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    stays = host in THIS_COMPUTER
    return {"server_name": _("the server on this computer") if stays else host, "stays": stays}


def _next(request: HtmxRequest) -> str:
    """Where the person came from; under a dialog the page as it is now."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    if asked and (here := request.htmx.current_url_abs_path) and urlsplit(here).path != reverse("models"):
        asked = here.partition("#")[0]  # to a place of the same page a browser goes without loading it
    safe = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if safe else ""
