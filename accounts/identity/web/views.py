"""Where administrators set up the providers that people sign in with, and people let go of one."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.audit import note
from accounts.identity import services, sessions
from accounts.identity.models import IdentityProvider, Language
from accounts.identity.refusals import Unusable
from accounts.identity.saml.certificates import certificates_of
from accounts.identity.web.kinds import KINDS, kind_of
from accounts.models import AuditAct, User
from providers.web.administrators import administrators_only


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def new_provider(request: HttpRequest, language: str) -> HttpResponse:
    """How it is found; what has to be registered there is known after that."""
    form = KINDS[Language(language)].new_form(
        request.POST or None,
        instance=IdentityProvider(language=language, is_hidden=True),
        initial={"name": request.GET.get("name", "")},
    )
    if request.method == "POST" and form.is_valid():
        made = form.save()
        note(request.user, AuditAct.PROVIDER, made, f"added {made.name} at {made.issuer}")
        return redirect("identity_provider", made.pk)
    context = _page(form) | {"language": language, "languages": Language}
    return render(request, "accounts/new_provider.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
@sensitive_post_parameters("secret")
def identity_provider(request: HttpRequest, provider: int) -> HttpResponse:
    """What provider and SVQ have to know of each other. Tests what is in the form, or keeps it."""
    row = get_object_or_404(IdentityProvider, pk=provider)
    kind = kind_of(row)
    called = row.client_id or kind.called(request, row)
    form = kind.form(request.POST or None, instance=row, initial={"client_id": called})
    context = _page(form) | {
        "to_register": kind.to_register(request, row),
        "people": services.people_of(row),
        "stored": IdentityProvider.objects.get(pk=row.pk),
        "certificates": certificates_of(row),
    }
    if request.method == "POST" and form.is_valid():
        if "test" not in request.POST:
            form.save()
            note(
                request.user,
                AuditAct.PROVIDER,
                row,
                f"{row.name}: {', '.join(form.changed_data) or 'nothing'}",
            )
            said = (
                _("{name} is saved. It is not on the sign-in page yet.")
                if row.is_hidden
                else _("{name} is saved. It is on the sign-in page.")
            )
            messages.success(request, said.format(name=row.name))
            return redirect("sign_in_settings")
        try:
            context["passed"] = kind.check(request, form.save(commit=False))
        except Unusable as refusal:
            context["failure"] = str(refusal)
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
        messages.success(request, _("{name} is removed.").format(name=row.name))
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
            messages.success(request, _("{name} no longer signs you in.").format(name=row.name))
        else:
            messages.error(
                request, _("Set a password first: {name} is your only way in.").format(name=row.name)
            )
    return redirect("account_settings")


def _page(form: Any) -> dict[str, Any]:
    return {"form": form, "tab": "account", "here": "sign_in_settings"}
