"""A WebDAV server on loopback that announces more of a.txt than it sends; all else is whole."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class LyingServer:
    def __init__(self, listing: str) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_PROPFIND(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(207, listing.encode())

            def do_GET(self) -> None:
                is_lie = self.path.endswith("a.txt")
                self.answer(200, f"The text of {self.path}".encode(), missing=100 * is_lie)

            def answer(self, status: int, body: bytes, missing: int = 0) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body) + missing))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *told: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self) -> str:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
