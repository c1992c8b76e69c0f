"""The id of the last event that a client sends back, and the host that it asks."""

from typing import Any

import pytest

from events.access import Refused, require_known_host
from events.json_stream import parse_ids

TURN, HOME = "turn:0d9c", "datasource:7"


def test_each_channel_goes_on_behind_its_number() -> None:
    assert parse_ids("turn%3A0d9c:5,datasource%3A7:12", [TURN, HOME]) == {TURN: 5, HOME: 12}


def test_channels_that_are_not_asked_for_are_ignored() -> None:
    assert parse_ids("turn%3A0d9c:5,datasource%3A7:12", [HOME]) == {HOME: 12}


def test_no_id_is_the_beginning() -> None:
    assert parse_ids("", [TURN]) == {}


@pytest.mark.parametrize(
    "text", ["turn", "turn:", "turn:-1", "turn:x", "turn:²", "turn:1e3", "turn:" + "9" * 10]
)
def test_an_id_that_was_never_sent_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_ids(text, ["turn"])
    assert (refused.value.status, refused.value.error["code"]) == (400, "malformed_last_id")


@pytest.mark.parametrize("host", ["svq.example", "svq.example:8000", "SVQ.EXAMPLE"])
def test_an_allowed_host_is_served(settings: Any, host: str) -> None:
    settings.ALLOWED_HOSTS = ["svq.example"]
    require_known_host({"host": host})


@pytest.mark.parametrize(
    "headers", [{}, {"host": ""}, {"host": "evil.example"}, {"host": "svq.example.evil"}]
)
def test_another_host_is_refused(settings: Any, headers: dict[str, str]) -> None:
    settings.ALLOWED_HOSTS = ["svq.example"]
    with pytest.raises(Refused) as refused:
        require_known_host(headers)
    assert (refused.value.status, refused.value.error["code"]) == (400, "unknown_host")
