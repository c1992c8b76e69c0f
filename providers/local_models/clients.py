"""The HTTP client that fetches files of models, and which addresses it may reach."""

from typing import Any
from urllib.parse import urlsplit

import httpx

from providers.http.clients import tls
from providers.http.public_addresses import PublicTransport
from providers.http.size_limit import AS_IT_IS, refuse_packed

PATIENCE = httpx.Timeout(20.0, read=30.0)  # seconds; `read` is the wait for the next bytes
REDIRECTS = 5


class GuardedTransport(httpx.BaseTransport):
    """Reaches public addresses, and the one host that the operator has named, which may be a private one.

    It holds for each redirection as well. Raises NotPublic.
    """

    def __init__(self, trusted: str) -> None:
        self._trusted = trusted
        self._public, self._any = PublicTransport(verify=tls()), httpx.HTTPTransport(verify=tls())

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        is_trusted = bool(self._trusted) and request.url.netloc.decode() == self._trusted
        return (self._any if is_trusted else self._public).handle_request(request)

    def close(self) -> None:
        self._public.close()
        self._any.close()


def client(*, public_only: bool, trusted: str = "") -> httpx.Client:
    """`public_only`: addresses of this machine or of a private network are not connected to, but for that of
    the address `trusted`. What is sent packed raises TooLarge.
    """
    told: dict[str, Any] = {
        "timeout": PATIENCE,
        "follow_redirects": True,
        "max_redirects": REDIRECTS,
        "headers": AS_IT_IS,
        "event_hooks": {"response": [refuse_packed]},
    }
    if not public_only:
        return httpx.Client(**told, verify=tls())
    return httpx.Client(**told, transport=GuardedTransport(urlsplit(trusted).netloc))
