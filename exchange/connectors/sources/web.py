"""Requests to servers that owners name: to public addresses alone, unless administrators allow others."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, BinaryIO

import httpx
from django.utils.translation import gettext as _

from datasources.storage.errors import is_full
from exchange.connectors.sources.line import Line, TooSlow
from exchange.connectors.sources.source import UNREACHABLE, FileRefused, SourceError, keep
from localization.stored import said
from providers.connections.services import owners_may
from providers.http.clients import tls
from providers.http.public_addresses import NOT_PUBLIC, NotPublic, PublicTransport
from providers.http.size_limit import AS_IT_IS, TooLarge, refuse_packed

PATIENCE = httpx.Timeout(20.0, read=60.0)  # seconds; `read` is the wait for the next bytes
MOST_LISTS, LONGEST = 5_000, 300  # requests that list files, and seconds of them, in one look
LIST_SECONDS, FILE_SECONDS = 120, 300  # of one request, however little a server sends at a time
LARGEST_LIST = 32 * 2**20  # bytes of one answer that lists files
BUSY = (429, 503)
USUAL_WAIT = 3_600.0  # seconds, where a server is too busy and does not say for how long
SLOWEST = 2_000  # bytes a second over a whole file, after the first minute


class Web:
    """A client for one server. Redirects are not followed: what is asked may have a password with it."""

    def __init__(
        self,
        auth: httpx.Auth | None,
        should_stop: Callable[[], bool],
        agent: Mapping[str, str] | None = None,
        *,
        is_ours: bool = False,
    ) -> None:
        """agent: headers of all requests, by which a program says who it is. is_ours: the operator has named
        the server, so that it may be anywhere.
        """
        self._lists, self._begun, self._line = 0, time.monotonic(), Line(should_stop)
        is_free = is_ours or owners_may().private_connectors
        transport = None if is_free else PublicTransport(verify=tls())
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
        return self.told(method, address, headers, content, seconds=min(LIST_SECONDS, left))

    def told(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str] | None = None,
        content: str = "",
        *,
        seconds: float = LIST_SECONDS,
    ) -> bytes:
        """The body of an answer, which is no file. Raises SourceError."""
        with self.answering(method, address, seconds, headers, content) as answer:
            check(answer)
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
                    raise FileRefused(
                        said("The server does not give it (HTTP {status}).", status=answer.status_code)
                    )
                check(answer)
                receive(answer, file, most)
        except SourceError as error:
            if is_begun and error.code == UNREACHABLE:
                raise FileRefused(_("The server broke off before all of it was there.")) from None
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
            raise SourceError("slow", _("The server answers too slowly.")) from None
        except NotPublic:
            raise SourceError("private", _(NOT_PUBLIC)) from None
        except TooLarge:
            raise SourceError(
                "packed", _("The server sends its answers packed, which is not read.")
            ) from None
        except httpx.TimeoutException:
            raise SourceError("timeout", _("The server did not answer in time.")) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            if is_full(error):  # our own disk, which is no fault of the server's
                raise
            raise SourceError(UNREACHABLE, _("There is no connection to the server.")) from None


def whole(answer: httpx.Response) -> bytes:
    """The body of an answer that lists files. Raises SourceError."""
    body = bytearray()
    for block in answer.iter_bytes():
        body += block
        if len(body) > LARGEST_LIST:
            raise SourceError("too_large", _("The server lists more than SVQ reads at once."))
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
        said(
            "This folder has more than {n} folders, or could not be listed within {minutes} minutes.",
            n=MOST_LISTS,
            minutes=LONGEST // 60,
        ),
        _("Nothing was changed. Connect folders in it, one by one."),
    )


def check(answer: httpx.Response) -> None:
    """Raises SourceError for all but success."""
    status = answer.status_code
    if 200 <= status < 300:
        return
    if status in BUSY:
        raise busy(answer)
    if status in (401, 403):
        raise SourceError(
            "refused", said("The server refuses this name and password (HTTP {status}).", status=status)
        )
    if status in (404, 410):
        raise SourceError("not_there", said("The server has no such folder (HTTP {status}).", status=status))
    if 300 <= status < 400:
        raise SourceError("moved", _("The server says that the folder has moved. Give its new address."))
    raise SourceError("server", said("The server answered with HTTP {status}.", status=status))


def busy(answer: httpx.Response) -> SourceError:
    return too_busy(answer.status_code, answer.headers.get("retry-after", ""))


def too_busy(status: int, retry_after: str) -> SourceError:
    """retry_after: seconds, or a date, as RFC 9110 has it."""
    text = retry_after.strip()
    wait = USUAL_WAIT
    if re.fullmatch(r"[0-9]{1,9}", text):
        wait = float(text)
    elif text:
        try:
            wait = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            wait = USUAL_WAIT
    return SourceError(
        "busy",
        said("The server asks to be left alone for a while (HTTP {status}).", status=status),
        _("SVQ looks again on its own, once the server allows it."),
        retry_after=max(0.0, wait),
    )
