"""The forms that take a code, with SVQ's own counts of attempts."""

import math
from typing import Any

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError

from accounts.attempts import TooManyAttempts
from accounts.factors.attempts import USED, CodeAttempt


class Counted:
    """Put before a form of allauth with a `code`."""

    user: Any
    authenticator: Any

    def clean_code(self) -> str:
        """Raises ValidationError."""
        try:
            attempt = CodeAttempt(context.request, self.user.email)
        except TooManyAttempts as refusal:
            minutes = math.ceil(refusal.wait / 60)
            raise ValidationError(
                f"Too many wrong codes. Wait {minutes} minute{'s' if minutes > 1 else ''}, then try again.",
                code="too_many_codes",
            ) from refusal
        code: str = super().clean_code()  # type: ignore[misc]
        if self.authenticator.type == Authenticator.Type.TOTP and USED.take(f"{self.user.pk} {code.strip()}"):
            raise get_adapter().validation_error("incorrect_code")
        attempt.succeeded()
        return code


class CodeForm(Counted, AuthenticateForm):
    """At sign-in."""


class CodeAgainForm(Counted, ReauthenticateForm):
    """Before something is changed."""
