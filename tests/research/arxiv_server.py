"""arXiv on loopback: its Atom and its PDFs, and all the ways in which either may go wrong."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

FEED = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
    'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">'
    "<opensearch:totalResults>{total}</opensearch:totalResults>{entries}</feed>"
)


@dataclass(kw_only=True)
class Held:
    """One version of a paper that the server has."""

    number: str
    title: str
    version: int = 1
    authors: tuple[str, ...] = ("Ada Byron", "Carl Gauss", "Emmy Noether")
    abstract: str = "We study how lanterns are sorted."
    published: str = "2017-06-12T17:57:34Z"
    categories: tuple[str, ...] = ("cs.CL",)
    comment: str = ""
    doi: str = ""
    pdf: bytes = b""

    def entry(self) -> str:
        authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in self.authors)
        categories = "".join(f'<category term="{name}"/>' for name in self.categories)
        return (
            f"<entry><id>http://arxiv.org/abs/{self.number}v{self.version}</id>"
            f"<updated>{self.published}</updated><published>{self.published}</published>"
            f"<title>{escape(self.title)}</title><summary>{escape(self.abstract)}</summary>{authors}"
            f"<arxiv:comment>{escape(self.comment)}</arxiv:comment><arxiv:doi>{escape(self.doi)}</arxiv:doi>"
            f'<arxiv:primary_category term="{self.categories[0]}"/>{categories}</entry>'
        )


Misbehaviour = Callable[["Any"], bool]  # given the handler: whether it has answered


@dataclass(kw_only=True)
class Arxiv:
    """`next`: what it does in place of its next answers; `asked`: the time and path of each request."""

    papers: list[Held] = field(default_factory=list)
    next: list[Misbehaviour] = field(default_factory=list)
    asked: list[tuple[float, str]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    def __post_init__(self) -> None:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append((time.monotonic(), self.path))
                outer.at_once += 1
                outer.most_at_once = max(outer.most_at_once, outer.at_once)
                try:
                    if not (outer.next and outer.next.pop(0)(self)):
                        outer.answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    pass
                finally:
                    outer.at_once -= 1

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    def paths(self, beginning: str = "") -> list[str]:
        return [path for _, path in self.asked if path.startswith(beginning)]

    def answer(self, handler: Any) -> None:
        address = urlsplit(handler.path)
        if address.path.startswith("/pdf/"):
            held = self.version(address.path.removeprefix("/pdf/"))
            return (
                send(handler, held.pdf, kind="application/pdf") if held and held.pdf else fail(handler, 404)
            )
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        if "id_list" in asked:
            found = [held for text in asked["id_list"].split(",") if (held := self.version(text))]
        else:
            newest = {held.number: held for held in sorted(self.papers, key=lambda held: held.version)}
            found = list(newest.values())
        start = int(asked.get("start", 0))
        shown = found[start : start + int(asked.get("max_results", 10))]
        send(handler, feed([held.entry() for held in shown], len(found)))

    def version(self, text: str) -> Held | None:
        number, _, version = text.partition("v")
        held = [each for each in self.papers if each.number == number]
        held = [each for each in held if not version or each.version == int(version)]
        return max(held, key=lambda each: each.version, default=None)

    def __enter__(self) -> "Arxiv":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


def feed(entries: list[str], total: int) -> bytes:
    return FEED.format(total=total, entries="".join(entries)).encode()


# --- misbehaviour ----------------------------------------------------------------------------------------
def send(
    handler: Any, content: bytes, *, status: int = 200, kind: str = "application/atom+xml", **more: str
) -> None:
    handler.send_response(status)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(content)))
    for name, value in more.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


def fail(handler: Any, status: int, **more: str) -> None:
    send(handler, b"no", status=status, kind="text/plain", **more)


def refuse(status: int, **headers: str) -> Misbehaviour:
    def act(handler: Any) -> bool:
        fail(handler, status, **headers)
        return True

    return act


def say(content: bytes, kind: str = "application/atom+xml") -> Misbehaviour:
    def act(handler: Any) -> bool:
        send(handler, content, kind=kind)
        return True

    return act


def slow(seconds: float) -> Misbehaviour:
    def act(handler: Any) -> bool:
        time.sleep(seconds)
        return False

    return act


def redirect(target: str) -> Misbehaviour:
    def act(handler: Any) -> bool:
        fail(handler, 302, location=target)
        return True

    return act


def endless(beginning: bytes = b"%PDF-1.7\n") -> Misbehaviour:
    """It never stops sending, without saying how much there is."""

    def act(handler: Any) -> bool:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(beginning)
        for _ in range(100_000):
            handler.wfile.write(b"0" * 65_536)
        return True

    return act


def trickle(seconds: float) -> Misbehaviour:
    """A byte now and then, for so long."""

    def act(handler: Any) -> bool:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(round(seconds / 0.05)):
            handler.wfile.write(b" ")
            time.sleep(0.05)
        return True

    return act


def broken_off(handler: Any) -> bool:
    """It promises more than it sends."""
    handler.send_response(200)
    handler.send_header("content-length", "100000")
    handler.end_headers()
    handler.wfile.write(b"%PDF-1.7\nhalf")
    handler.close_connection = True
    return True
