"""HTTP clients for model servers. They share one TLS context: making one takes some 25 ms of processor time,
in which an event loop does nothing else.
"""

import ssl
from functools import cache
from typing import Any

import httpx

from providers.http.public_addresses import AsyncPublicTransport, PublicTransport


@cache
def tls() -> ssl.SSLContext:
    """Certificates are checked against the authorities that this process knows."""
    return httpx.create_ssl_context()


def sync_client(*, timeout: float, public_only: bool = False) -> Any:
    """An httpx.Client, which the openai package takes under another name. `public_only`: an address of this
    machine or of a private network is not connected to.
    """
    if public_only:
        return httpx.Client(timeout=timeout, transport=PublicTransport(verify=tls()))
    return httpx.Client(timeout=timeout, verify=tls(), follow_redirects=True)


def async_client(*, timeout: float, public_only: bool = False) -> Any:
    """An httpx.AsyncClient in the same way."""
    if public_only:
        return httpx.AsyncClient(timeout=timeout, transport=AsyncPublicTransport(verify=tls()))
    return httpx.AsyncClient(timeout=timeout, verify=tls(), follow_redirects=True)
