"""The way to a provider's page, and out of its session."""

from typing import Any

from allauth.socialaccount.internal import statekit
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Unusable
from accounts.identity.saml.messages import by_redirect, sign_in_request, sign_out_request
from accounts.identity.saml.metadata import Metadata, current


def here(request: HttpRequest, name: str, provider: IdentityProvider) -> str:
    return request.build_absolute_uri(reverse(name, args=[provider.pk]))


def way_there(request: HttpRequest, row: IdentityProvider, state: dict[str, Any]) -> str:
    """The address that asks who somebody is. state: what the way back has to know. Raises Unusable."""
    metadata = current(row)
    asked, message = sign_in_request(row, metadata.sign_in, here(request, "saml_returned", row))
    statekit.stash_state(request, provider_id=row.key, state=state, state_id=asked)
    require_key(row, metadata)
    return by_redirect(row, metadata.sign_in, message)


def way_out(request: HttpRequest, provider: IdentityProvider, begun: dict[str, Any]) -> str:
    """Where a browser ends the provider's session too; empty where the provider has no such address."""
    if not (begun.get("sign_out") and begun.get("name_id")):
        return ""
    try:
        message = sign_out_request(provider, begun["sign_out"], begun)
        return by_redirect(provider, begun["sign_out"], message)
    except Unusable:
        return ""


def require_key(provider: IdentityProvider, metadata: Metadata) -> None:
    """Raises Unusable."""
    if metadata.wants_signed and not provider.own_certificate:
        raise Unusable(_("The provider wants signed requests: tick “Sign what SVQ sends there”."))
