"""How much of the server one client may hold: who is one, how long a body may take, how many at once."""

import asyncio
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from svq_site.serving.address import counted_as
from svq_site.serving.open_files import connection_limits
from svq_site.serving.pace import SLOWEST, Pace
from svq_site.serving.requests_at_once import RequestsOfPerson


def test_an_ipv6_network_is_one_client() -> None:
    assert counted_as("2001:db8::1") == counted_as("2001:db8:0:0:ffff::1") != counted_as("2001:db8:0:1::1")
    assert counted_as("::ffff:192.0.2.1") == counted_as("192.0.2.1") != counted_as("192.0.2.2")
    assert counted_as("testclient") == "testclient"


def test_one_address_never_gets_more_than_half(settings: Any) -> None:
    for files in (64, 256, 1024, 65_536):
        limits = connection_limits(files)
        assert limits.total < files
        assert limits.each <= limits.total // 2
    settings.CONNECTIONS_PER_ADDRESS = 10
    assert connection_limits(1024).each == 10


def test_a_body_has_more_time_the_more_of_it_arrives() -> None:
    async def slowly() -> dict[str, Any]:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x" * SLOWEST, "more_body": True}

    async def silence() -> dict[str, Any]:
        await asyncio.sleep(30)
        raise AssertionError

    async def last() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def read() -> None:
        pace = Pace(0.05)
        for _ in range(5):  # longer than at the start was allowed for all
            await pace.next(slowly)
        dribbling = Pace(0.05)
        with pytest.raises(TimeoutError):
            await dribbling.next(silence)
        await pace.next(last)
        with pytest.raises(TimeoutError):  # the whole body is there: only the client's leaving is waited for
            await asyncio.wait_for(pace.next(silence), 0.1)

    asyncio.run(read())


def test_a_person_with_too_many_requests_is_asked_to_wait(settings: Any) -> None:
    settings.REQUESTS_PER_PERSON = 1
    answers: list[HttpResponse] = []

    def view(request: Any) -> HttpResponse:
        if not answers:  # a second request while the first is under way, then one with another token
            answers.append(limited(request))
            answers.append(limited(RequestFactory().get("/api/v1/x", headers={"Authorization": "Bearer b"})))
        return HttpResponse("done")

    limited = RequestsOfPerson(view)
    request: Any = RequestFactory().get("/api/v1/x", headers={"Authorization": "Bearer a"})
    assert limited(request).content == b"done"
    refused, others = answers
    assert (refused.status_code, refused["Retry-After"]) == (429, "2")
    assert b"was not begun, and nothing is lost" in refused.content
    assert others.content == b"done"
    assert limited(request).content == b"done"
