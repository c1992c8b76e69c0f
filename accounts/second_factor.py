"""Who is asked for a second factor, and which sessions have shown one."""

from datetime import datetime
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from django.apps import apps
from django.db import transaction
from django.db.models import Min
from django.http import HttpRequest

from accounts.models import User
from accounts.sessions import end_sessions, is_of, is_signed_in

KEY = "second_factor"  # in a session that has shown one
FIRST = "first_second_factor"  # in one whose person has just set up the first, until they have seen the codes
KINDS = ("totp", "webauthn")  # recovery codes alone are none


def is_required() -> bool:
    """Whether administrators ask everybody for one."""
    return bool(_rules().filter(required=True).exists())


def has_one(person_id: int) -> bool:
    return bool(_authenticators().filter(user_id=person_id, type__in=KINDS).exists())


def had_none_until(person_id: int) -> datetime | None:
    """When the person has set up the first of those there are; None without one."""
    factors = _authenticators().filter(user_id=person_id, type__in=KINDS)
    began: datetime | None = factors.aggregate(first=Min("created_at"))["first"]
    return began


def is_asked_of(person_id: int) -> bool:
    """Whether a password alone lets the person in nowhere."""
    return has_one(person_id) or is_required()


def has_shown_one(request: HttpRequest) -> bool:
    return bool(request.session.get(KEY))


@transaction.atomic
def require(required: bool) -> Any:
    """The row of the rule. Sessions without a second factor end: their people set one up at the next."""
    _rules().all().delete()
    rule = _rules().create(required=required)
    if required:
        end_sessions(lambda _, session: is_signed_in(session) and not session.get(KEY))
    return rule


@transaction.atomic
def take_away(person: User) -> None:
    """For somebody who has lost theirs. What it opened ends; at the next sign-in the password is enough, or
    another one is set up.
    """
    _authenticators().filter(user=person).delete()
    end_sessions(lambda _, session: is_of(session, person))


def remember(request: HttpRequest, user: User, login: Any) -> None:
    """At every sign-in: whether a second factor was shown. login: allauth's SocialLogin, if there is one."""
    shown = any(one["method"] == "mfa" for one in get_authentication_records(request, user))
    request.session[KEY] = shown or (login is not None and asks_itself(login))


def has_added_first(request: HttpRequest, person: User) -> None:
    """From now on, whoever knows the password alone is signed in nowhere any more."""
    request.session[KEY] = request.session[FIRST] = True
    own = request.session.session_key
    end_sessions(lambda key, session: key != own and is_of(session, person))


def asks_itself(login: Any) -> bool:
    """Whether the provider of an allauth SocialLogin asks for a second factor, as administrators know."""
    begun = login.state.get("openid") or {}
    providers = apps.get_model("openid", "IdentityProvider")._default_manager
    return bool(providers.filter(pk=begun.get("provider", 0), asks_second_factor=True).exists())


# Looked up, not imported: these models are loaded after those of accounts.
def _authenticators() -> Any:
    return apps.get_model("mfa", "Authenticator")._default_manager


def _rules() -> Any:
    return apps.get_model("factors", "SecondFactorRule")._default_manager
