"""Both clients at a server that answers what it is told to: pages, limits, and where the token goes."""

import asyncio
import json
import time
import traceback
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from svq_client import AsyncClient, Client, Piece, SvqError
from tests.svq_client.answers import ADDRESS, DATASOURCE, TOKEN, TURN, asked_async, client_of


def refused(request: httpx.Request) -> httpx.Response:
    return httpx.Response(401, json={"code": "not_signed_in", "message": "No.", "hint": ""})


def broken(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("[Errno 111] Connection refused", request=request)


def late(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadTimeout("", request=request)


def elsewhere(request: httpx.Request) -> httpx.Response:
    assert request.url.host == "svq.example"
    return httpx.Response(302, headers={"Location": "https://evil.example/api/v1/data-sources/3"})


def garbled(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, text="<html>")


@pytest.mark.parametrize(
    ("handler", "code"),
    [
        (refused, "not_signed_in"),
        (broken, "unreachable"),
        (late, "time_limit"),
        (elsewhere, "redirected"),
        (garbled, "unexpected_answer"),
    ],
)
def test_every_failure_is_one_exception_without_the_token(handler: Any, code: str) -> None:
    with client_of(handler) as client, pytest.raises(SvqError) as at_once:
        client.datasource(3)
    with pytest.raises(SvqError) as awaited:
        asked_async(handler, lambda client: client.datasource(3))
    for failed in (at_once.value, awaited.value):
        assert failed.code == code
        assert not isinstance(failed.__context__, httpx.HTTPError), (
            "the library's own has the request with the token"
        )
        told = repr(failed) + str(failed) + repr(vars(failed)) + "".join(traceback.format_exception(failed))
        assert TOKEN not in told


def test_no_client_shows_its_token() -> None:
    client = Client(ADDRESS, TOKEN)
    assert repr(client) == f"Client('{ADDRESS}')"
    assert repr(AsyncClient(ADDRESS, TOKEN)) == f"AsyncClient('{ADDRESS}')"
    client.close()


@pytest.mark.parametrize("token", ["", f"{TOKEN}\n", f" {TOKEN}", f"{TOKEN}é", f"{TOKEN}\x00"])
def test_a_token_that_cannot_be_sent_is_refused_unseen(token: str) -> None:
    with pytest.raises(SvqError, match="token_malformed") as malformed:
        Client(ADDRESS, token)
    assert "AbCd" not in repr(malformed.value)


@pytest.mark.parametrize(
    "address", ["", "svq.example", "ftp://svq.example", "http://me:word@svq.example", "http://[::", "http://"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(SvqError, match="address_malformed") as malformed:
        Client(address, TOKEN)
    assert "word@" not in str(malformed.value)


def paged(request: httpx.Request) -> httpx.Response:
    """The address of the next page names another server, as behind a proxy, or one that steals tokens."""
    assert request.url.host == "svq.example"
    assert request.headers["Authorization"] == f"Bearer {TOKEN}"
    page = int(request.url.params.get("page", 1))
    then = f"https://evil.example/api/v1/data-sources?page={page + 1}" if page < 3 else None
    row = DATASOURCE | {"id": page}
    return httpx.Response(200, json={"count": 3, "next": then, "previous": None, "results": [row]})


def test_pages_are_followed_on_the_same_server() -> None:
    async def numbers(client: AsyncClient) -> list[int]:
        return [one.id async for one in client.datasources()]

    with client_of(paged) as client:
        assert [one.id for one in client.datasources()] == [1, 2, 3]
    assert asked_async(paged, numbers) == [1, 2, 3]


class Endless(httpx.SyncByteStream, httpx.AsyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield b" "

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0)
            yield b" "


def test_what_never_ends_is_cut_off_at_the_limit() -> None:
    def endless(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=Endless())

    with client_of(endless, timeout=0.05) as client, pytest.raises(SvqError, match="time_limit"):
        client.datasource(3)
    with pytest.raises(SvqError, match="time_limit"):
        asked_async(endless, lambda client: client.datasource(3), timeout=0.05)


def test_an_upload_has_the_file_and_what_goes_with_it(tmp_path: Any) -> None:
    bodies: list[bytes] = []

    def take(request: httpx.Request) -> httpx.Response:
        bodies.append(request.read())
        row = {"file": "a.txt", "outcome": "accepted", "documents": [7], "duplicates": 0, "error": None}
        return httpx.Response(201, json={"files": [row]})

    (tmp_path / "a.txt").write_text("Thirty days.")
    with client_of(take) as client:
        assert client.upload(3, tmp_path / "a.txt", metadata={"externalId": "x1"}).documents == (7,)
        client.upload(3, ("a.txt", b"Thirty days."))
    for body in bodies:
        assert b'name="files"; filename="a.txt"' in body
        assert b"Thirty days." in body
    assert b'{"externalId": "x1"}' in bodies[0]
    with client_of(take) as client, pytest.raises(FileNotFoundError):
        client.upload(3, tmp_path / "none.txt")


def test_an_upload_ends_with_its_limit() -> None:
    class Slow(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            for _ in request.stream:  # type: ignore[union-attr]
                time.sleep(0.02)
            raise AssertionError("all of it was read")

    slow = Client(ADDRESS, TOKEN, transport=Slow())
    with slow as client, pytest.raises(SvqError, match="the file was not sent"):
        client.upload(3, ("a.txt", bytes(2**21)), limit=0.05)


def streamed(request: httpx.Request) -> httpx.Response:
    """A stream that breaks after the first piece, and goes on with the next connection."""
    if request.method == "POST":
        assert json.loads(request.content)["wait"] is False
        return httpx.Response(202, json={"id": "0b9f6f0e"})
    if request.url.path != "/events/":
        return httpx.Response(200, json=TURN)
    if not request.headers.get("Last-Event-ID"):
        return httpx.Response(200, text=event("answer_delta", 1, offset=0, text="Thirty "))
    assert request.headers["Last-Event-ID"] == "1"
    rest = event("answer_delta", 2, offset=7, text="days.") + event("turn_finished", 3, status="answered")
    return httpx.Response(200, text=rest)


def event(kind: str, number: int, **data: Any) -> str:
    return f"event: {kind}\nid: {number}\ndata: {json.dumps(data)}\n\n"


def test_a_stream_that_breaks_goes_on_and_ends_with_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svq_client.following.Following.pause", lambda self: 0.0)

    async def all_of(client: AsyncClient) -> list[Any]:
        return [one async for one in client.ask_streamed(3, "How long?")]

    with client_of(streamed) as client:
        shown = list(client.ask_streamed(3, "How long?"))
    assert shown == asked_async(streamed, all_of)
    assert [one.text for one in shown] == ["Thirty ", "days.", "Thirty days. [1]"]
    assert isinstance(shown[0], Piece)
