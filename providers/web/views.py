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
def models(request: HttpRequest) -> HttpResponse:
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


def _submitted(request: HttpRequest) -> HttpResponse:
    """Tried first, and used when it answers or when that is asked for all the same."""
    form = ModelForm(request.POST)
    role = _role(request.POST.get("role", ""))
    if not form.is_valid():
        return render(request, "providers/models.html", _page(request, role, form), status=422)
    offer = form.offer()
    ability, failure = _tried(offer)
    told = {"ability": ability, "failure": failure}
    if "test" in request.POST or (failure and "anyway" not in request.POST):
        status = 422 if failure else 200
        return render(request, "providers/models.html", _page(request, role, form) | told, status=status)
    services.connect(role, offer)
    place = PROVIDERS[offer.provider].name
    messages.success(request, f"{offer.model} at {place} is connected. Ask again for an answer in sentences.")
    return redirect(_next(request) or reverse("models"))


def _tried(offer: Offer) -> tuple[Ability | None, str]:
    try:
        return async_to_sync(probe)(offer.address, offer.key, offer.model), ""
    except ProviderError as error:
        return None, error.message
    except TimeoutError:
        return None, "The server does not answer within a minute."


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def disconnect(request: HttpRequest) -> HttpResponse:
    """Take the role away and delete its key."""
    if request.method != "POST":
        return redirect("models")
    services.disconnect(_role(request.POST.get("role", "")))
    messages.success(request, "Disconnected. The key is deleted.")
    return redirect("models")


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
    host = _host(address)
    stays = host in THIS_COMPUTER
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
        "server_name": "the server on this computer" if stays else host,
        "stays": stays,
        "has_key": bool(address and kept_key(address)),
        "of_environment": bool(settings.LLM_BASE_URL),
        "next": _next(request),
    }


def _row(role: ModelRole) -> dict[str, Any]:
    name, does = ROLES[role]
    connection = services.connected(role)
    return {
        "role": role,
        "name": name,
        "does": does,
        "connection": connection,
        "key_is_lost": connection is not None and services.key_of(connection) is None,
        "stands_in": ROLES[STAND_INS[role]][0].lower() if role in STAND_INS else "",
    }


def _role(name: str) -> ModelRole:
    return ModelRole(name) if name in set(ROLES) else ModelRole.AGENT


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _next(request: HttpRequest) -> str:
    """Where the person came from."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if safe else ""
