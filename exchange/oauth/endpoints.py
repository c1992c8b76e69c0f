"""Where programs register, change codes for tokens, renew them, and give them back. Nobody is signed in."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from oauthlib.oauth2 import OAuth2Error

from accounts.limits import Limit, network
from accounts.programs.described import register as register_program
from accounts.programs.rule import SCOPES, is_offered
from exchange.oauth.server import parts, server

View = Callable[[HttpRequest], HttpResponse]
TOKENS = Limit(name="program-tokens", attempts=120, seconds=60)  # from one network
REGISTRATIONS = Limit(name="program-registrations", attempts=20, seconds=600)


def for_programs(limit: Limit) -> Callable[[View], View]:
    """A view without a session: nothing that a browser sends along opens anything here."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @require_POST
        @wraps(view)
        def answer(request: HttpRequest) -> HttpResponse:
            if not is_offered():
                return JsonResponse({"error": "not_found"}, status=404)
            if wait := limit.take(network(request)):
                busy = refusal("temporarily_unavailable", "Too many requests.", 429)
                busy["Retry-After"] = str(wait)
                return busy
            return view(request)

        return answer

    return decorate


def refusal(error: str, description: str, status: int = 400) -> HttpResponse:
    return JsonResponse({"error": error, "error_description": description}, status=status)


@for_programs(TOKENS)
def token(request: HttpRequest) -> HttpResponse:
    return _by_oauthlib(request, server.create_token_response)


@for_programs(TOKENS)
def revoke(request: HttpRequest) -> HttpResponse:
    return _by_oauthlib(request, server.create_revocation_response)


@for_programs(REGISTRATIONS)
def register(request: HttpRequest) -> HttpResponse:
    """The program as it is known from now on (RFC 7591): without a secret, whatever it asked for."""
    if request.content_type != "application/json":
        return refusal("invalid_client_metadata", "The request is no application/json.")
    try:
        program = register_program(json.loads(request.body))
    except (ValueError, RecursionError):
        return refusal("invalid_client_metadata", "The request is no JSON.")
    except ValidationError as wrong:
        return refusal(str(wrong.code), wrong.messages[0])
    known = {
        "client_id": program.client_id,
        "client_id_issued_at": int(program.created.timestamp()),
        "client_name": program.name,
        "redirect_uris": program.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "scope": " ".join(SCOPES),
    }
    return JsonResponse(known, status=201)


@transaction.atomic
def _by_oauthlib(
    request: HttpRequest, answer: Callable[..., tuple[dict[str, str], Any, int]]
) -> HttpResponse:
    """In one transaction, which stands where it is refused: what came a second time has ended something."""
    try:
        headers, body, status = answer(**parts(request))
    except OAuth2Error as error:
        headers, body, status = error.headers, error.json, error.status_code
    return HttpResponse(body or "", status=status, headers={**headers, "Content-Type": "application/json"})
