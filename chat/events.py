"""What happens while a question is answered: one frozen value per event, `kind` is its name everywhere."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar
from uuid import UUID

from events import log


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEvent:
    kind: ClassVar[str]
    final: ClassVar[bool] = False
    ephemeral: ClassVar[bool] = False

    def append_to(self, channel: str, run_token: UUID | None = None) -> int:
        """Write it to the log and return its number there. Raises events.log.Fenced."""
        return log.append(
            channel, self.kind, asdict(self), run_token=run_token, final=self.final, ephemeral=self.ephemeral
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnQueued(TurnEvent):
    kind = "turn_queued"
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(TurnEvent):
    kind = "turn_started"
    attempt: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRestarted(TurnEvent):
    """The worker died and another begins anew: what was shown of the answer so far is void."""

    kind = "turn_restarted"
    attempt: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(TurnEvent):
    kind = "round_started"
    round: int  # from 1
    rounds: int  # at most


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled(TurnEvent):
    kind = "tool_called"
    call_id: str
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReturned(TurnEvent):
    kind = "tool_returned"
    call_id: str
    tool: str
    hits: int
    ms: int
    ok: bool
    summary: str  # what went wrong, or the documents that were hit


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDelta(TurnEvent):
    """More of the answer, at an offset in characters, so that applying it twice changes nothing."""

    kind = "answer_delta"
    ephemeral = True
    offset: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationChecked(TurnEvent):
    kind = "citation_checked"
    n: int
    document: int | None
    title: str
    pages: list[int]
    quote: str
    start: int | None
    end: int | None
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCompleted(TurnEvent):
    kind = "answer_completed"
    answer: str
    status: str
    usage: dict[str, int]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFailed(TurnEvent):
    kind = "turn_failed"
    code: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished(TurnEvent):
    """Always the last event of a turn."""

    kind = "turn_finished"
    final = True
    status: str
