"""What the audit log says of somebody's second factors."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from django.contrib import messages
from django.utils.translation import gettext as _

from accounts.audit import note
from accounts.models import AuditAct
from accounts.second_factor import has_one, is_required

NAMES = {
    Authenticator.Type.TOTP: "an app for codes",
    Authenticator.Type.WEBAUTHN: "a passkey",
    Authenticator.Type.RECOVERY_CODES: "recovery codes",
}
DONE = {authenticator_added: "added", authenticator_removed: "removed", authenticator_reset: "made anew"}


def note_change(person: Any, factor: Authenticator, done: str) -> None:
    note(person, AuditAct.SIGN_IN, person, f"{done}: {NAMES[Authenticator.Type(factor.type)]}")


def listen() -> None:
    """To what is changed on pages."""
    for signal in DONE:
        signal.connect(_changed)


def _changed(signal: Any, request: Any, user: Any, authenticator: Authenticator, **more: Any) -> None:
    note_change(user, authenticator, DONE[signal])
    if signal is authenticator_removed and is_required() and not has_one(user.pk):
        words = _(
            "This server asks everybody for a second factor: you set up another one at your next sign-in."
        )
        messages.warning(request, words)
