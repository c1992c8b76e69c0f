"""The token endpoint of a provider: a code for an ID token, and whether it knows this client."""

from typing import Any
from urllib.parse import quote

import httpx
from django.utils.translation import gettext as _

from accounts.identity.fetching import SECONDS, reason, unreached
from accounts.identity.models import IdentityProvider
from accounts.identity.openid.discovery import Metadata, discover, fetch
from accounts.identity.openid.jwts import identity
from accounts.identity.refusals import Refused, Unusable
from providers.connections.secrets import Unreadable, decrypted
from providers.http.clients import sync_client
from providers.http.time_limit import within
from sql.let_go import let_go


def claims_for(
    provider: IdentityProvider, code: str, *, verifier: str, nonce: str, callback: str
) -> tuple[dict[str, Any], str, Metadata]:
    """Who has signed in, the ID token that says so, and what the provider says of itself.

    Raises Refused, Unusable.
    """
    metadata = discover(provider.issuer)
    answer = ask(provider, metadata, code=code, code_verifier=verifier, redirect_uri=callback)
    given = _json(answer)
    token = given.get("id_token")
    if answer.status_code != 200 or not isinstance(token, str):
        raise Refused(f"the code was not taken: {answer.status_code} {str(given.get('error', ''))[:80]!r}")
    claims = identity(provider, metadata, token, nonce)
    if "email" not in claims and metadata.userinfo_endpoint and isinstance(given.get("access_token"), str):
        more = fetch(metadata.userinfo_endpoint, "information on the person", given["access_token"])
        if more.get("sub") != claims["sub"]:
            raise Refused("the information is about another person")
        claims = more | claims
    return claims, token, metadata


def check_client(provider: IdentityProvider, metadata: Metadata, callback: str) -> None:
    """Sends a code that is none: a provider that knows the client says that the code is wrong.

    Raises Unusable.
    """
    answer = ask(provider, metadata, code="test", code_verifier="t" * 43, redirect_uri=callback)
    error = str(_json(answer).get("error", ""))
    if error == "invalid_grant":
        return
    if error in ("invalid_client", "unauthorized_client") or answer.status_code == 401:
        raise Unusable(_("The provider refuses this client: its ID or its secret is not right."))
    raise Unusable(
        _(
            "The provider answers a wrong code with {answer}, not with invalid_grant. "
            "Whether it knows this client is not certain; try a sign-in."
        ).format(answer=f"{answer.status_code} {error[:80]}")
    )


def ask(provider: IdentityProvider, metadata: Metadata, **fields: str) -> httpx.Response:
    """The provider's answer to a code. Raises Unusable."""
    form = {"grant_type": "authorization_code", **fields}
    secret = secret_of(provider)
    headers = {"Accept": "application/json"}
    auth = None
    if secret and metadata.takes_basic:
        auth = httpx.BasicAuth(quote(provider.client_id, safe=""), quote(secret, safe=""))
    else:
        form |= {"client_id": provider.client_id} | ({"client_secret": secret} if secret else {})
    let_go()
    try:
        with sync_client(timeout=SECONDS) as client, within(SECONDS, client):
            answer: httpx.Response = client.post(
                metadata.token_endpoint, data=form, headers=headers, auth=auth, follow_redirects=False
            )
            return answer
    except TimeoutError as error:
        raise Unusable(unreached(metadata.token_endpoint, str(error))) from error
    except httpx.HTTPError as error:
        raise Unusable(unreached(metadata.token_endpoint, reason(error))) from error


def secret_of(provider: IdentityProvider) -> str:
    """Raises Unusable."""
    try:
        return decrypted(provider.encrypted_secret)
    except Unreadable as error:
        raise Unusable(
            _("The client's secret was encrypted with another SVQ_SECRET_KEY. Give it again.")
        ) from error


def _json(answer: httpx.Response) -> dict[str, Any]:
    try:
        read = answer.json()
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}
