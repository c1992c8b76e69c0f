"""Signing in and out through a provider: the way there, the way back, and the provider's own word that a
session has ended.
"""

import logging
import secrets
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login
from allauth.socialaccount.internal import statekit
from allauth.socialaccount.providers.oauth2.utils import generate_code_challenge
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.attempts import remember_device
from accounts.limits import Limit, network
from accounts.models import User
from accounts.openid import jwts, sessions
from accounts.openid.adapter import refused
from accounts.openid.admission import groups_in, is_administrator
from accounts.openid.discovery import Unusable, discover
from accounts.openid.groups import mapped_groups
from accounts.openid.models import IdentityProvider
from accounts.openid.services import ready
from accounts.openid.tokens import claims_for

logger = logging.getLogger(__name__)
# Each makes this server ask the provider; those of sign-ins that succeed are given back.
FROM_NETWORK = Limit(name="openid-network", attempts=60, seconds=60)
LOGOUTS = Limit(name="openid-logouts", attempts=300, seconds=60)
USED_LOGOUT = Limit(name="openid-logout-token", attempts=1, seconds=3600)
FAILED = (
    "{name} did not confirm who you are, could not be reached, or took too long. Nothing is lost. Try "
    "again; if it happens again, tell the administrator of this server."
)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_with(request: HttpRequest, provider: int) -> HttpResponseBase:
    """To the provider's own page. Only a form of ours leads there, so that no link signs somebody in."""
    if request.method != "POST":
        return redirect("account_login")
    return _leave(request, get_object_or_404(ready(), pk=provider), "login")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def connect(request: HttpRequest, provider: int) -> HttpResponseBase:
    """The same for somebody who is signed in: from then on, the provider can sign them in."""
    if request.method != "POST":
        return redirect("account_settings")
    return _leave(request, get_object_or_404(ready(), pk=provider), "connect")


@require_safe
def returned(request: HttpRequest, provider: int) -> HttpResponseBase:
    """From the provider's page, with a code that is exchanged for an ID token."""
    row = get_object_or_404(ready(), pk=provider)
    if FROM_NETWORK.take(network(request)):
        return _too_many(request)
    asked = request.GET
    state = statekit.unstash_state(request, provider_id=row.key, state_id=asked.get("state", ""))
    if state is None:
        return _failed(request, row, "nobody here has asked for it, or more than ten minutes ago")
    if "code" not in asked:
        return _failed(request, row, f"the provider says {asked.get('error', 'nothing')[:80]!r}")
    if asked.get("iss", row.issuer) != row.issuer:
        return _failed(request, row, "another provider has answered")
    try:
        claims, token, metadata = claims_for(
            row,
            asked["code"],
            verifier=state["verifier"],
            nonce=state["nonce"],
            callback=callback(request, row),
        )
        if metadata.names_itself and "iss" not in asked:
            raise jwts.Refused("the answer does not name its provider")
    except (jwts.Refused, Unusable) as refusal:
        return _failed(request, row, str(refusal))
    known: Any = get_adapter().get_provider(request, row.key)
    login = known.sociallogin_from_response(request, claims)
    groups = mapped_groups(row, groups_in(row, claims))
    kept = sessions.kept(row, metadata, claims, token, is_administrator(row, claims), groups)
    login.state = {"process": state["process"], "next": state.get("next"), sessions.KEY: kept}
    try:
        with transaction.atomic():
            answer: HttpResponseBase = complete_social_login(request, login)
    except IntegrityError:
        return _failed(request, row, "the same person has signed in twice at once")
    for _ in ("the way there", "the way back"):
        FROM_NETWORK.give_back(network(request))
    if isinstance(request.user, User):
        remember_device(answer, request.user.email)
    return answer


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def ended_there(request: HttpRequest, provider: int) -> HttpResponse:
    """Back-channel logout: the provider itself says, in a signed token, whose session has ended."""
    if request.method != "POST":
        return redirect("account_login")
    row = get_object_or_404(ready(), pk=provider)
    if LOGOUTS.take(network(request)):
        return JsonResponse({"error": "too_many_requests"}, status=429)
    try:
        claims = jwts.logout(row, discover(row.issuer), request.POST.get("logout_token", ""))
        if USED_LOGOUT.take(f"{row.key} {claims['jti']}"):
            raise jwts.Refused("it was used before")
    except (jwts.Refused, Unusable) as refusal:
        logger.warning("A logout by %s was refused: %s.", row.key, refusal)
        return JsonResponse({"error": "invalid_request"}, status=400)
    sessions.end(row, claims)
    return HttpResponse(headers={"Cache-Control": "no-store"})


def leaving(request: HttpRequest, address: str, name: str, *, out: bool = False) -> HttpResponse:
    """A page that goes to the address at once. A redirect would not do: the policy of our pages lets forms
    lead to ourselves alone, and browsers apply it to redirects too.
    """
    return render(request, "account/leaving.html", {"address": address, "name": name, "out": out})


def callback(request: HttpRequest, provider: IdentityProvider) -> str:
    return request.build_absolute_uri(reverse("openid_returned", args=[provider.pk]))


def _leave(request: HttpRequest, row: IdentityProvider, process: str) -> HttpResponse:
    if FROM_NETWORK.take(network(request)):
        return _too_many(request)
    try:
        metadata = discover(row.issuer)
    except Unusable as refusal:
        return _failed(request, row, str(refusal), status=424)
    nonce, proof = secrets.token_urlsafe(32), generate_code_challenge()
    state: dict[str, Any] = {"process": process, "nonce": nonce, "verifier": proof["code_verifier"]}
    if onwards := get_next_redirect_url(request):
        state["next"] = onwards
    asked = {
        "response_type": "code",
        "client_id": row.client_id,
        "redirect_uri": callback(request, row),
        "scope": "openid profile email",
        "state": statekit.stash_state(request, provider_id=row.key, state=state),
        "nonce": nonce,
        "code_challenge": proof["code_challenge"],
        "code_challenge_method": "S256",
    }
    address = metadata.authorization_endpoint
    return leaving(request, f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}", row.name)


def _failed(request: HttpRequest, row: IdentityProvider, why: str, status: int = 403) -> HttpResponse:
    logger.warning("A sign-in through %s failed: %s.", row.key, why)
    return refused(request, row, FAILED.format(name=row.name), status)


def _too_many(request: HttpRequest) -> HttpResponse:
    page = render(request, "429.html", status=429)
    page["Retry-After"] = str(FROM_NETWORK.seconds)
    return page
