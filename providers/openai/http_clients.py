"""HTTP clients for model servers, and how long one may take in all. The clients share one TLS context: making
one takes some 25 ms of processor time, in which an event loop does nothing else.
"""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Event, Timer
from typing import Any, Protocol

import httpx

from providers.openai.public_addresses import AsyncPublicTransport, PublicTransport


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


class Closable(Protocol):
    def close(self) -> None: ...


@contextmanager
def within(seconds: float, web: Closable) -> Iterator[None]:
    """Closes the client after so long in all. Its own limits are for the next bytes alone: who sends one byte
    at a time would hold it for hours. Raises TimeoutError.
    """
    late = Event()

    def close() -> None:
        late.set()
        web.close()

    timer = Timer(seconds, close)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception as error:
        if late.is_set():
            raise TimeoutError(f"it took more than {seconds:.0f} seconds") from error
        raise
    finally:
        timer.cancel()
