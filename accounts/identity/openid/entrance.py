"""The way back from a provider's page, and the provider's own word that a session has ended."""

import logging

from allauth.socialaccount.internal import statekit
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.identity import sessions
from accounts.identity.entrance import come_in
from accounts.identity.models import Language
from accounts.identity.openid import jwts
from accounts.identity.openid.discovery import discover
from accounts.identity.openid.tokens import claims_for
from accounts.identity.openid.way import callback
from accounts.identity.pages import FROM_NETWORK, failed, one_line, too_many
from accounts.identity.refusals import Refused, Unusable
from accounts.identity.services import ready
from accounts.limits import Limit, network
from localization.in_english import in_english

logger = logging.getLogger(__name__)
LOGOUTS = Limit(name="openid-logouts", attempts=300, seconds=60)
USED_LOGOUT = Limit(name="openid-logout-token", attempts=1, seconds=3600)


@require_safe
def returned(request: HttpRequest, provider: int) -> HttpResponseBase:
    """From the provider's page, with a code that is exchanged for an ID token."""
    row = get_object_or_404(ready(Language.OPENID), pk=provider)
    if FROM_NETWORK.take(network(request)):
        return too_many(request)
    asked = request.GET
    state = statekit.unstash_state(request, provider_id=row.key, state_id=asked.get("state", ""))
    if state is None:
        return failed(request, row, "nobody here has asked for it, or more than ten minutes ago")
    if "code" not in asked:
        return failed(request, row, f"the provider says {asked.get('error', 'nothing')[:80]!r}")
    if asked.get("iss", row.issuer) != row.issuer:
        return failed(request, row, "another provider has answered")
    try:
        claims, token, metadata = in_english()(claims_for)(  # the log is
            row,
            asked["code"],
            verifier=state["verifier"],
            nonce=state["nonce"],
            callback=callback(request, row),
        )
        if metadata.names_itself and "iss" not in asked:
            raise Refused("the answer does not name its provider")
    except (Refused, Unusable) as refusal:
        return failed(request, row, refusal)
    ending = {"sid": claims.get("sid"), "id_token": token, "end_session": metadata.end_session_endpoint}
    return come_in(request, row, claims, state, **ending)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def ended_there(request: HttpRequest, provider: int) -> HttpResponse:
    """Back-channel logout: the provider itself says, in a signed token, whose session has ended."""
    if request.method != "POST":
        return redirect("account_login")
    row = get_object_or_404(ready(Language.OPENID), pk=provider)
    if LOGOUTS.take(network(request)):
        return JsonResponse({"error": "too_many_requests"}, status=429)
    try:
        claims = jwts.logout(row, in_english()(discover)(row.issuer), request.POST.get("logout_token", ""))
        if USED_LOGOUT.take(f"{row.key} {claims['jti']}"):
            raise Refused("it was used before")
    except (Refused, Unusable) as refusal:
        logger.warning("A logout by %s was refused: %s.", row.key, one_line(refusal))
        return JsonResponse({"error": "invalid_request"}, status=400)
    named = {name: claims[name] for name in ("sub", "sid") if claims.get(name) is not None}
    sessions.end(row, named)
    return HttpResponse(headers={"Cache-Control": "no-store"})
