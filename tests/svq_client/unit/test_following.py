"""The lines of an event stream, as steps and pieces."""

import json
from typing import Any

import pytest

from svq_client import Piece, Step, SvqError
from svq_client.following import MOST_LOSSES, Following
from svq_client.limits import Limit
from tests.svq_client.answers import reply


def lines(kind: str, seq: int, **data: Any) -> list[str]:
    told = json.dumps(data, ensure_ascii=False)
    return [f"event: {kind}", f"id: turn%3At:{seq}", f"data: {told}", ""]


def taken(following: Following, *events: list[str]) -> list[Piece | Step]:
    return [shown for event in events for line in event for shown in following.take(f"{line}\n".encode())]


def test_steps_and_pieces_come_as_they_are_written() -> None:
    following = Following("t", Limit(60))
    following.call()
    step = {"id": "s1", "label": "Searching", "text": "backups", "state": "now", "ms": None}
    shown = taken(
        following,
        ["retry: 2731", ""],
        lines("turn_queued", 1, question="How long?"),
        [": keep-alive", ""],
        lines("tool_called", 2, step=step),
        lines("answer_delta", 3, offset=0, text="Thir"),
        lines("answer_delta", 4, offset=4, text="ty: days"),
        lines("turn_restarted", 5, attempt=2),
        lines("an_event_of_later", 6, anything=[1]),
        ["event: odd", "data: {", ""],
    )
    assert shown == [
        Step("t", "s1", "Searching", "backups", "now"),
        Piece("t", 0, "Thir"),
        Piece("t", 4, "ty: days"),
        Piece("t", 0, ""),
    ]
    assert not following.is_over
    assert taken(following, lines("turn_finished", 7, status="answered")) == []
    assert following.is_over


def test_the_next_connection_goes_on_after_the_last_event() -> None:
    following = Following("t", Limit(60))
    assert following.call().last_event == ""
    taken(following, lines("turn_queued", 1), ["event: answer_delta", 'data: {"text": "lost"}'])
    call = following.call()
    assert (call.last_event, call.params) == ("turn%3At:1", (("channel", "turn:t"),))
    assert taken(following, [""]) == [], "half of an event is none"


def test_after_some_connections_without_events_it_gives_up() -> None:
    following, pauses = Following("t", Limit(60)), []
    while not following.is_over:
        following.call()
        pauses.append(following.pause())
    assert len(pauses) == MOST_LOSSES
    assert pauses[:-1] == sorted(set(pauses[:-1]))


def test_connections_that_bring_something_are_not_counted() -> None:
    following = Following("t", Limit(60))
    for number in range(2 * MOST_LOSSES):
        following.call()
        taken(following, lines("turn_waiting", number, ahead=1))
        following.pause()
    assert not following.is_over


def test_a_refusal_ends_it_and_a_server_that_is_away_does_not() -> None:
    following = Following("t", Limit(60))
    following.check(reply({"code": "database_unavailable"}, 503))
    following.check(reply(None, 204))
    with pytest.raises(SvqError, match="no_such_channel"):
        following.check(reply({"code": "no_such_channel", "message": "No."}, 403))


def test_a_stream_ends_with_its_limit() -> None:
    with pytest.raises(SvqError, match="time limit"):
        list(Following("t", Limit(-1)).take(b": keep-alive\n"))


def test_letters_of_any_kind_come_whole_however_they_are_cut() -> None:
    """A line separator of Unicode ends no line of the stream, and a letter may lie in two packets."""
    text = "Straße\u2028“thirty” \x85days"
    sent = "\r\n".join([*lines("answer_delta", 1, offset=0, text=text), ""]).encode()
    following = Following("t", Limit(60))
    assert [one for n in range(len(sent)) for one in following.take(sent[n : n + 1])] == [Piece("t", 0, text)]
