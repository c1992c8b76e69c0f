"""A hub over loopback HTTP that serves a folder as a repository, and misbehaves on request."""

import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.providers.small_models import COMMIT

REPOSITORY = "acme/small"


class HubServer:
    """`requests`: the paths asked for, with the header Range. The same files are served below /files/ without
    a list.

    `cuts`: so many transfers of the graph end in its middle. `swapped`: paths whose content is another than
    the list says. `missing`: paths that are listed and not there. `redirect`: where the graph is said to be.
    `trickles`: paths that are answered a byte at a time without an end, in their "head" or their "body".
    `slow`: seconds to wait in the middle of the graph. `ranges`: whether it can begin in the middle.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.requests = folder, list[tuple[str, str]]()
        self.cuts, self.slow, self.ranges = 0, 0.0, True
        self.swapped, self.missing = set[str](), set[str]()
        self.redirect = ""
        self.trickles = dict[str, str]()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.requests.append((self.path, self.headers.get("range", "")))
                outer.answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        path = to.path.partition("?")[0]
        if path in self.trickles:
            return trickle(to, self.trickles[path])
        if path.startswith(f"/api/models/{REPOSITORY}"):
            revision = path.partition("/revision/")[2]
            if revision not in ("", "main", COMMIT):
                return _send(to, 404, b"{}", {"x-error-code": "RevisionNotFound"})
            return _send(to, 200, json.dumps(self.listing()).encode(), {"content-type": "application/json"})
        if path.startswith("/api/"):
            return _send(to, 404, b"{}", {"x-error-code": "RepoNotFound"})
        for prefix in (f"/{REPOSITORY}/resolve/{COMMIT}/", "/files/"):
            if path.startswith(prefix):
                return self.send_file(to, path.removeprefix(prefix))
        return _send(to, 404, b"")

    def listing(self) -> dict[str, Any]:
        """As the hub tells it: graphs are large files with a SHA-256, the others are named by git."""
        rows = []
        for file in sorted(path for path in self.folder.rglob("*") if path.is_file()):
            content = file.read_bytes()
            row: dict[str, Any] = {
                "rfilename": file.relative_to(self.folder).as_posix(),
                "size": len(content),
            }
            if file.suffix in (".onnx", ".gguf"):
                row["lfs"] = {
                    "size": len(content),
                    "sha256": hashlib.sha256(content).hexdigest(),
                    "pointerSize": 9,
                }
            row["blobId"] = hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()
            rows.append(row)
        return {
            "id": REPOSITORY,
            "modelId": REPOSITORY,
            "sha": COMMIT,
            "siblings": rows,
            "cardData": {"license": "mit"},
            "tags": [],
        }

    def send_file(self, to: BaseHTTPRequestHandler, path: str) -> None:
        file = self.folder / path
        is_graph = path.endswith(".onnx")
        if path in self.missing or not file.is_file():
            return _send(to, 404, b"")
        if is_graph and self.redirect:
            return _send(to, 302, b"", {"location": self.redirect})
        content = file.read_bytes()
        if path in self.swapped:
            content = bytes([content[0] ^ 1]) + content[1:]
        first = to.headers.get("range", "").removeprefix("bytes=").rstrip("-")
        start = int(first) if first.isdecimal() and self.ranges else 0
        to.send_response(206 if start else 200)
        to.send_header("content-length", str(len(content) - start))
        to.send_header("etag", f'"{hashlib.sha256(content).hexdigest()}"')
        if start:
            to.send_header("content-range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        to.end_headers()
        middle = start + (len(content) - start) // 2
        try:
            to.wfile.write(content[start:middle])
            to.wfile.flush()
            if is_graph and self.cuts:
                self.cuts -= 1
                to.close_connection = True
                return None
            if is_graph and self.slow:
                time.sleep(self.slow)
            to.wfile.write(content[middle:])
        except OSError:
            pass

    def __enter__(self) -> "HubServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def trickle(to: BaseHTTPRequestHandler, part: str) -> None:
    to.wfile.write(b"HTTP/1.0 200 OK\r\n")
    to.wfile.write(b"x-" if part == "head" else b"content-type: application/json\r\n\r\n")
    try:
        while True:
            to.wfile.write(b"a")
            time.sleep(0.01)
    except OSError:
        to.close_connection = True


def _send(
    to: BaseHTTPRequestHandler, status: int, content: bytes, headers: dict[str, str] | None = None
) -> None:
    to.send_response(status)
    for name, value in (headers or {}).items():
        to.send_header(name, value)
    to.send_header("content-length", str(len(content)))
    to.end_headers()
    to.wfile.write(content)
