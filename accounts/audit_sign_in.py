"""Notes who signs in and out, and at which accounts somebody failed to. An address without an account is not
kept: people type passwords there by mistake.
"""

from typing import Any

from allauth.mfa.signals import authentication_failed
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.audit import note
from accounts.models import AuditAct, User


@receiver(user_logged_in)
def entered(request: HttpRequest | None, user: User, **_: Any) -> None:
    """In a browser; REST calls it for its own sign-in."""
    note(user, AuditAct.ENTERED, user, _whence(request))


@receiver(user_logged_out)
def left(request: HttpRequest | None, user: User | None, **_: Any) -> None:
    if user:
        note(user, AuditAct.LEFT, user, _whence(request))


@receiver(user_login_failed)
def refused(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    named = str(credentials.get("email") or credentials.get("username") or "").lower().replace("\0", "")
    if user := User.objects.filter(email=named).first():
        note(user, AuditAct.REFUSED, user, _whence(request))


@receiver(authentication_failed)
def wrong_factor(request: HttpRequest, user: User, **_: Any) -> None:
    """A wrong code, or a passkey that is not theirs."""
    note(user, AuditAct.REFUSED, user, f"second factor, {_whence(request)}")


def not_let_in(request: HttpRequest | None, user: User, why: str) -> None:
    """Somebody who is signed in or knows the password, or a code that was right once."""
    note(user, AuditAct.REFUSED, user, f"{why}, {_whence(request)}")


def _whence(request: HttpRequest | None) -> str:
    """The network address that the request came from."""
    return f"from {request.META['REMOTE_ADDR']}" if request and request.META.get("REMOTE_ADDR") else ""
