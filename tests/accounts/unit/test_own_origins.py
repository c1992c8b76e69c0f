"""Addresses of this server, as browsers write them."""

from typing import Any

import pytest
from django.test import RequestFactory

from accounts.factors.passkeys import own_origins


@pytest.mark.parametrize(
    ("host", "is_secure", "expected"),
    [
        ("svq.example:443", True, "https://svq.example"),
        ("svq.example:80", False, "http://svq.example"),
        ("svq.example:443", False, "http://svq.example:443"),
        ("svq.example:8443", True, "https://svq.example:8443"),
        ("SVQ.Example", True, "https://svq.example"),
    ],
)
def test_a_proxy_may_write_the_port_that_everybody_leaves_out(
    host: str, is_secure: bool, expected: str, settings: Any
) -> None:
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = ["*"], []
    request = RequestFactory().get("/", secure=is_secure, headers={"host": host})
    assert own_origins(request) == {expected}


def test_trusted_origins_of_the_same_host_may_be_written_in_capitals(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://SVQ.example:443", "https://elsewhere.example"]
    request = RequestFactory().get("/", headers={"host": "svq.example"})
    assert own_origins(request) == {"http://svq.example", "https://svq.example"}
