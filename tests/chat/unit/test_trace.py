"""The steps of an answer as its events tell them, and their bars."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from answering.stages.registry import CHECKING
from chat.trace import TimedStep, steps_of
from chat.web.answers import trace
from citations.checked import CheckedQuote
from events.models import Event

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def event(kind: str, at: int = 0, **data: Any) -> Event:
    """An event so many milliseconds after the beginning."""
    return Event(kind=kind, data=data, created=BEGUN + timedelta(milliseconds=at))


def step(key: str, **values: Any) -> dict[str, Any]:
    given = {"id": key, "label": "Search", "icon": "search", "text": "", "found": "", "doing": ""}
    return given | {"state": "now", "ms": None} | values


def timed(key: str, **values: Any) -> TimedStep:
    return TimedStep(**step(key, **values))


def test_steps_stand_in_the_order_in_which_they_began() -> None:
    steps = steps_of(
        [
            event("turn_started"),
            event("round_started", 10, step=step("a", label="Plan")),
            event("stage_finished", 30, stage="planning", ms=20),
            event("tool_called", 40, step=step("b")),
            event("tool_called", 41, step=step("c")),
            event("tool_returned", 50, step=step("c", ms=7, state="", found="8 hits")),
            event("tool_returned", 90, step=step("b", ms=48, state="f")),
        ]
    )
    assert [(one.id, one.start, one.ms, one.state) for one in steps] == [
        ("a", 10, 20, ""),
        ("b", 40, 48, "f"),
        ("c", 41, 7, ""),
    ]
    assert steps[2].found == "8 hits"


def test_a_step_takes_the_place_of_one_with_its_id() -> None:
    steps = steps_of(
        [
            event("turn_started"),
            event("round_started", 10, step=step("round-1", label="Plan")),
            event("stage_finished", 30, stage="planning", ms=20),
            event("stage_started", 30, step=step("round-1", label="Write")),
            event("stage_finished", 75, stage="answering", ms=45),
        ]
    )
    assert [(one.label, one.start, one.ms) for one in steps] == [("Write", 10, 65)]


def test_a_step_that_is_told_when_it_is_done_has_the_time_of_its_stage() -> None:
    steps = steps_of(
        [
            event("turn_started"),
            event("question_understood", 12, step=step("classifying", state="")),
            event("stage_finished", 12, stage="classifying", ms=0.4),
            event("citation_checked", 60, step=step("checking", state="")),
            event("stage_finished", 80, stage="answering", ms=68.0),
        ]
    )
    assert [(one.id, one.start, one.ms) for one in steps] == [
        ("classifying", 11.6, 0.4),
        ("checking", 60, None),
    ]


def test_what_an_answer_took_stands_beside_its_writing_not_beside_the_check_of_its_quotes() -> None:
    steps = steps_of(
        [
            event("turn_started"),
            event("round_started", 10, step=step("round-1", label="Plan")),
            event("stage_finished", 30, stage="planning", ms=20, tokens=1_900),
            event("stage_started", 30, stage="answering", step=step("round-1", label="Write")),
            event("citation_checked", 60, step=step("checking", label="Check", state="")),
            event("stage_finished", 80, stage="answering", ms=50, tokens=5_700),
            event("judged", 90, step=step("judging", state="")),
            event("stage_finished", 90, stage="judging", ms=10, tokens=60),
        ]
    )
    assert [(one.id, one.tokens) for one in steps] == [("round-1", 7_600), ("checking", 0), ("judging", 60)]


def test_another_run_begins_with_nothing() -> None:
    before = [event("turn_started"), event("tool_called", 5, step=step("a"))]
    assert steps_of([*before, event("turn_restarted", 100)]) == []
    after = steps_of([*before, event("turn_restarted", 100), event("tool_called", 130, step=step("a"))])
    assert [one.start for one in after] == [30]


def test_tokens_of_another_run_stand_beside_its_own_steps() -> None:
    (one,) = steps_of(
        [
            event("turn_started"),
            event("stage_started", 30, stage="answering", step=step("round-1")),
            event("turn_restarted", 100),
            event("classified", 110, step=step("classifying", state="")),
            event("stage_finished", 120, stage="classifying", ms=20, tokens=60),
        ]
    )
    assert (one.id, one.tokens) == ("classifying", 60)


def test_nothing_is_told_before_the_beginning() -> None:
    assert steps_of([event("turn_queued"), event("tool_called", step=step("a"))]) == []


@pytest.mark.parametrize(("status", "state"), [("answered", ""), ("failed", "f"), ("stopped", "w")])
def test_a_step_that_was_running_at_the_end_shows_how_the_turn_ended(status: str, state: str) -> None:
    started = [event("turn_started"), event("tool_called", 5, step=step("a"))]
    (one,) = steps_of([*started, event("turn_finished", 25, status=status)])
    assert (one.state, one.ms) == (state, 20)


@pytest.mark.parametrize(
    ("supports", "text", "state"),
    [
        (["supported"], "1 of 1 quotes on the page, 1 supports the claim", ""),
        (["supported", "supported"], "2 of 2 quotes on the page, 2 support the claim", ""),
        (["supported", "needs_your_eye"], "2 of 2 quotes on the page, 1 supports the claim", "w"),
        (["contradicted"], "1 of 1 quotes on the page, 0 support the claim", "w"),
        (["supported", "absent"], "1 of 2 quotes on the page, 1 supports the claim", "w"),
    ],
)
def test_quotes_and_the_claims_they_support_are_counted_apart(
    supports: list[str], text: str, state: str
) -> None:
    citations = [
        CheckedQuote(on_page="absent")
        if support == "absent"
        else CheckedQuote(on_page="exact", support=support)
        for support in supports
    ]
    counted = CHECKING.counted(citations, quotes_only=False)
    assert (counted.text, counted.state) == (text, state)


def test_passages_are_picked_and_nothing_is_said_of_claims() -> None:
    counted = CHECKING.counted(
        [CheckedQuote(on_page="exact"), CheckedQuote(on_page="exact")], quotes_only=True
    )
    assert (counted.label, counted.text) == ("Pick", "2 passages, word for word, closest first")


def test_bars_stand_at_their_place_in_the_whole() -> None:
    first, second = trace.lines(
        [timed("a", start=0, ms=250, state=""), timed("b", start=250, ms=750, state="")]
    )
    assert (first.left, first.width) == (0, 25)
    assert (second.left, second.width) == (25, 75)


def test_a_very_short_step_can_still_be_seen() -> None:
    long, short = trace.lines(
        [timed("a", start=0, ms=10_000, state=""), timed("b", start=10_000, ms=0, state="")]
    )
    assert short.width == trace.NARROWEST
    assert short.left + short.width == 100
    assert long.left == 0


def test_a_step_of_unknown_length_has_no_bar() -> None:
    _, line = trace.lines([timed("a", start=0, ms=10, state=""), timed("b", start=0, state="")])
    assert (line.width, line.took) == (0, "")


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0.42, "0.4 ms"),
        (0, "0.1 ms"),
        (86, "86 ms"),
        (2400, "2.4 s"),
        (90_000, "1.5 min"),
        (999.6, "1.0 s"),
    ],
)
def test_durations_read_well(ms: float, text: str) -> None:
    assert trace.duration(ms) == text


def test_tokens_belong_to_the_step_that_their_stage_told_of_last() -> None:
    steps = steps_of(
        [
            event("turn_started"),
            event("round_started", 10, step=step("round-1", label="Plan")),
            event("stage_finished", 30, stage="planning", tokens=790),
            event("tool_called", 40, step=step("call-1-0")),
            event("tool_returned", 50, step=step("call-1-0", ms=7, state="")),
            event("stage_finished", 51, stage="searching", tokens=0),
            event("round_started", 60, step=step("round-2", label="Plan")),
            event("stage_finished", 70, stage="planning", tokens=0),
            event("stage_started", 71, step=step("round-2", label="Write")),
            event("stage_finished", 90, stage="answering", tokens=2900),
        ]
    )
    assert [(one.label, one.tokens) for one in steps] == [("Plan", 790), ("Search", 0), ("Write", 2900)]
    assert [line.tokens for line in trace.lines(steps)] == ["790", "", "2.9k"]
