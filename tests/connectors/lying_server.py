"""A WebDAV server on loopback that announces more of a.txt than it sends; all else is whole."""

from tests.loopback import Loopback, QuietHandler


class LyingServer:
    def __init__(self, listing: str) -> None:
        class Handler(QuietHandler):
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

        self._handler = Handler

    def __enter__(self) -> str:
        self._server = Loopback(self._handler)
        return f"http://127.0.0.1:{self._server.port}"

    def __exit__(self, *error: object) -> None:
        self._server.stop()
