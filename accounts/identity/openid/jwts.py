"""Tokens that a provider has signed: an ID token, which says who somebody is, and a logout token.

allauth would take an ID token without checking its signature, since it comes from the provider itself. It
is checked here, so that nothing else has to be right for a forged one to be refused.
"""

import hmac
from collections.abc import Iterator
from typing import Any

import jwt

from accounts.identity.admission import is_subject
from accounts.identity.models import IdentityProvider
from accounts.identity.openid.discovery import Metadata, keys
from accounts.identity.refusals import Refused

# By type of key. Never "none", and none that use a secret: whoever has the public key could sign with it.
ALGORITHMS = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC": ("ES256", "ES384", "ES512"),
    "OKP": ("EdDSA",),
}
LEEWAY = 60  # seconds by which two clocks may differ
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"


def identity(provider: IdentityProvider, metadata: Metadata, token: str, nonce: str) -> dict[str, Any]:
    """The claims of an ID token that answers a sign-in with this nonce. Raises Refused, Unusable."""
    claims = _verified(provider, metadata, token, ["exp", "iat", "sub"])
    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
        raise Refused("it answers another sign-in")
    if not is_subject(claims["sub"]):
        raise Refused("its subject is empty, too long or not readable")
    return claims


def logout(provider: IdentityProvider, metadata: Metadata, token: str) -> dict[str, Any]:
    """The claims of a logout token. Raises Refused, Unusable."""
    claims = _verified(provider, metadata, token, ["exp", "iat", "jti"])
    events = claims.get("events")
    if not isinstance(events, dict) or LOGOUT_EVENT not in events or "nonce" in claims:
        raise Refused("it is no logout token")
    if not (claims.get("sub") or claims.get("sid")):
        raise Refused("it names nobody")
    return claims


def _verified(
    provider: IdentityProvider, metadata: Metadata, token: str, required: list[str]
) -> dict[str, Any]:
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as error:
        raise Refused("it is no JWT") from error
    failure: Exception = Refused("no key of the provider fits")
    for key, algorithm in _fitting(keys(metadata), header):
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                issuer=metadata.issuer,
                audience=provider.client_id,
                leeway=LEEWAY,
                options={"require": ["iss", "aud", *required]},
            )
        except (jwt.PyJWTError, TypeError, ValueError) as error:
            failure = error
            continue
        others = claims["aud"] if isinstance(claims["aud"], list) else []
        if (len(others) > 1 or "azp" in claims) and claims.get("azp") != provider.client_id:
            raise Refused("it was made for another client")
        return claims
    raise Refused(str(failure)) from failure


def _fitting(listed: list[dict[str, Any]], header: dict[str, Any]) -> Iterator[tuple[Any, str]]:
    """The keys that may have signed a token with that header, each with the one algorithm that is tried."""
    algorithm, named = header.get("alg"), header.get("kid")
    for one in listed:
        if named is not None and one.get("kid", named) != named:
            continue
        if algorithm in ALGORITHMS.get(str(one.get("kty")), ()) and one.get("alg", algorithm) == algorithm:
            try:
                yield jwt.PyJWK(one, algorithm).key, str(algorithm)
            except jwt.PyJWTError:
                continue
