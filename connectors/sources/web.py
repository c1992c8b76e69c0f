"""Requests to servers that owners name: to public addresses alone, unless administrators allow others."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

import httpx

from connectors.sources.line import Line, TooSlow
from connectors.sources.source import UNREACHABLE, FileRefused, SourceError, keep
from datasources.storage.errors import is_full
from providers.connections.services import owners_may
from providers.http.clients import tls
from providers.http.public_addresses import NOT_PUBLIC, NotPublic, PublicTransport
from providers.http.size_limit import AS_IT_IS, TooLarge, refuse_packed

PATIENCE = httpx.Timeout(20.0, read=60.0)  # seconds; `read` is the wait for the next bytes
MOST_LISTS, LONGEST = 5_000, 300  # requests that list files, and seconds of them, in one look
LIST_SECONDS, FILE_SECONDS = 120, 300  # of one request, however little a server sends at a time
LARGEST_LIST = 32 * 2**20  # bytes of one answer that lists files
SLOWEST = 2_000  # bytes a second over a whole file, after the first minute


class Web:
    """A client for one server. Redirects are not followed: what is asked may have a password with it."""

    def __init__(
        self, auth: httpx.Auth | None, should_stop: Callable[[], bool], agent: Mapping[str, str] | None = None
    ) -> None:
        """agent: headers of all requests, by which a program says who it is."""
        self._lists, self._begun, self._line = 0, time.monotonic(), Line(should_stop)
        transport = None if owners_may().private_connectors else PublicTransport(verify=tls())
        self._client = httpx.Client(
            auth=auth,
            timeout=PATIENCE,
            headers=AS_IT_IS | dict(agent or {}),
            event_hooks={"response": [refuse_packed]},
            transport=transport or httpx.HTTPTransport(verify=tls()),
        )

    def listing(
        self, method: str, address: str, headers: Mapping[str, str] | None = None, content: str = ""
    ) -> bytes:
        """The body of an answer that lists files. Raises SourceError."""
        self._lists += 1
        left = LONGEST - (time.monotonic() - self._begun)
        if self._lists > MOST_LISTS or left <= 0:
            raise many_folders()
        with self.answering(method, address, min(LIST_SECONDS, left), headers, content) as answer:
            _check(answer)
            return whole(answer)

    def download(self, address: str, file: BinaryIO, most: int) -> None:
        """Raises SourceError, FileRefused: also where the server breaks off in the middle. If it is away, the
        next request says so.
        """
        is_begun = False
        try:
            with self.answering("GET", address, FILE_SECONDS) as answer:
                is_begun = answer.is_success
                if answer.status_code in (403, 404, 410):
                    raise FileRefused(f"The server does not give it (HTTP {answer.status_code}).")
                _check(answer)
                receive(answer, file, most)
        except SourceError as error:
            if is_begun and error.code == UNREACHABLE:
                raise FileRefused("The server broke off before all of it was there.") from None
            raise

    def close(self) -> None:
        self._client.close()
        self._line.close()

    @contextmanager
    def answering(
        self,
        method: str,
        address: str,
        seconds: float,
        headers: Mapping[str, str] | None = None,
        content: str = "",
    ) -> Iterator[httpx.Response]:
        """Whatever its status; what is read of it within has so many seconds. Raises SourceError."""
        asked: dict[str, Any] = {"headers": headers, "content": content or None}
        asked["extensions"] = {"trace": self._line.note}
        try:
            with self._line.cut_after(seconds), self._client.stream(method, address, **asked) as answer:
                yield answer
        except TooSlow:
            raise SourceError("slow", "The server answers too slowly.") from None
        except NotPublic:
            raise SourceError("private", NOT_PUBLIC) from None
        except TooLarge:
            raise SourceError("packed", "The server sends its answers packed, which is not read.") from None
        except httpx.TimeoutException:
            raise SourceError("timeout", "The server did not answer in time.") from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            if is_full(error):  # our own disk, which is no fault of the server's
                raise
            raise SourceError(UNREACHABLE, "There is no connection to the server.") from None


def whole(answer: httpx.Response) -> bytes:
    """The body of an answer that lists files. Raises SourceError."""
    body = bytearray()
    for block in answer.iter_bytes():
        body += block
        if len(body) > LARGEST_LIST:
            raise SourceError("too_large", "The server lists more than SVQ reads at once.")
    return bytes(body)


def receive(answer: httpx.Response, file: BinaryIO, most: int) -> None:
    """As it comes, so that a little is seen as well. Raises FileRefused, TooSlow."""
    keep(_steadily(answer.iter_bytes()), file, most)


def _steadily(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Raises TooSlow."""
    begun, size = time.monotonic(), 0
    for block in blocks:
        size += len(block)
        seconds = time.monotonic() - begun
        if seconds > 60 and size < SLOWEST * seconds:
            raise TooSlow
        yield block


def many_folders() -> SourceError:
    return SourceError(
        "many_folders",
        f"This folder has more than {MOST_LISTS:,} folders, or could not be listed within "
        f"{LONGEST // 60} minutes.",
        "Nothing was changed. Connect folders in it, one by one.",
    )


def _check(answer: httpx.Response) -> None:
    status = answer.status_code
    if 200 <= status < 300:
        return
    if status in (401, 403):
        raise SourceError("refused", f"The server refuses this name and password (HTTP {status}).")
    if status in (404, 410):
        raise SourceError("not_there", f"The server has no such folder (HTTP {status}).")
    if 300 <= status < 400:
        raise SourceError("moved", "The server says that the folder has moved. Give its new address.")
    raise SourceError("server", f"The server answered with HTTP {status}.")
