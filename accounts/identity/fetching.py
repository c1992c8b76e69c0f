"""Asking a provider's server, within limits of time and size."""

import httpx

from accounts.identity.refusals import Unusable
from providers.http.clients import sync_client
from providers.http.public_addresses import NotPublic
from providers.http.time_limit import within

SECONDS = 8.0


def fetch(
    address: str, what: str, headers: dict[str, str] | None = None, *, public_only: bool = False
) -> httpx.Response:
    """What is there. Raises Unusable, also where it comes byte by byte and would never be over."""
    try:
        with sync_client(timeout=SECONDS, public_only=public_only) as client, within(SECONDS, client):
            answer: httpx.Response = client.get(address, headers=headers)
    except TimeoutError as error:
        raise Unusable(f"The address {address} can't be reached: {error}.") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Unusable(f"The address {address} can't be reached: {reason(error)}.") from error
    if answer.status_code != 200:
        raise Unusable(f"There is no {what} at {address}: the answer is {answer.status_code}.")
    return answer


def reason(error: Exception) -> str:
    """Of a failed request, in a few words."""
    text = str(error).strip().rstrip(".")
    if isinstance(error, NotPublic):
        return "it is one of this server or of a private network, which SVQ_FETCH_PRIVATE_ADDRESSES allows"
    if isinstance(error, httpx.TimeoutException):
        return f"there is no answer within {SECONDS:.0f} seconds"
    if "CERTIFICATE" in text.upper():
        return "its certificate is not one that this server trusts"
    if "name" in text.lower() and "known" in text.lower():
        return "no computer of that name is known"
    if "refused" in text.lower() or isinstance(error, httpx.ConnectError):
        return "nothing accepts connections there"
    return text or type(error).__name__
