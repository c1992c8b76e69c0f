"""What a provider says of itself: its addresses and its keys, each read anew at a sign-in."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.identity import fetching
from accounts.identity.addresses import is_safe
from accounts.identity.refusals import Unusable

WELL_KNOWN = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The discovery document, as far as it is used. Addresses are empty where it names none."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    end_session_endpoint: str = ""
    takes_basic: bool = True  # the client's secret in a header
    names_itself: bool = False  # in its answer (RFC 9207)


def discover(issuer: str) -> Metadata:
    """Raises Unusable."""
    said = fetch(issuer.rstrip("/") + WELL_KNOWN, _("discovery document"))
    if said.get("issuer") != issuer:
        raise Unusable(
            _(
                "The discovery document names another issuer: {issuer}. "
                "Copy that address, every character of it, if it is your provider's."
            ).format(issuer=repr(said.get("issuer")))
        )
    addresses = {
        name: _address(said, name, needed=name in ("authorization_endpoint", "token_endpoint", "jwks_uri"))
        for name in (
            *("authorization_endpoint", "token_endpoint", "jwks_uri"),
            *("userinfo_endpoint", "end_session_endpoint"),
        )
    }
    methods = said.get("token_endpoint_auth_methods_supported")
    return Metadata(
        issuer=issuer,
        takes_basic=not isinstance(methods, list) or "client_secret_basic" in methods,
        names_itself=said.get("authorization_response_iss_parameter_supported") is True,
        **addresses,
    )


def keys(metadata: Metadata) -> list[dict[str, Any]]:
    """Its public keys for signatures (JWK). Raises Unusable."""
    found = fetch(metadata.jwks_uri, _("list of keys")).get("keys")
    public = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    signing = [one for one in public if one.get("use", "sig") == "sig" and one.get("kty") != "oct"]
    if not signing:
        raise Unusable(_("There is no key for signatures at {address}.").format(address=metadata.jwks_uri))
    return signing


def fetch(address: str, what: str, token: str = "") -> dict[str, Any]:
    """A JSON object. Raises Unusable."""
    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    try:
        read = fetching.fetch(address, what, headers).json()
    except ValueError as error:
        raise Unusable(
            _("There is no {what} at {address}: the answer is not JSON.").format(what=what, address=address)
        ) from error
    if not isinstance(read, dict):
        raise Unusable(
            _("There is no {what} at {address}: the answer is not a JSON object.").format(
                what=what, address=address
            )
        )
    return read


def _address(said: dict[str, Any], name: str, *, needed: bool) -> str:
    given = said.get(name) or ""
    if not given and not needed:
        return ""
    if not isinstance(given, str) or not is_safe(given):
        raise Unusable(_("The discovery document has no {name} that begins with https://.").format(name=name))
    return given
