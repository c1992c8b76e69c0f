"""What is the same of all ways back from a provider."""

from typing import Any

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseBase

from accounts.devices import remember_device
from accounts.identity import sessions
from accounts.identity.models import IdentityProvider
from accounts.identity.pages import FROM_NETWORK, failed
from accounts.limits import network
from accounts.models import User


def come_in(
    request: HttpRequest,
    row: IdentityProvider,
    claims: dict[str, Any],
    state: dict[str, Any],
    **to_end_it: Any,
) -> HttpResponseBase:
    """Whom the provider has named is signed in, or connected, if `admission` lets them.

    state: of the way there. to_end_it: see `sessions.kept`.
    """
    if row.is_hidden and not _tries_it(request, state):
        return failed(request, row, "it is left off the sign-in page until an administrator puts it there")
    known: Any = get_adapter().get_provider(request, row.key)
    login = known.sociallogin_from_response(request, claims)
    kept = sessions.kept(row, claims, **to_end_it)
    login.state = {"process": state["process"], "next": state.get("next"), sessions.KEY: kept}
    try:
        with transaction.atomic():
            answer: HttpResponseBase = complete_social_login(request, login)
    except IntegrityError:
        return failed(request, row, "the same person has signed in twice at once")
    for _ in ("the way there", "the way back"):
        FROM_NETWORK.give_back(network(request))
    if isinstance(request.user, User):
        remember_device(answer, request.user.email)
    return answer


def _tries_it(request: HttpRequest, state: dict[str, Any]) -> bool:
    """Whether it is an administrator, who connects it: of a hidden provider nobody is signed in."""
    person = request.user
    return state["process"] == "connect" and isinstance(person, User) and person.is_superuser
