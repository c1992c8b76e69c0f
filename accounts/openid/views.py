"""Where administrators set up the providers that people sign in with, and people let go of one."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.audit import note
from accounts.models import AuditAct, User
from accounts.openid import services, sessions
from accounts.openid.discovery import Unusable
from accounts.openid.entrance import callback
from accounts.openid.forms import NewProviderForm, ProviderForm
from accounts.openid.models import IdentityProvider
from providers.web.administrators import administrators_only


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def new_provider(request: HttpRequest) -> HttpResponse:
    """Its name and address; what has to be registered there is known after that."""
    form = NewProviderForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = form.save()
        note(request.user, AuditAct.PROVIDER, made, f"added {made.name} at {made.issuer}")
        return redirect("identity_provider", made.pk)
    return render(request, "accounts/new_provider.html", _page(form), status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
@sensitive_post_parameters("secret")
def identity_provider(request: HttpRequest, provider: int) -> HttpResponse:
    """What provider and SVQ have to know of each other. Tests what is in the form, or keeps it."""
    row = get_object_or_404(IdentityProvider, pk=provider)
    form = ProviderForm(request.POST or None, instance=row)
    context = _page(form) | {
        "callback": callback(request, row),
        "after": request.build_absolute_uri(reverse("account_login")),
        "back_channel": request.build_absolute_uri(reverse("openid_ended_there", args=[row.pk])),
        "people": services.people_of(row),
        "stored": IdentityProvider.objects.get(pk=row.pk),
    }
    if request.method == "POST" and form.is_valid():
        if "test" not in request.POST:
            form.save()
            changed = ", ".join(form.changed_data) or "nothing"
            note(request.user, AuditAct.PROVIDER, row, f"{row.name}: {changed}")
            messages.success(request, f"{row.name} is saved.")
            return redirect("sign_in_settings")
        context |= _tested(form.save(commit=False), context["callback"])
    if getattr(request, "htmx", False):
        return render(request, "accounts/_provider_tested.html", context, status=422 if form.errors else 200)
    return render(request, "accounts/provider.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def remove_provider(request: HttpRequest, provider: int) -> HttpResponse:
    """The question whether to, then the list without it."""
    row = get_object_or_404(IdentityProvider, pk=provider)
    if request.method == "POST":
        note(request.user, AuditAct.PROVIDER, row, f"removed {row.name} at {row.issuer}")
        services.remove(row)
        messages.success(request, f"{row.name} is removed.")
        return redirect("sign_in_settings")
    context = {
        "provider": row,
        "people": services.people_of(row),
        "mail": bool(settings.EMAIL_URL),
        "tab": "account",
    }
    return render(request, "accounts/remove_provider.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def disconnect(request: HttpRequest, provider: int) -> HttpResponse:
    """One's own account is no longer signed in by the provider."""
    row = get_object_or_404(IdentityProvider, pk=provider)
    if request.method == "POST":
        assert isinstance(request.user, User)
        if services.disconnect(request.user, row, here=request.session.session_key):
            if (request.session.get(sessions.KEY) or {}).get("provider") == row.pk:
                del request.session[sessions.KEY]
            messages.success(request, f"{row.name} no longer signs you in.")
        else:
            messages.error(request, f"Set a password first: {row.name} is your only way in.")
    return redirect("account_settings")


def _page(form: Any) -> dict[str, Any]:
    return {"form": form, "tab": "account", "here": "sign_in_settings"}


def _tested(provider: IdentityProvider, address: str) -> dict[str, Any]:
    if not provider.client_id:
        return {"failure": "Give the client ID first."}
    try:
        services.check(provider, address)
    except Unusable as refusal:
        return {"failure": str(refusal)}
    return {"passed": True}
