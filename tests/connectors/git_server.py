"""A Git repository, and a server for it on loopback: Git's own, with a name and a token."""

import base64
import os
import subprocess
from pathlib import Path

from tests.loopback import Loopback, QuietHandler

NAME, TOKEN = "alice", "open sesame"
AUTHOR = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.example"}
COMMITTER = {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.example"}


class Repository:
    """With files beside it, as people have it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, said: bytes = b"") -> str:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1"}
        told = subprocess.run(
            ["git", "-C", str(self.folder), *arguments],
            env=environment | AUTHOR | COMMITTER,
            input=said,
            capture_output=True,
            check=True,
        )
        return told.stdout.decode().strip()

    def commit(self, files: dict[str, str | None]) -> None:
        """None: without the file from now on."""
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "x")


class GitServer:
    """`asked`: the methods and paths of requests. moved: where each is led instead. secret: whether a name
    and token are asked for.
    """

    def __init__(self, repository: Repository) -> None:
        self.asked: list[str] = []
        self.moved, self.secret = "", False
        self._folder = repository.folder

    def __enter__(self) -> "GitServer":
        site = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                self.answer(b"")

            def do_POST(self) -> None:
                self.answer(self.rfile.read(int(self.headers["Content-Length"])))

            def answer(self, body: bytes) -> None:
                site.asked.append(f"{self.command} {self.path}")
                pair = base64.b64encode(f"{NAME}:{TOKEN}".encode()).decode()
                if site.moved:
                    self.send_response(302)
                    self.send_header("Location", site.moved + self.path)
                elif site.secret and self.headers["Authorization"] != f"Basic {pair}":
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="git"')
                else:
                    return self.by_git(body)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def by_git(self, body: bytes) -> None:
                path, _, question = self.path.partition("?")
                environment = {
                    "PATH": os.environ["PATH"],
                    "GIT_PROJECT_ROOT": str(site._folder.parent),
                    "GIT_HTTP_EXPORT_ALL": "1",
                    "GIT_PROTOCOL": self.headers["Git-Protocol"] or "",
                    "REQUEST_METHOD": self.command,
                    "PATH_INFO": path,
                    "QUERY_STRING": question,
                    "CONTENT_TYPE": self.headers["Content-Type"] or "",
                    "CONTENT_LENGTH": str(len(body)),
                    "HTTP_CONTENT_ENCODING": self.headers["Content-Encoding"] or "",
                }
                told = subprocess.run(
                    ["git", "http-backend"], env=environment, input=body, capture_output=True, check=False
                ).stdout
                head, _, content = told.partition(b"\r\n\r\n")
                headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
                self.send_response(int(headers.pop("Status", "200").split()[0]))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self._server = Loopback(Handler)
        self.address = f"http://127.0.0.1:{self._server.port}/{self._folder.name}/.git"
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop()
