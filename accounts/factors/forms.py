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
from allauth.mfa.webauthn.internal.auth import parse_authentication_response, parse_registration_response
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.attempts import TooManyAttempts
from accounts.audit_sign_in import not_let_in
from accounts.factors.attempts import USED, CodeAttempt
from accounts.factors.passkeys import PasskeyCopied, count_signature, require_own_page

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
    except PasskeyCopied as error:
        raise ValidationError(
            _(
                "This passkey seems to have been copied, so it was not taken. Sign in another way, remove it "
                "in your settings and add it anew."
            ),
            code="passkey_copied",
        ) from error
    except (ValidationError, *NONSENSE) as error:
        raise ValidationError(_("This passkey was not taken. Try again."), code="passkey") from error


class Made:
    """Put before a form of allauth with a new passkey."""

    cleaned_data: dict[str, Any]

    def clean(self) -> Any:
        return understood(self._checked)

    def _checked(self) -> Any:
        if sent := self.cleaned_data.get("credential"):
            require_own_page(context.request, parse_registration_response(sent).response.client_data)
        return super().clean()  # type: ignore[misc]


class Shown:
    """Put before a form of allauth with what a passkey has signed."""

    cleaned_data: dict[str, Any]

    def clean_credential(self) -> Any:
        return understood(self._checked)

    def _checked(self) -> Any:
        signed = parse_authentication_response(self.cleaned_data["credential"]).response
        require_own_page(context.request, signed.client_data)
        passkey: Authenticator = super().clean_credential()  # type: ignore[misc]
        try:
            count_signature(passkey, signed.authenticator_data.counter)
        except PasskeyCopied:
            not_let_in(context.request, passkey.user, "a passkey that seems to have been copied")
            raise
        return passkey


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
