"""The steps of a sign-in that ask for a second factor, around allauth's own."""

import base64
from collections.abc import Callable
from typing import Any

from allauth.account.internal.decorators import login_stage_required
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.views import authenticate
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP, clear_totp_secret
from allauth.mfa.totp.views import activate_totp
from allauth.mfa.webauthn.internal.auth import WebAuthn, begin_registration
from allauth.mfa.webauthn.views import add_webauthn, login_webauthn
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.devices import remember_device
from accounts.factors.attempts import PASSKEYS
from accounts.factors.forms import FirstPasskeyForm
from accounts.factors.noting import note_change
from accounts.factors.stages import AskStage, SetUpStage, waiting
from accounts.limits import network
from accounts.models import User
from accounts.second_factor import FIRST, has_added_first, has_one


def ask(request: HttpRequest) -> HttpResponseBase:
    """A code or a passkey, after the password."""
    if (stage := waiting(request, AskStage.key)) and stage.is_over:
        answer: HttpResponseBase = stage.abort()
        return answer
    return _remembering(request, authenticate(request))


def passkey(request: HttpRequest) -> HttpResponseBase:
    """A passkey alone: it asks for a finger or a PIN itself."""
    if PASSKEYS.take(network(request)):
        page = render(request, "429.html", status=429)
        page["Retry-After"] = str(PASSKEYS.seconds)
        return page
    answer = _remembering(request, login_webauthn(request))
    if isinstance(request.user, User):
        for _ in ("what was asked", "what was shown"):
            PASSKEYS.give_back(network(request))
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def add_app(request: HttpRequest) -> HttpResponseBase:
    return _adding(request, activate_totp)


@require_http_methods(["GET", "HEAD", "POST"])
def add_passkey(request: HttpRequest) -> HttpResponseBase:
    return _adding(request, add_webauthn)


@require_safe
def passkeys(request: HttpRequest) -> HttpResponseBase:
    """allauth's list of them is a part of the page of second factors here."""
    return redirect("mfa_index")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_stage_required(stage=SetUpStage.key, redirect_urlname="account_login")
def set_up(request: HttpRequest) -> HttpResponseBase:
    """An app for codes or a passkey, where administrators require one and the person has none.

    The person is signed in only after that; the next page shows the recovery codes.
    """
    stage: Any = request._login_stage  # type: ignore[attr-defined]
    person = stage.login.user
    if stage.is_over or has_one(person.pk):  # by now: set up in another window, which then has to be asked
        answer: HttpResponseBase = stage.abort()
        return answer
    sent = request.POST if request.method == "POST" else None
    by_passkey = sent is not None and "credential" in sent
    form = ActivateTOTPForm(user=person, data=None if by_passkey else sent)
    passkey_form = FirstPasskeyForm(user=person, data=sent if by_passkey else None)
    given: Any = passkey_form if by_passkey else form
    if not given.is_valid():
        opens = get_adapter().build_totp_url(person, form.secret)
        context = {
            "form": form,
            "secret": form.secret,
            "opens": opens,
            "qr": picture(opens),
            "passkey_form": passkey_form,
            "creation_options": begin_registration(person, False),
            "person": person,
        }
        return render(request, "account/set_up_second_factor.html", context)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=person.pk)
        if by_passkey:
            name, credential = given.cleaned_data["name"], given.cleaned_data["credential"]
            made = WebAuthn.add(person, name, credential).instance
        else:
            made = TOTP.activate(person, form.secret).instance
        RecoveryCodes.activate(person)
        note_change(person, made, "added")
    clear_totp_secret(request)
    record_authentication(request, person, "mfa", id=made.pk, type=made.type)
    stage.login.redirect_url = reverse("mfa_view_recovery_codes")
    answer = _remembering(request, stage.exit())
    request.session[FIRST] = True
    return answer


def picture(address: str) -> str:
    """A QR code as a data address."""
    svg = get_adapter().build_totp_svg(address)
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _adding(request: HttpRequest, view: Callable[[HttpRequest], Any]) -> HttpResponseBase:
    """The first second factor ends the sign-ins that have shown none."""
    person = request.user
    is_first = request.method == "POST" and isinstance(person, User) and not has_one(person.pk)
    answer: HttpResponseBase = view(request)
    if is_first and isinstance(person, User) and has_one(person.pk):
        has_added_first(request, person)
    return answer


def _remembering(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    if request.method == "POST" and isinstance(request.user, User):
        remember_device(answer, request.user.email)
    return answer
