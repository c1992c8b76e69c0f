"""Whose word is taken for where a request comes from."""

import asyncio
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from svq_site import env
from svq_site.management.commands import up


def client_seen(peer: str, trusted: list[str]) -> str:
    """The client's address as the application sees it."""
    seen: dict[str, Any] = {}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope)

    headers = [(b"x-forwarded-for", b"203.0.113.9"), (b"x-forwarded-for", b"198.51.100.7")]
    scope: Any = {"type": "http", "client": (peer, 1), "headers": headers, "scheme": "http"}
    none: Any = None
    asyncio.run(ProxyHeadersMiddleware(application, trusted)(scope, none, none))
    return str(seen["client"][0])


def test_nobody_is_believed_by_default() -> None:
    assert settings.TRUSTED_PROXIES == []
    assert client_seen("127.0.0.1", settings.TRUSTED_PROXIES) == "127.0.0.1"
    assert "--no-proxy-headers" in up.commands()["web server"]


def test_a_named_proxy_is_believed_about_its_own_peer_alone() -> None:
    assert client_seen("10.1.2.3", ["10.0.0.0/8"]) == "198.51.100.7"
    assert client_seen("192.0.2.1", ["10.0.0.0/8"]) == "192.0.2.1"


def test_a_wrong_proxy_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("*", "nginx", "10.0.0.1/8"):
        monkeypatch.setenv("SVQ_TRUSTED_PROXIES", wrong)
        with pytest.raises(ImproperlyConfigured, match="SVQ_TRUSTED_PROXIES"):
            env.networks("SVQ_TRUSTED_PROXIES")
