"""Asking a provider's server, within limits of time and size."""

import httpx
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.identity.refusals import Unusable
from providers.http.clients import sync_client
from providers.http.public_addresses import NotPublic
from providers.http.time_limit import within
from sql.let_go import let_go

SECONDS = 8.0


def fetch(
    address: str, what: str, headers: dict[str, str] | None = None, *, public_only: bool = False
) -> httpx.Response:
    """What is there. Raises Unusable, also where it comes byte by byte and would never be over."""
    let_go()
    try:
        with sync_client(timeout=SECONDS, public_only=public_only) as client, within(SECONDS, client):
            answer: httpx.Response = client.get(address, headers=headers)
    except TimeoutError as error:
        raise Unusable(unreached(address, str(error))) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Unusable(unreached(address, reason(error))) from error
    if answer.status_code != 200:
        raise Unusable(
            _("There is no {what} at {address}: the answer is {status}.").format(
                what=what, address=address, status=answer.status_code
            )
        )
    return answer


def unreached(address: str, why: str) -> str:
    return _("The address {address} can't be reached: {why}.").format(address=address, why=why)


def reason(error: Exception) -> str:
    """Of a failed request, in a few words."""
    text = str(error).strip().rstrip(".")
    if isinstance(error, NotPublic):
        return _("it is one of this server or of a private network, which SVQ_FETCH_PRIVATE_ADDRESSES allows")
    if isinstance(error, httpx.TimeoutException):
        return ngettext(
            "there is no answer within {n} second", "there is no answer within {n} seconds", round(SECONDS)
        ).format(n=f"{SECONDS:.0f}")
    if "CERTIFICATE" in text.upper():
        return _("its certificate is not one that this server trusts")
    if "name" in text.lower() and "known" in text.lower():
        return _("no computer of that name is known")
    if "refused" in text.lower() or isinstance(error, httpx.ConnectError):
        return _("nothing accepts connections there")
    return text or type(error).__name__
