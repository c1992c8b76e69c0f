"""The way to a provider's page, and out of its session."""

import secrets
from typing import Any

from allauth.socialaccount.internal import statekit
from allauth.socialaccount.providers.oauth2.utils import generate_code_challenge
from django.http import HttpRequest
from django.urls import reverse

from accounts.identity.addresses import with_query
from accounts.identity.models import IdentityProvider
from accounts.identity.openid.discovery import discover


def callback(request: HttpRequest, provider: IdentityProvider) -> str:
    return request.build_absolute_uri(reverse("openid_returned", args=[provider.pk]))


def way_there(request: HttpRequest, row: IdentityProvider, state: dict[str, Any]) -> str:
    """The address that asks for a code. state: what the way back has to know. Raises Unusable."""
    metadata = discover(row.issuer)
    nonce, proof = secrets.token_urlsafe(32), generate_code_challenge()
    state |= {"nonce": nonce, "verifier": proof["code_verifier"]}
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
    return with_query(metadata.authorization_endpoint, asked)


def way_out(request: HttpRequest, provider: IdentityProvider, begun: dict[str, Any]) -> str:
    """Where a browser ends the provider's session too; empty where the provider has no such address."""
    if not begun.get("end_session"):
        return ""
    said = {
        "id_token_hint": begun["id_token"],
        "client_id": provider.client_id,
        "post_logout_redirect_uri": request.build_absolute_uri(reverse("account_login")),
    }
    return with_query(begun["end_session"], said)
