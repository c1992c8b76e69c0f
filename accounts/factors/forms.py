"""The forms that take a code, with SVQ's own counts of attempts, or what a passkey has signed."""

import math
import struct
from collections.abc import Callable
from typing import Any, TypeVar

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
    SignupWebAuthnForm,
)
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.attempts import TooManyAttempts
from accounts.audit_sign_in import not_let_in
from accounts.factors.attempts import USED, CodeAttempt

T = TypeVar("T")
# What the library raises for something that no browser sends.
NONSENSE = (ValueError, TypeError, LookupError, AttributeError, struct.error)


class Counted:
    """Put before a form of allauth with a `code`."""

    user: Any
    authenticator: Any

    def clean_code(self) -> str:
        """Raises ValidationError."""
        try:
            attempt = CodeAttempt(context.request, self.user.email)
        except TooManyAttempts as refusal:
            not_let_in(context.request, self.user, "too many codes")
            minutes = math.ceil(refusal.wait / 60)
            raise ValidationError(
                ngettext(
                    "Too many wrong codes. Wait {n} minute, then try again, or sign in on a device that you "
                    "have used before.",
                    "Too many wrong codes. Wait {n} minutes, then try again, or sign in on a device that you "
                    "have used before.",
                    minutes,
                ).format(n=minutes),
                code="too_many_codes",
            ) from refusal
        code: str = super().clean_code()  # type: ignore[misc]
        # As the library reads it, which takes “123-456” for “123456”.
        read = "".join(filter(str.isalnum, code)).lower()
        if self.authenticator.type == Authenticator.Type.TOTP and USED.take(f"{self.user.pk} {read}"):
            not_let_in(context.request, self.user, "a code that was used before")
            raise get_adapter().validation_error("incorrect_code")
        attempt.succeeded()
        return code


class CodeForm(Counted, AuthenticateForm):
    """At sign-in."""


class CodeAgainForm(Counted, ReauthenticateForm):
    """Before something is changed."""


# --- passkeys --------------------------------------------------------------------------------------------
def understood(check: Callable[[], T]) -> T:
    """Raises ValidationError, whatever is wrong with what was sent."""
    try:
        return check()
    except (ValidationError, *NONSENSE) as error:
        raise ValidationError(_("This passkey was not taken. Try again."), code="passkey") from error


class Made:
    """Put before a form of allauth with a new passkey."""

    def clean(self) -> Any:
        return understood(super().clean)  # type: ignore[misc]


class Shown:
    """Put before a form of allauth with what a passkey has signed."""

    def clean_credential(self) -> Any:
        return understood(super().clean_credential)  # type: ignore[misc]


class NewPasskeyForm(Made, AddWebAuthnForm):
    """In one's settings."""


class FirstPasskeyForm(Made, SignupWebAuthnForm):
    """At sign-in, where there has to be one."""


class PasskeyForm(Shown, AuthenticateWebAuthnForm):
    """After the password."""


class PasskeyAloneForm(Shown, LoginWebAuthnForm):
    """In place of the password."""


class PasskeyAgainForm(Shown, ReauthenticateWebAuthnForm):
    """Before something is changed."""
