"""A firm's provider as allauth knows it: found by its module's name, with the claims that are used."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.saml.provider import SAMLProvider

from accounts.identity.admission import address_in, is_confirmed_by


class Claimed:
    """Somebody as `Claims` describe them, which are the same whatever the provider speaks."""

    app: Any
    supports_token_authentication = False

    def serialize(self) -> dict[str, Any]:
        """By its own key: two providers may know SVQ by the same client."""
        return {"id": self.app.provider_id}

    def extract_uid(self, data: dict[str, Any]) -> str:
        return str(data["sub"])

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"email": address_in(data), "name": data.get("name")}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        address = address_in(data)
        if not address:
            return []
        return [EmailAddress(email=address, verified=is_confirmed_by(data), primary=True)]

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """What is kept of the claims: enough to know the account by."""
        return {"email": address_in(data)}


class OpenIdProvider(Claimed, OpenIDConnectProvider):
    pass


class SamlProvider(Claimed, SAMLProvider):
    pass


provider_classes = [OpenIdProvider, SamlProvider]
