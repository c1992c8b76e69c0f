"""Requests to the fixed servers of a cloud, with a token that is short-lived.

Nobody chooses these servers, and what they name as the next page stays at the same one. An operator can have
all of them asked at another address (SVQ_CLOUDS_URL), such as a gateway of their own.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, BinaryIO
from urllib.parse import unquote, urlencode, urlsplit

import httpx
from django.conf import settings
from django.utils.translation import gettext as _

from exchange.connectors.sources.source import UNREACHABLE, FileRefused, SourceError, parsed_size
from exchange.connectors.sources.web import BUSY, FILE_SECONDS, Web, busy, check, receive, whole
from localization.stored import said

LONGEST_WAIT = 30.0  # seconds that a cloud may ask for within a look; for longer ones the look ends
MOST_WAITS = 120.0  # seconds of them in a look
TOKEN_SECONDS = 60
STEP = 0.2  # seconds of a wait until it is asked whether anybody still waits
LONGEST_TOKEN = 86_400  # seconds for which a token is used, whatever its giver says
EARLY = 120  # seconds before its end from which a token is not used any more
REDIRECTED = (301, 302, 303, 307, 308)


def asked_at(address: str) -> str:
    """Where an address of a cloud is asked."""
    if not settings.CLOUDS_URL:
        return address
    parts = urlsplit(address)
    rest = address.partition(parts.netloc)[2]
    return f"{settings.CLOUDS_URL}/{parts.netloc}{rest}"


def _web(should_stop: Callable[[], bool]) -> Web:
    return Web(None, should_stop, is_ours=bool(settings.CLOUDS_URL))


class Tokens:
    """The token that an address gives for a form, kept as long as it is good. cloud: its name for people."""

    def __init__(self, cloud: str, should_stop: Callable[[], bool]) -> None:
        self._cloud, self._should_stop = cloud, should_stop
        self._kept: dict[str, tuple[str, float]] = {}

    def asked(self, key: str, address: str, form: dict[str, str]) -> str:
        """key: what it is for. Raises SourceError."""
        token = self.kept(key)
        if not token:
            token, seconds = self._new(address, form)
            self._kept[key] = (token, time.monotonic() + max(60, seconds - EARLY))
        return token

    def kept(self, key: str) -> str:
        """Empty where there is none that is good yet."""
        token, end = self._kept.get(key, ("", 0.0))
        return token if time.monotonic() < end else ""

    def _new(self, address: str, form: dict[str, str]) -> tuple[str, int]:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        with (
            closing(_web(self._should_stop)) as web,
            web.answering("POST", asked_at(address), TOKEN_SECONDS, headers, urlencode(form)) as answer,
        ):
            body, status = whole(answer), answer.status_code
            if status in BUSY:
                raise busy(answer)
        data = _parsed(body, self._cloud) if status < 500 else {}
        token, seconds = data.get("access_token"), data.get("expires_in")
        if status == 200 and isinstance(token, str) and token.isascii() and token.isprintable():
            return token, min(parsed_size(str(seconds)) or 0, LONGEST_TOKEN)
        if status >= 500:
            raise SourceError(
                UNREACHABLE,
                said("{cloud} answered with HTTP {status}.", cloud=self._cloud, status=status),
            )
        code = str(data.get("error", ""))
        why = said("{cloud} refuses this key.", cloud=self._cloud)
        if code.replace("_", "").isalnum() and len(code) < 60:
            why = said("{cloud} refuses this key ({code}).", cloud=self._cloud, code=code)
        raise SourceError("refused", why, _("Enter one that is good."))


class Cloud:
    """base: where its API begins, such as https://graph.microsoft.com/v1.0. token: what gives one."""

    def __init__(
        self, name: str, base: str, token: Callable[[], str], should_stop: Callable[[], bool]
    ) -> None:
        self.name, self._base = name, base
        self._token, self._should_stop = token, should_stop
        self._web = _web(should_stop)
        self._waited = 0.0

    def close(self) -> None:
        self._web.close()

    def asked(self, address: str, posted: object = None, *, is_list: bool = True) -> dict[str, Any]:
        """What is told at a path, or at the address that an answer before has named. posted: what is sent
        along, if anything. is_list: it belongs to the list of all files, which is bounded. Raises
        SourceError.
        """
        url = f"{self._base}{address}" if address.startswith("/") else address
        if not url.startswith(f"{self._base}/") or _leads_up(url):
            raise SourceError(
                "half_a_list",
                said("{cloud} leads on to another server, which is not asked.", cloud=self.name),
            )
        content = "" if posted is None else json.dumps(posted)
        headers = self._headers | ({"Content-Type": "application/json"} if content else {})
        while True:
            try:
                ask = self._web.listing if is_list else self._web.told
                body = ask("POST" if content else "GET", asked_at(url), headers, content)
                return _parsed(body, self.name)
            except SourceError as error:
                if error.code == "refused":
                    raise self._refused() from None
                if error.code != "busy":
                    raise
                self.wait(error)

    def wait(self, error: SourceError) -> None:
        """As long as the cloud asks for, if that is not long. Raises the error."""
        wait = max(1.0, error.retry_after)
        self._waited += wait
        if wait > LONGEST_WAIT or self._waited > MOST_WAITS:
            raise error
        end = time.monotonic() + wait
        while (left := end - time.monotonic()) > 0:
            if self._should_stop():
                raise SourceError("stopped", _("Nobody is waiting for it any more."))
            time.sleep(min(left, STEP))

    def download(self, path: str, file: BinaryIO, most: int) -> None:
        """A cloud may lead on to another of its servers, once, which is sent no token: its address is the
        right to the file. Raises SourceError, FileRefused.
        """
        is_begun = False
        try:
            with self._file(f"{self._base}{path}") as answer:
                is_begun = answer.is_success
                if answer.status_code in (400, 403, 404, 410):
                    raise FileRefused(
                        said(
                            "{cloud} does not give it (HTTP {status}).",
                            cloud=self.name,
                            status=answer.status_code,
                        )
                    )
                check(answer)
                receive(answer, file, most)
        except SourceError as error:
            if is_begun and error.code == UNREACHABLE:
                raise FileRefused(
                    said("{cloud} broke off before all of it was there.", cloud=self.name)
                ) from None
            raise

    @contextmanager
    def _file(self, url: str) -> Iterator[httpx.Response]:
        led: str | None = None
        with self._web.answering("GET", asked_at(url), FILE_SECONDS, self._headers) as answer:
            if answer.status_code in REDIRECTED:
                led = answer.headers.get("location", "")
            else:
                yield answer
        if led is not None:
            if not led.startswith("https://"):
                raise FileRefused(said("{cloud} leads on to an address that is not asked.", cloud=self.name))
            with self._web.answering("GET", asked_at(led), FILE_SECONDS) as answer:
                yield answer

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token()}"}

    def _refused(self) -> SourceError:
        return SourceError(
            "refused",
            said("{cloud} does not let this key read it.", cloud=self.name),
            _(
                "Whoever administers it can allow that. The how-to page on connected sources says what is "
                "needed."
            ),
        )


def _leads_up(url: str) -> bool:
    """Where all clouds are asked at one address, such a path may lead from one to another."""
    return ".." in unquote(urlsplit(url).path).replace("\\", "/").split("/")


def broken(name: str) -> SourceError:
    """Of an answer that is no list, or half a one."""
    return SourceError(
        "half_a_list",
        said("{cloud} answers with an incomplete list.", cloud=name),
        _("Nothing was changed."),
    )


def _parsed(body: bytes, name: str) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise broken(name) from None
    if not isinstance(data, dict):
        raise broken(name)
    return data


def rows_of(data: Mapping[str, Any], key: str, name: str) -> list[dict[str, Any]]:
    """The rows of a page. Raises SourceError where they are missing: no page is a page without rows."""
    rows = data.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise broken(name)
    return rows


def text_of(row: Mapping[str, Any], key: str, name: str) -> str:
    """Raises SourceError where it is missing."""
    text = row.get(key)
    if not isinstance(text, str) or not text:
        raise broken(name)
    return text
