"""The events of a turn: those of its answer (`answering.values.events`), and what else becomes of it."""

from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from answering.values.events import AnswerEvent, TracedEvent
from events import log


def append(event: AnswerEvent, channel: str, run_token: UUID | None = None) -> int:
    """Write it to the log and return its number there. Raises events.log.Fenced."""
    return log.append(
        channel, event.kind, asdict(event), run_token=run_token, final=event.final, ephemeral=event.ephemeral
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnQueued(AnswerEvent):
    kind = "turn_queued"
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnWaiting(AnswerEvent):
    """Its place in the queue, told again and again while it waits."""

    kind = "turn_waiting"
    ephemeral = True
    ahead: int  # questions that are likely to be taken up before it


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(AnswerEvent):
    kind = "turn_started"
    attempt: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRestarted(AnswerEvent):
    """The worker died and another starts over: discard what was shown of the answer so far."""

    kind = "turn_restarted"
    attempt: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDelta(AnswerEvent):
    """More of the answer, at an offset in characters, so that applying it twice changes nothing. At offset 0
    it takes the place of what was written before.
    """

    kind = "answer_delta"
    ephemeral = True
    offset: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationChecked(TracedEvent):
    kind = "citation_checked"
    n: int
    document: int | None
    title: str
    pages: list[int]
    quote: str
    start: int | None
    end: int | None
    on_page: str
    support: str
    confirmed_by: str
    reader: str
    reason: str
    checks: list[dict[str, Any]]
    judge: dict[str, Any]
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCompleted(AnswerEvent):
    kind = "answer_completed"
    answer: str
    status: str
    usage: dict[str, int]
    seconds: float
    notices: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFailed(AnswerEvent):
    kind = "turn_failed"
    code: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished(AnswerEvent):
    """Always the last event of a turn."""

    kind = "turn_finished"
    final = True
    status: str
