"""HTTP clients for model servers. They share one TLS context: making one takes some 25 ms, which would
block an event loop.
"""

import ssl
from functools import cache
from typing import Any

import httpx

from providers.http.public_addresses import AsyncPublicTransport, PublicTransport
from providers.http.redirects import stay, stay_async
from providers.http.size_limit import AS_IT_IS, bound, bound_async

# What runs on this machine is never asked through a proxy of the environment, which would read along.
NO_PROXY_HERE = {f"all://{host}": None for host in ("127.0.0.1", "localhost", "[::1]")}
REDIRECTS = 3  # to https, and with a slash at the end; more is a circle


@cache
def tls() -> ssl.SSLContext:
    """Certificates are checked against the authorities that this process knows."""
    return httpx.create_ssl_context()


def sync_client(*, timeout: float, public_only: bool = False) -> Any:
    """An httpx.Client, which the openai package takes under another name. `public_only`: an address of this
    machine or of a private network is not connected to. Redirects are followed to the same host alone. Of an
    answer no more than LARGEST_ANSWER is read.
    """
    told: dict[str, Any] = {
        "timeout": timeout,
        "headers": AS_IT_IS,
        "event_hooks": {"response": [stay, bound]},
        "mounts": NO_PROXY_HERE,
    }
    if public_only:
        return httpx.Client(**told, transport=PublicTransport(verify=tls()))
    return httpx.Client(**told, verify=tls(), follow_redirects=True, max_redirects=REDIRECTS)


def async_client(*, timeout: float, public_only: bool = False) -> Any:
    """An httpx.AsyncClient in the same way."""
    told: dict[str, Any] = {
        "timeout": timeout,
        "headers": AS_IT_IS,
        "event_hooks": {"response": [stay_async, bound_async]},
        "mounts": NO_PROXY_HERE,
    }
    if public_only:
        return httpx.AsyncClient(**told, transport=AsyncPublicTransport(verify=tls()))
    return httpx.AsyncClient(**told, verify=tls(), follow_redirects=True, max_redirects=REDIRECTS)
