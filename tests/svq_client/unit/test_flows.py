"""What takes several requests, with a clock that only pauses move: no test waits."""

from collections.abc import Iterable
from typing import Any, TypeVar

import pytest

from svq_client import ReadingProgress, SvqError, calls, flows
from svq_client.flows import Flow, Send
from svq_client.limits import Limit
from svq_client.replies import Reply
from tests.svq_client.answers import DATASOURCE, DOCUMENT, TURN, reply

Value = TypeVar("Value")
BUSY = reply({"code": "busy", "message": "Later.", "hint": ""}, 429, **{"retry-after": "3"})


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.sent: list[str] = []

    def __call__(self) -> float:
        return self.now

    def limit(self, seconds: float = 60) -> Limit:
        return Limit(seconds, clock=self)

    def run(self, flow: Flow[Value], replies: Iterable[Reply]) -> Value:
        waiting = iter(replies)
        try:
            step = next(flow)
            while True:
                if isinstance(step, Send):
                    self.sent.append(f"{step.call.method} {step.call.path}")
                    step = flow.send(next(waiting))
                else:
                    self.now += step.seconds
                    step = flow.send(None)
        except StopIteration as end:
            value: Value = end.value
            return value


def test_a_reading_request_is_sent_again_when_the_server_says() -> None:
    clock = Clock()
    found = clock.run(flows.sent(calls.datasource(3), clock.limit()), [BUSY, BUSY, reply(DATASOURCE)])
    assert (found.name, clock.now) == ("Leases", 6)


def test_it_is_refused_when_that_is_behind_the_limit() -> None:
    clock = Clock()
    with pytest.raises(SvqError) as refused:
        clock.run(flows.sent(calls.datasource(3), clock.limit(5)), [BUSY, BUSY])
    assert (refused.value.code, refused.value.retry_after, clock.now) == ("busy", 3, 3)


def test_an_option_that_a_search_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="expnad"):
        calls.retrieve("How long?", {"k": 3, "expnad": True})  # type: ignore[typeddict-unknown-key]


@pytest.mark.parametrize(
    "call",
    [
        calls.create_datasource("Leases", ""),
        calls.begin(3, "How long?", {}),
        calls.upload(3, ("a.txt", b"a"), None),
        calls.delete_documents(3, [12]),
        calls.stop("0b9f6f0e"),
        calls.retrieve("How long?", {"expand": True}),
    ],
)
def test_what_changes_or_costs_something_is_sent_once(call: Any) -> None:
    clock = Clock()
    with pytest.raises(SvqError, match="Later"):
        clock.run(flows.sent(call, clock.limit()), [BUSY])
    assert len(clock.sent) == 1


def test_documents_are_waited_for_one_after_another() -> None:
    clock, told = Clock(), list[ReadingProgress]()
    states = [(12, "queued"), (12, "embedding"), (12, "ready"), (13, "failed")]
    rows = [reply(DOCUMENT | {"id": number, "status": status}) for number, status in states]
    found = clock.run(flows.settled((12, 13), clock.limit(), told.append), rows)
    assert [document.status for document in found] == ["ready", "failed"]
    assert [(one.settled, one.total, one.document.status) for one in told] == [
        (0, 2, "queued"),
        (0, 2, "embedding"),
        (1, 2, "ready"),
        (2, 2, "failed"),
    ]


def test_waiting_ends_with_its_limit() -> None:
    clock = Clock()

    def forever() -> Iterable[Reply]:
        while True:
            yield reply(DOCUMENT | {"status": "embedding"})

    with pytest.raises(SvqError, match="document 12 is still being read") as late:
        clock.run(flows.settled((12,), clock.limit(30), None), forever())
    assert late.value.code == "time_limit"
    assert 29 <= clock.now <= 30
    assert len(clock.sent) < 45, "it asks less and less often"


def test_an_answer_is_asked_for_until_it_has_ended() -> None:
    clock = Clock()
    begun = reply({"id": "0b9f6f0e"}, 202)
    rows = [begun, reply(TURN | {"status": "queued", "ahead": 2}), BUSY, reply(TURN)]
    answer = clock.run(flows.answered(calls.begin(3, "How long?", {}), clock.limit()), rows)
    assert answer.text == "Thirty days. [1]"
    assert clock.sent[0] == "POST /api/v1/data-sources/3/ask"
    assert set(clock.sent[1:]) == {"GET /api/v1/turns/0b9f6f0e"}


def test_a_deletion_is_followed_to_its_end() -> None:
    receipt = {
        "id": "9d1c",
        "datasource": 3,
        "document": 12,
        "document_name": "Lease",
        "requested": "2026-11-30T10:00:00Z",
        "completed": None,
        "removed": {"chunks": 4},
        "left": None,
    }
    done = receipt | {"completed": "2026-11-30T10:00:11Z", "left": {"chunks": 0}}
    clock = Clock()
    found = clock.run(flows.deleted("9d1c", clock.limit()), [reply(receipt), reply(done)])
    assert found.completed
    assert (found.removed, found.left) == ({"chunks": 4}, {"chunks": 0})
