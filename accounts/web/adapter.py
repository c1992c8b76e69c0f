"""How allauth behaves here: sign-up only when the operator allows it, attempts counted by `attempts`, the
steps of a sign-in.
"""

import time
from typing import Any, ClassVar
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.internal.flows.login import get_authentication_records
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext_lazy

from accounts import mail
from accounts import second_factor as rules
from accounts.attempts import PAGE, SLOW_SECONDS, Attempt, TooManyAttempts
from accounts.identity import sessions
from accounts.invitations import account_invitation_in
from accounts.limits import network
from accounts.models import User
from localization.languages import chosen_by

WRONG_PASSWORD = gettext_lazy("This password is not right.")


class AccountAdapter(DefaultAccountAdapter):
    error_messages: ClassVar = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": (
            gettext_lazy(
                "This e-mail address and password do not belong together. Check both; capital letters count."
            )
        ),
        "enter_current_password": WRONG_PASSWORD,
        "incorrect_password": WRONG_PASSWORD,
        "too_many_login_attempts": (
            gettext_lazy(
                "Too many failed attempts. Wait a few minutes, or sign in on a device that you have "
                "used before."
            )
        ),
        "too_many_at_once": (
            gettext_lazy(
                "Too many attempts at this account at the moment. Try again in a few seconds, or sign in on "
                "a device that you have used before."
            )
        ),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGNUP_OPEN) or account_invitation_in(request) is not None

    def is_email_verified(self, request: HttpRequest, email: str) -> bool:
        """By the administrator who has invited the address."""
        invited = account_invitation_in(request)
        vouched = invited is not None and invited.email == email.lower()
        return vouched or bool(super().is_email_verified(request, email))

    def get_login_stages(self) -> list[str]:
        asked = {"allauth.mfa.stages.AuthenticateStage": "accounts.factors.stages.AskStage"}
        stages = [asked.get(stage, stage) for stage in super().get_login_stages()]
        return [*stages, "accounts.factors.stages.SetUpStage"]

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Not of somebody who has signed in within the last minutes."""
        if not super().is_reauthentication_required(app=app):
            return False
        shown = get_authentication_records(self.request, self.request.user)
        return not any(time.time() - one["at"] < REAUTHENTICATION_TIMEOUT for one in shown)

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **others: Any) -> HttpResponse:
        """The end of every sign-in in a browser."""
        login = (others["signal_kwargs"] or {}).get("sociallogin")
        assert isinstance(user, User)
        sessions.remember(request, user, login)
        rules.remember(request, user, login)
        return super().post_login(request, user, **others)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Links lead to the address that is set: the request's Host is whatever its sender wrote there."""
        given = {name: on_site(value) if name.endswith("_url") else value for name, value in context.items()}
        with translation.override(chosen_by(context.get("user")) or translation.get_language()):
            message = self.render_mail(template_prefix, email, given | {"email": email})
        mail.send_later(message)

    def get_client_ip(self, request: HttpRequest) -> str:
        """REMOTE_ADDR is the visitor's: the application has read what trusted proxies say of it."""
        return network(request)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Raises ValidationError after too many attempts, and leaves the seconds to wait on the request."""
        try:
            with Attempt(request, credentials.get("email", ""), PAGE) as attempt:
                user = super().authenticate(request, **credentials)
                attempt.end(success=user is not None)
        except TooManyAttempts as refusal:
            request.retry_after = refusal.wait  # type: ignore[attr-defined]
            is_short = refusal.wait <= SLOW_SECONDS
            raise self.validation_error(
                "too_many_at_once" if is_short else "too_many_login_attempts"
            ) from refusal
        return user


def on_site(address: str) -> str:
    return settings.SITE_URL + urlsplit(address).path
