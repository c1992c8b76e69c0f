"""What runs on this machine is asked directly, whatever proxy the environment names."""

import httpx
import pytest

from providers.http.clients import sync_client


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8081/v1", "http://localhost:11434/", "http://[::1]:1/"]
)
def test_a_server_here_is_not_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://proxy.example:3128")
        monkeypatch.setenv(name.lower(), "http://proxy.example:3128")
    with sync_client(timeout=1) as client:
        assert client._transport_for_url(httpx.URL(address)) is client._transport
        assert client._transport_for_url(httpx.URL("http://models.example/v1")) is not client._transport
