"""Fetches one web page: over connections to addresses that were checked, within limits of size and time.

The standard library's client, as it lets the connection be made to an address that was looked up before.
Proxies of the environment are not used: they would look names up again.
"""

import http.client
import re
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urljoin

from django.utils.translation import gettext_noop

from ingestion.web_pages.addresses import Target, target_of
from ingestion.web_pages.errors import WRONG_TYPE, FetchError
from localization.stored import said

MOST_HOPS = 5
MOST_BYTES = 20 * 1024 * 1024
SECONDS = 30.0  # for all hops together
BLOCK = 1 << 16  # bytes read at once
REDIRECTS = (301, 302, 303, 307, 308)
HEADERS = {
    "User-Agent": "SVQ (reads single pages for a person)",
    "Accept": "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.1",
    "Accept-Encoding": "identity",
    "Connection": "close",
}
# What is kept, by the type that the server says, and the ending of its name here.
ENDINGS = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "application/pdf": ".pdf",
}
_KIND = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """content: as the server sent it. address: where it was found in the end. ending: of ENDINGS. charset:
    what the server says of its text, "" when nothing.
    """

    content: bytes
    address: str
    ending: str
    charset: str


def fetch(
    address: str, *, private_allowed: bool, most_bytes: int = MOST_BYTES, seconds: float = SECONDS
) -> Fetched:
    """Raises FetchError."""
    deadline = time.monotonic() + seconds
    for _ in range(MOST_HOPS + 1):
        target = target_of(address, private_allowed=private_allowed)
        with _answer(target, deadline) as answer:
            if answer.status not in REDIRECTS:
                return _fetched(target, answer, most_bytes)
            place = answer.headers.get("Location")
        if not place:
            raise FetchError(
                "redirect", gettext_noop("The server says that the page has moved, but not where to.")
            )
        # As browsers do, what the head has in other letters is read as UTF-8.
        place = place.encode("latin-1", "replace").decode("utf-8", "replace")
        address = urljoin(target.address, place)
    raise FetchError("redirect", said("The address leads on and on, more than {n} times.", n=MOST_HOPS))


def _fetched(target: Target, answer: http.client.HTTPResponse, most_bytes: int) -> Fetched:
    if answer.status != 200:
        meaning = http.client.responses.get(answer.status, "")
        raise FetchError(
            "http_status",
            said("The server answered {status}.", status=" ".join([str(answer.status), meaning]).strip()),
        )
    told = answer.headers.get("Content-Type", "")
    kind = told.partition(";")[0].strip().lower()
    if kind not in ENDINGS:
        called = kind if _KIND.fullmatch(kind) else said("unknown")
        raise FetchError(
            WRONG_TYPE,
            said(
                "That address has a file of another kind ({kind}). Only web pages, plain text and PDF are "
                "fetched.",
                kind=called,
            ),
            gettext_noop("Download the file and add it."),
        )
    charset = _CHARSET.search(told)
    return Fetched(
        content=_unpacked(answer, _read(answer, most_bytes), most_bytes),
        address=target.address,
        ending=ENDINGS[kind],
        charset=charset[1].lower() if charset else "",
    )


def _read(answer: http.client.HTTPResponse, most_bytes: int) -> bytes:
    content = bytearray()
    while block := answer.read(BLOCK):
        content += block
        if len(content) > most_bytes:
            raise _too_large(most_bytes)
    if answer.length:  # bytes that were announced and did not come
        raise http.client.IncompleteRead(bytes(content), answer.length)
    if not content:
        raise FetchError("empty", gettext_noop("The server sent an empty page."))
    return bytes(content)


def _unpacked(answer: http.client.HTTPResponse, content: bytes, most_bytes: int) -> bytes:
    """Some servers send gzip whatever they are asked for."""
    coding = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if coding in ("", "identity"):
        return content
    if coding != "gzip":
        raise FetchError("type", gettext_noop("The server packed the page in a way that was not asked for."))
    try:
        unpacked = zlib.decompressobj(31).decompress(content, most_bytes + 1)
    except zlib.error:
        raise FetchError("cut_off", gettext_noop("What the server sent is damaged.")) from None
    if len(unpacked) > most_bytes:
        raise _too_large(most_bytes)
    return unpacked


def _too_large(most_bytes: int) -> FetchError:
    return FetchError("too_large", said("The page is larger than {n} MB.", n=most_bytes // 2**20))


@contextmanager
def _answer(target: Target, deadline: float) -> Iterator[http.client.HTTPResponse]:
    """The head of the answer, its body to be read. The connection is cut at the deadline."""
    connection = _Connection(target, deadline)
    watch = threading.Timer(max(0.0, deadline - time.monotonic()), connection.cut)
    watch.daemon = True
    watch.start()
    try:
        with closing(connection):
            connection.request("GET", target.path, headers=HEADERS)
            with connection.getresponse() as answer:
                yield answer
        if time.monotonic() >= deadline:  # what was cut looks like a whole page that did not say its length
            raise TimeoutError
    except ssl.SSLCertVerificationError as error:
        raise FetchError(
            "certificate", said("The server's certificate is not valid: {why}.", why=error.verify_message)
        ) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        if time.monotonic() >= deadline:
            raise FetchError(
                "timeout",
                gettext_noop("The server took too long to send the page."),
                gettext_noop("Try again later."),
            ) from None
        if isinstance(error, http.client.IncompleteRead):
            raise FetchError(
                "cut_off",
                gettext_noop("The server broke off before the page was whole."),
                gettext_noop("Try again later."),
            ) from None
        raise FetchError(
            "unreachable", said("“{host}” did not answer as web servers do.", host=target.host)
        ) from None
    finally:
        watch.cancel()


class _Connection(http.client.HTTPConnection):
    """To one of the addresses of a target, whatever its name stands for by now."""

    def __init__(self, target: Target, deadline: float) -> None:
        super().__init__(target.host, target.port)
        self.target = target
        self.deadline = deadline
        self.connected: socket.socket | None = None  # `sock` is forgotten with the head of the answer
        self.default_port = 443 if target.is_tls else 80  # otherwise it is named in the Host header

    def connect(self) -> None:
        self.sock = self.connected = self._connect()
        if self.target.is_tls:
            # The handshake comes second, so that the clock can cut it.
            wrapped = ssl.create_default_context().wrap_socket(
                self.sock, server_hostname=self.target.host, do_handshake_on_connect=False
            )
            self.sock = self.connected = wrapped
            wrapped.do_handshake()

    def _connect(self) -> socket.socket:
        failure = OSError("no address")
        for ip in self.target.ips:
            try:
                return socket.create_connection((ip, self.target.port), timeout=self._left())
            except OSError as error:
                failure = error
        raise failure

    def _left(self) -> float:
        return max(0.1, self.deadline - time.monotonic())

    def cut(self) -> None:
        """From the thread of the clock: whoever reads or writes gets an error."""
        if self.connected is not None:
            with suppress(OSError):
                self.connected.shutdown(socket.SHUT_RDWR)
