"""What SVQ's log has of requests to other servers."""

import logging
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import httpx2
import pytest

from providers.http.clients import sync_client
from tests.loopback import Loopback, QuietHandler


class Answers(QuietHandler):
    def do_GET(self: BaseHTTPRequestHandler) -> None:
        self.send_response(204)
        self.end_headers()


def as_models_are_asked(address: str) -> int:
    with sync_client(timeout=5.0) as client:
        return client.get(address).status_code


def as_outside_tools_are_asked(address: str) -> int:
    with httpx2.Client(timeout=5.0) as client:
        return client.get(address).status_code


@pytest.mark.parametrize("level", [logging.INFO, logging.DEBUG])
@pytest.mark.parametrize("asked", [as_models_are_asked, as_outside_tools_are_asked])
def test_no_address_is_written_whatever_the_level_is(
    asked: Callable[[str], int], level: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(level)
    server = Loopback(Answers)
    try:
        status = asked(f"http://127.0.0.1:{server.port}/services/SECRET?token=SECRET")
    finally:
        server.stop()
    assert status == 204
    assert "SECRET" not in caplog.text
