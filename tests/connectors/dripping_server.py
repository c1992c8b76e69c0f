"""A server on loopback that sends a byte now and then, so that no wait for the next one is long."""

import time
from typing import ClassVar

from tests.loopback import Loopback, QuietHandler
from tests.processes import PATIENCE


class DrippingServer:
    """Drips for SECONDS, then ends as if that had been all. where: in the head of its answers, in the `list`,
    which it gives else, or in each file.
    """

    SECONDS: ClassVar[float] = PATIENCE

    def __init__(self, where: str, listing: str, status: str = "207 Multi-Status") -> None:
        class Handler(QuietHandler):
            def do_PROPFIND(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(is_file=False)

            def do_GET(self) -> None:
                self.answer(is_file=True)

            def answer(self, *, is_file: bool) -> None:
                self.wfile.write(f"HTTP/1.0 {status}\r\n".encode())
                if where == "head":
                    self.drip(b"X-More: ")
                self.wfile.write(b"\r\n")
                if where == "list" or is_file:
                    self.drip(b"")
                else:
                    self.wfile.write(listing.encode())

            def drip(self, first: bytes) -> None:
                self.wfile.write(first)
                end = time.monotonic() + DrippingServer.SECONDS
                try:
                    while time.monotonic() < end:
                        self.wfile.write(b"x")
                        time.sleep(0.05)
                    self.wfile.write(b"\r\n")
                except OSError:
                    return  # nobody listens any more

        self._handler = Handler

    def __enter__(self) -> str:
        self._server = Loopback(self._handler)
        return f"http://127.0.0.1:{self._server.port}"

    def __exit__(self, *error: object) -> None:
        self._server.stop()
