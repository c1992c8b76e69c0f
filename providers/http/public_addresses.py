"""Transports that reach public addresses only, for servers named by people who are not administrators.

The name is resolved once and the connection is made to that address: a name that changes a moment later has
no effect.
"""

import asyncio
import socket
from collections.abc import Iterable
from typing import Any

import httpx
from django.utils.translation import gettext_noop

from providers.http.special_addresses import is_public

NOT_PUBLIC = gettext_noop(
    "The address is one of this server or of a private network, which administrators have not allowed here. "
    "Nothing is lost. Give a public address, or let an administrator allow it under Settings, Models."
)


def is_private(host: str) -> bool:
    """Whether it leads to an address that the transports here refuse, as far as it is known now: a name that
    is not known may be one later.
    """
    try:
        rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return not all(is_public(str(row[4][0])) for row in rows)


class NotPublic(httpx.ConnectError):
    """The address is one of this machine, of a private network, or of none."""


class PublicTransport(httpx.HTTPTransport):
    """Raises NotPublic."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            rows = socket.getaddrinfo(request.url.host, request.url.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpx.ConnectError("the name is not known", request=request) from error
        return super().handle_request(pinned(request, [row[4][0] for row in rows]))


class AsyncPublicTransport(httpx.AsyncHTTPTransport):
    """Raises NotPublic."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        loop = asyncio.get_running_loop()
        try:
            rows = await loop.getaddrinfo(request.url.host, request.url.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpx.ConnectError("the name is not known", request=request) from error
        return await super().handle_async_request(pinned(request, [row[4][0] for row in rows]))


def pinned(request: Any, addresses: Iterable[Any]) -> Any:
    """The request, of httpx or httpx2, to the first of its addresses, all of which have to be public. Host
    and certificate stay those of the name. Raises NotPublic.
    """
    found = [str(address) for address in addresses]
    if not found or not all(map(is_public, found)):
        raise NotPublic("the address is not public", request=request)
    request.extensions = {**request.extensions, "sni_hostname": request.url.host}
    request.url = request.url.copy_with(host=found[0])
    return request
