"""Who is asked for a second factor, and which sessions have shown one."""

from collections.abc import Callable
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.signals import user_logged_in
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import SecondFactorRule, User

KEY = "second_factor"  # in a session that has shown one
KINDS = ("totp", "webauthn")  # recovery codes alone are none


def listen() -> None:
    from allauth.mfa.signals import authenticator_added

    user_logged_in.connect(_signed_in, dispatch_uid="accounts.second_factor.signed_in")
    authenticator_added.connect(_added, dispatch_uid="accounts.second_factor.added")


def is_required() -> bool:
    """Whether administrators ask everybody for one."""
    return SecondFactorRule.objects.filter(required=True).exists()


def has_one(person_id: int) -> bool:
    return bool(_authenticators().filter(user_id=person_id, type__in=KINDS).exists())


def is_asked_of(person_id: int) -> bool:
    """Whether a password alone lets the person in nowhere."""
    return has_one(person_id) or is_required()


def has_shown_one(request: HttpRequest) -> bool:
    return bool(request.session.get(KEY))


@transaction.atomic
def require(required: bool) -> None:
    """Sessions without a second factor end: their people set one up as they sign in again."""
    SecondFactorRule.objects.all().delete()
    SecondFactorRule.objects.create(required=required)
    if required:
        end_sessions(lambda _, session: not session.get(KEY))


@transaction.atomic
def take_away(person: User) -> None:
    """For somebody who has lost theirs. What it opened ends; at the next sign-in the password is enough, or
    another one is set up.
    """
    _authenticators().filter(user=person).delete()
    end_sessions(lambda _, session: _is_of(session, person))


def end_sessions(ends: Callable[[str, dict[str, Any]], bool]) -> None:
    """Those of signed-in people for whose key and contents it is true."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        decoded = session.get_decoded()
        if "_auth_user_id" in decoded and ends(session.session_key, decoded):
            session.delete()


def _signed_in(request: HttpRequest, user: User, **others: Any) -> None:
    login = others.get("sociallogin")
    shown = any(one["method"] == "mfa" for one in get_authentication_records(request, user))
    request.session[KEY] = shown or (login is not None and asks_itself(login))


def _added(request: HttpRequest, user: User, authenticator: Any, **others: Any) -> None:
    """With the first one, whoever knows the password alone is signed in nowhere any more."""
    if authenticator.type not in KINDS:
        return
    request.session[KEY] = True
    if not _authenticators().filter(user=user, type__in=KINDS).exclude(pk=authenticator.pk).exists():
        end_sessions(lambda key, session: key != request.session.session_key and _is_of(session, user))


def _is_of(session: dict[str, Any], person: User) -> bool:
    return session.get("_auth_user_id") == str(person.pk)


def asks_itself(login: Any) -> bool:
    """Whether the provider of an allauth SocialLogin asks for a second factor, as administrators know."""
    begun = login.state.get("openid") or {}
    providers = apps.get_model("openid", "IdentityProvider")._default_manager
    return bool(providers.filter(pk=begun.get("provider", 0), asks_second_factor=True).exists())


def _authenticators() -> Any:
    # Looked up, not imported: the models of allauth are loaded after those of accounts.
    return apps.get_model("mfa", "Authenticator")._default_manager
