"""Text recognition by a server that speaks SVQ's protocol for it: see docs/reference/ocr-server.md."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from django.utils.translation import gettext as _

from localization.stored import said
from providers.http.clients import sync_client
from providers.http.public_addresses import NOT_PUBLIC, NotPublic
from providers.http.time_limit import within
from providers.openai.redaction import shortened
from providers.protocols import PictureRefused, ProviderError, TextRecogniser
from text.pictures import PicturedWord, PictureText

PATH = "/recognise"
CONNECT_SECONDS = 10.0
LARGEST_PICTURE = 64 << 20  # bytes
LARGEST_ANSWER = 16 << 20
MOST_WORDS = 50_000
LONGEST_WORD = 1_000  # letters
LONGEST_DETAIL = 300
BUSY = {408, 409, 425, 429}

SAMPLE = Path(__file__).with_name("sample_print.png")  # a line of print that says “rent 475”
SAMPLE_SAYS = "475"

logger = logging.getLogger(__name__)


class OcrServer:
    """`base_url` is what stands before /recognise; `timeout` is in seconds for a page."""

    def __init__(
        self, base_url: str, api_key: str, model: str, timeout: float, *, public_only: bool = False
    ) -> None:
        self.name = model
        self._url = base_url.rstrip("/") + PATH
        self._key = api_key
        self._timeout = timeout
        self._public_only = public_only

    def read(self, picture: bytes, languages: Sequence[str]) -> PictureText:
        """The words of a PNG. Raises ProviderError, PictureRefused."""
        if len(picture) > LARGEST_PICTURE:
            raise PictureRefused(said("The picture of this page is too large for the OCR server."))
        try:
            return self._answer(picture, languages)
        except NotPublic as error:
            raise ProviderError(NOT_PUBLIC) from error
        except httpx.InvalidURL as error:
            raise ProviderError(
                _("The OCR server's address is not valid. Check it in the settings.")
            ) from error
        except (httpx.TimeoutException, TimeoutError) as error:
            raise ProviderError(
                _("The OCR server did not answer in time. What was read is kept. Retry the document later."),
                transient=True,
                stalled=not isinstance(error, httpx.ConnectTimeout),
            ) from error
        except httpx.HTTPError as error:
            logger.warning("%s: %s", self._url, error)
            raise ProviderError(
                _(
                    "The OCR server cannot be reached. What was read is kept. Check its address, and "
                    "whether it is running."
                ),
                transient=True,
            ) from error

    def _answer(self, picture: bytes, languages: Sequence[str]) -> PictureText:
        asked = {"model": self.name} | ({"languages": ",".join(languages)} if languages else {})
        headers = {"Content-Type": "image/png", "Accept": "application/json", "Accept-Encoding": "identity"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        with (
            sync_client(public_only=self._public_only, timeout=self._timeout) as client,
            within(self._timeout, client),
        ):
            client.timeout = httpx.Timeout(self._timeout, connect=min(CONNECT_SECONDS, self._timeout))
            with client.stream(
                "POST", self._url, params=asked, headers=headers, content=picture, follow_redirects=False
            ) as answer:
                body = _received(answer)
        if answer.status_code != 200:
            raise _refusal(answer.status_code, body)
        return _reading(body)


def read_sample(server: TextRecogniser) -> str:
    """Try it with a line of print; returns what was found, in words. Raises ProviderError."""
    begun = time.monotonic()
    read = " ".join(word.text for word in server.read(SAMPLE.read_bytes(), ["eng"]).words)
    took = time.monotonic() - begun
    if SAMPLE_SAYS not in read:
        raise ProviderError(
            said(
                "The server answers, but reads “{shortened}” where “rent 475” is printed.",
                shortened=shortened(read, LONGEST_DETAIL),
            )
        )
    told = _("It reads the line that was sent to it, after {seconds} s.")
    return told.format(seconds=f"{took:.1f}")


def _received(answer: httpx.Response) -> bytes:
    """The body, up to LARGEST_ANSWER bytes. Raises PictureRefused."""
    body = bytearray()
    for piece in answer.iter_raw():
        body += piece
        if len(body) > LARGEST_ANSWER:
            raise PictureRefused(said("The OCR server sends more than the words of one page can be."))
    return bytes(body)


def _refusal(status: int, body: bytes) -> ProviderError:
    answer = shortened(" ".join(body.decode("utf-8", "replace").split()), LONGEST_DETAIL)
    logger.warning("The OCR server answers with status %s: %s", status, answer)
    if status in (401, 403):
        return ProviderError(_("The OCR server refuses the key. Check it in the settings."))
    if status in BUSY or status >= 500:
        return ProviderError(
            said(
                "The OCR server fails with status {status}. What was read is kept. Retry the document later.",
                status=status,
            ),
            transient=True,
            busy=status == 429,
        )
    if status in (400, 413, 415, 422):
        return PictureRefused(
            said("The OCR server cannot read this picture (status {status}).", status=status)
        )
    return ProviderError(
        said(
            "The OCR server answers with status {status}. Check that its address ends where {path} begins.",
            status=status,
            path=PATH,
        )
    )


def _reading(body: bytes) -> PictureText:
    """Raises PictureRefused: a server may send anything."""
    try:
        answer = json.loads(body)
        width, height = float(answer["width"]), float(answer["height"])
        turns = int(answer.get("turns", 0))
        rows = answer["words"]
        if not (width > 0 and height > 0 and turns in range(4) and len(rows) <= MOST_WORDS):
            raise ValueError
        words = [_word(row, number, width, height) for number, row in enumerate(rows)]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
        raise PictureRefused(
            said(
                "The OCR server's answer does not have the form that was asked for. See the protocol in "
                "{file}.",
                file="docs/reference/ocr-server.md",
            )
        ) from error
    return PictureText(words=words, quarter_turns=turns)


def _word(row: Any, number: int, width: float, height: float) -> PicturedWord:
    """A word without a line number is a line of its own."""
    text, box = row["text"], [float(side) for side in row["box"]]
    sure = float(row.get("confidence", 1.0))
    left, top, right, bottom = box
    if not isinstance(text, str) or len(text) > LONGEST_WORD or not all(map(math.isfinite, [*box, sure])):
        raise ValueError
    sides = left / width, top / height, right / width, bottom / height
    x0, y0, x1, y1 = (min(max(side, 0.0), 1.0) for side in sides)
    return PicturedWord(
        text=text.strip(),
        box=(x0, y0, x1, y1),
        sure=min(max(sure, 0.0), 1.0),
        line=int(row.get("line", number)),
    )
