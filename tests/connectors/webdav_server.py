"""A WebDAV server on loopback, as Nextcloud speaks it, with a name and a password."""

from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from wsgidav.fs_dav_provider import FilesystemProvider
from wsgidav.wsgidav_app import WsgiDAVApp

NAME, PASSWORD = "alice", "open sesame"


class _Silent(WSGIRequestHandler):
    def log_message(self, *told: Any) -> None:
        pass


class WebDavServer:
    """Serves a folder at `address` for NAME with PASSWORD. `asked`: the methods and paths of requests."""

    def __init__(self, folder: Path) -> None:
        app = WsgiDAVApp(
            {
                "provider_mapping": {"/dav": FilesystemProvider(str(folder))},
                "http_authenticator": {"domain_controller": None},
                "simple_dc": {"user_mapping": {"*": {NAME: {"password": PASSWORD}}}},
                "logging": {"enable": False},
                "verbose": 0,
            }
        )
        self.asked: list[str] = []

        def noting(environ: Any, start_response: Any) -> Any:
            self.asked.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
            return app(environ, start_response)

        self._server = make_server("127.0.0.1", 0, noting, handler_class=_Silent)
        self.address = f"http://127.0.0.1:{self._server.server_port}/dav"

    def __enter__(self) -> "WebDavServer":
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
