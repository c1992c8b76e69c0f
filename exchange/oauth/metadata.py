"""What programs look up first: who guards the address of MCP (RFC 9728), and how to ask (RFC 8414)."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.programs.rule import SCOPES, is_offered, resource

NO_SECRET = ["none"]


@require_safe
def protected_resource(request: HttpRequest) -> HttpResponse:
    return _told(
        {
            "resource": resource(),
            "authorization_servers": [settings.SITE_URL],
            "scopes_supported": [scope.value for scope in SCOPES],
            "bearer_methods_supported": ["header"],
            "resource_name": "SVQ",
        }
    )


@require_safe
def authorization_server(request: HttpRequest) -> HttpResponse:
    return _told(
        {
            "issuer": settings.SITE_URL,
            "authorization_endpoint": _address("oauth_authorize"),
            "token_endpoint": _address("api-oauth-token"),
            "registration_endpoint": _address("api-oauth-register"),
            "revocation_endpoint": _address("api-oauth-revoke"),
            "scopes_supported": [scope.value for scope in SCOPES],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": NO_SECRET,
            "revocation_endpoint_auth_methods_supported": NO_SECRET,
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": True,
            "authorization_response_iss_parameter_supported": True,
        }
    )


def _address(name: str) -> str:
    return settings.SITE_URL + reverse(name)


def _told(said: dict[str, Any]) -> HttpResponse:
    """Nothing where no program is let in: those that ask then say that they need a token."""
    return JsonResponse(said) if is_offered() else JsonResponse({"error": "not_found"}, status=404)
