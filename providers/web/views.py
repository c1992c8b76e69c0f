"""Connecting model servers, by administrators, for all datasources."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from providers import local_servers
from providers.connections import services
from providers.connections.catalogue import LOCAL, PROVIDERS
from providers.connections.services import Offer
from providers.openai.models import offered
from providers.openai.probe import Ability, probe
from providers.protocols import ProviderError
from providers.roles import STAND_INS, ModelRole
from providers.web.forms import ROLES, ModelForm, PlaceForm, kept_key

View = Callable[..., HttpResponse]


class HtmxRequest(HttpRequest):
    """A request as the middleware of htmx hands it on."""

    htmx: HtmxDetails


LIST_PATIENCE = 10.0  # seconds
THIS_COMPUTER = ("localhost", "127.0.0.1", "::1")


def administrators_only(view: View) -> View:
    """For everybody else the page does not exist."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not getattr(request.user, "is_superuser", False):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
@sensitive_post_parameters("key")
def models(request: HtmxRequest) -> HttpResponse:
    """Who plays which role; a place to choose, its key and its model; trying it, and using it."""
    if request.method == "POST":
        return _submitted(request)
    role = _role(request.GET.get("role", ""))
    now = services.connected(role)
    place = request.GET.get("place", now.provider if now else "")
    if place not in PROVIDERS:
        return render(request, "providers/models.html", _page(request, role))
    stays = now is not None and now.provider == place
    first = {
        "provider": place,
        "role": role,
        "address": request.GET.get("address") or (now.address if now and stays else ""),
        "model": request.GET.get("model") or (now.model if now and stays else ""),
        "price_input": (now.price_input or None) if now and stays else None,
        "price_output": (now.price_output or None) if now and stays else None,
        "timeout": now.timeout if now and stays else 120,
    }
    return render(request, "providers/models.html", _page(request, role, ModelForm(initial=first)))


def _submitted(request: HtmxRequest) -> HttpResponse:
    """Tried first, and used when it answers or when that is asked for all the same.

    With scripts only what was found out is sent back, so that the form keeps what was typed, the key with it.
    """
    form = ModelForm(request.POST)
    role = _role(request.POST.get("role", ""))
    shown = "providers/_tested.html" if request.htmx else "providers/models.html"
    if not form.is_valid():
        return render(request, shown, _page(request, role, form), status=422)
    offer = form.offer()
    ability, failure = _tried(offer)
    if "test" in request.POST or (failure and "anyway" not in request.POST):
        told = _page(request, role, form) | {"ability": ability, "failure": failure}
        return render(request, shown, told, status=422 if failure else 200)
    services.connect(role, offer)
    messages.success(request, _connected(role, f"{offer.model} at {PROVIDERS[offer.provider].name}"))
    there = _next(request) or reverse("models")
    return HttpResponseClientRedirect(there) if request.htmx else redirect(there)


def _connected(role: ModelRole, model: str) -> str:
    if settings.LLM_BASE_URL:
        return f"{model} is stored. It is used once SVQ_LLM_BASE_URL is unset."
    does = {
        ModelRole.AGENT: "answers from the next question on",
        ModelRole.EXTRACTION: "reads for the graph from now on, where a datasource is read by a model",
        ModelRole.JUDGE: "gives its opinion from the next answer on",
    }
    return f"{model} is connected. It {does[role]}."


def _tried(offer: Offer) -> tuple[Ability | None, str]:
    try:
        return async_to_sync(probe)(offer.address, offer.key, offer.model), ""
    except ProviderError as error:
        return None, error.message
    except TimeoutError:
        return None, "The server does not answer within 30 seconds."


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def disconnect(request: HtmxRequest) -> HttpResponse:
    """Ask, then take the role away and delete its key."""
    asked = request.POST if request.method == "POST" else request.GET
    role = _role(asked.get("role", ""))
    connection = services.connected(role)
    if connection is None:
        return redirect("models")
    if request.method != "POST":
        return render(request, "providers/disconnect.html", {"connection": connection, **_row(role)})
    services.disconnect(role)
    messages.success(request, f"{connection.model} is disconnected.")
    return redirect("models")


@require_safe
@administrators_only
def leaves(request: HtmxRequest) -> HttpResponse:
    """What a server would get, as its address is typed."""
    context = _leaves(request.GET.get("address", "")) | {"role": _role(request.GET.get("role", ""))}
    return render(request, "providers/_leaves.html", context)


@require_safe
@administrators_only
def found(request: HttpRequest) -> HttpResponse:
    """The servers that answer on this machine."""
    context = {
        "found": local_servers.find(),
        "role": _role(request.GET.get("role", "")),
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
            context["offered"] = offered(
                form.cleaned_data["address"], form.cleaned_data["key"], LIST_PATIENCE
            )
        except ProviderError as error:
            context["failure"] = error.message
    return render(request, "providers/_offered.html", context)


def _page(request: HttpRequest, role: ModelRole, form: ModelForm | None = None) -> dict[str, Any]:
    place = (form["provider"].value() or "") if form else ""
    provider = PROVIDERS.get(place)
    address = (provider.address if provider else "") or (form["address"].value() or "" if form else "")
    return {
        "tab": "account",
        "rows": [_row(one) for one in ROLES],
        "role": role,
        "role_name": ROLES[role][0].lower(),
        "places": [(key, one) for key, one in PROVIDERS.items() if key not in LOCAL or key == "vllm"],
        "place": place,
        "provider": provider,
        "form": form,
        "address": address,
        **_leaves(address),
        "has_key": bool(address and kept_key(address)),
        "of_environment": bool(settings.LLM_BASE_URL),
        "next": _next(request),
    }


def _leaves(address: str) -> dict[str, Any]:
    """Who gets what is asked, and whether that leaves this computer."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    stays = host in THIS_COMPUTER
    return {"server_name": "the server on this computer" if stays else host, "stays": stays}


def _row(role: ModelRole) -> dict[str, Any]:
    name, does = ROLES[role]
    connection = services.connected(role)
    return {
        "role": role,
        "name": name,
        "does": does,
        "connection": connection,
        "key_is_lost": connection is not None and services.key_of(connection) is None,
        "stands_in": role in STAND_INS and services.connected(STAND_INS[role]) is not None,
        "key_is_shared": connection is not None and services.is_key_of_others(connection),
    }


def _role(name: str) -> ModelRole:
    return ModelRole(name) if name in set(ROLES) else ModelRole.AGENT


def _next(request: HttpRequest) -> str:
    """Where the person came from."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if safe else ""
