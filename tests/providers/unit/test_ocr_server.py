"""The protocol of OCR servers: what is sent, what is believed of an answer, which addresses are reached."""

import json
from typing import Any

import httpx
import pytest

from providers import ocr_server
from providers.ocr_server import OcrServer, read_sample
from providers.protocols import PictureRefused, ProviderError

GOOD = {
    "width": 200,
    "height": 100,
    "words": [{"text": "rent 475", "box": [20, 10, 100, 30], "confidence": 0.9}],
}


def answering(monkeypatch: pytest.MonkeyPatch, status: int, content: Any) -> OcrServer:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    transport = httpx.MockTransport(lambda request: httpx.Response(status, stream=httpx.ByteStream(body)))
    client = httpx.Client(transport=transport, follow_redirects=True)
    monkeypatch.setattr(ocr_server, "sync_client", lambda **_: client)
    return OcrServer("http://ocr.example", "", "default", 5)


def test_places_are_parts_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    read = answering(monkeypatch, 200, {**GOOD, "turns": 1}).read(b"picture", [])
    (word,) = read.words
    assert (word.text, word.box, word.sure, word.line) == ("rent 475", (0.1, 0.1, 0.5, 0.3), 0.9, 0)
    assert read.quarter_turns == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>",
        b"[]",
        b"[" * 100_000,
        b"null",
        {**GOOD, "width": 0},
        {**GOOD, "turns": 4},
        {**GOOD, "words": None},
        {**GOOD, "words": [{"text": 5, "box": [0, 0, 1, 1]}]},
        {**GOOD, "words": [{"text": "a", "box": [0, 0, 1]}]},
        {**GOOD, "words": [{"text": "a", "box": [0, 0, 1, float("nan")]}]},
        {**GOOD, "words": [{"text": "a" * 2000, "box": [0, 0, 1, 1]}]},
        {**GOOD, "words": [{"text": "a", "box": [0, 0, 1, 1]}] * 50_001},
        b" " * (ocr_server.LARGEST_ANSWER + 1),
    ],
)
def test_what_is_no_page_is_refused(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    with pytest.raises(PictureRefused):
        answering(monkeypatch, 200, answer).read(b"picture", [])


@pytest.mark.parametrize(
    ("status", "transient", "told"),
    [
        (401, False, "key"),
        (404, False, "address"),
        (429, True, "429"),
        (500, True, "500"),
        (302, False, "302"),
    ],
)
def test_a_server_that_fails(
    monkeypatch: pytest.MonkeyPatch, status: int, transient: bool, told: str
) -> None:
    with pytest.raises(ProviderError, match=told) as failed:
        answering(monkeypatch, status, b"no").read(b"picture", [])
    assert failed.value.transient is transient
    assert not isinstance(failed.value, PictureRefused)


def test_private_addresses_are_reached_by_administrators_alone() -> None:
    with pytest.raises(ProviderError, match="private network"):
        OcrServer("http://127.0.0.1:9", "", "default", 5, public_only=True).read(b"picture", [])
    with pytest.raises(ProviderError, match="cannot be reached") as away:
        OcrServer("http://127.0.0.1:9", "", "default", 5).read(b"picture", [])
    assert away.value.transient


def test_a_trial_believes_what_was_read_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "It reads the line" in read_sample(answering(monkeypatch, 200, GOOD))
    with pytest.raises(ProviderError, match="reads “”"):
        read_sample(answering(monkeypatch, 200, {**GOOD, "words": []}))
