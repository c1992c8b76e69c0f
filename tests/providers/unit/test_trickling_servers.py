"""Servers that send a byte at a time, each before the wait for the next bytes is over."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from providers.ocr_server import OcrServer
from providers.openai.models import offered
from providers.protocols import ProviderError
from tests.processes import PATIENCE
from tests.providers.hub_server import trickle


@pytest.fixture(params=["head", "body"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    class Trickling(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            trickle(self, request.param)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Trickling)
    thread = threading.Thread(target=partial(server.serve_forever, 0.05))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def lists(address: str) -> None:
    offered(address, "", 0.3)


def reads_a_page(address: str) -> None:
    OcrServer(address, "", "default", 0.3).read(b"picture", [])


@pytest.mark.parametrize("asks", [lists, reads_a_page])
def test_they_are_given_up_when_their_time_is_over(address: str, asks: Callable[[str], None]) -> None:
    begun = time.monotonic()
    with pytest.raises(ProviderError):
        asks(address)
    assert time.monotonic() - begun < PATIENCE
