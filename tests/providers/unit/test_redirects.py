"""A model server that redirects is followed on its own host, and hands no question to another."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from providers.http.clients import async_client, sync_client


@contextmanager
def redirecting(location: str) -> Iterator[tuple[str, list[bytes]]]:
    """Its address, and the bodies that came to /there; / is redirected. {port}: its own."""
    heard: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            there = self.path == "/there"
            if there:
                heard.append(body)
            self.send_response(200 if there else 307)
            if not there:
                self.send_header("location", location.format(port=server.server_port))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """A test reads what was heard."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def posted(address: str) -> int:
    async with async_client(timeout=5) as client:
        return int((await client.post(address, content=b"What is the rent?")).status_code)


@pytest.mark.parametrize(
    ("location", "status"),
    [("/there", 200), ("http://127.0.0.1:{port}/there", 200), ("http://localhost:{port}/there", 307)],
)
def test_a_redirect_is_followed_to_the_same_host_alone(location: str, status: int) -> None:
    with redirecting(location) as (address, heard):
        with sync_client(timeout=5) as client:
            assert client.post(address, content=b"What is the rent?").status_code == status
        assert asyncio.run(posted(address)) == status
    assert len(heard) == (2 if status == 200 else 0), "the question stays where it was sent"
