"""The events of an answer: one frozen value each, whose `kind` is its name everywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal
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
class Step:
    """A line of the trace, worded by its stage or tool. A later one with the same id replaces it."""

    id: str
    label: str  # what is done, in a word or two
    icon: str
    text: str = ""  # the call, or what came of it, for people
    found: str = ""  # how much: "8 hits"
    doing: str = ""  # what the page says is happening
    state: Literal["now", "", "w", "f"] = "now"  # running, done, look at it, failed
    ms: float | None = None  # how long it took, where that was measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a reader must know besides the answer: that a stage was skipped, a total, what was masked.

    documents: of a total, {document, title, passages, places, chunk, page} for each; chunk and page are those
    of its first passage.
    """

    code: str
    text: str
    documents: Sequence[Mapping[str, Any]] = ()

    def as_json(self) -> dict[str, Any]:
        """Only a count lists documents."""
        return {name: value for name, value in asdict(self).items() if value != ()}


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedEvent(TurnEvent):
    """An event that begins or changes a line of the trace."""

    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnQueued(TurnEvent):
    kind = "turn_queued"
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnWaiting(TurnEvent):
    """Its place in the queue, told again and again while it waits."""

    kind = "turn_waiting"
    ephemeral = True
    ahead: int  # questions that are likely to be taken up before it


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(TurnEvent):
    kind = "turn_started"
    attempt: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRestarted(TurnEvent):
    """The worker died and another starts over: discard what was shown of the answer so far."""

    kind = "turn_restarted"
    attempt: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(TurnEvent):
    """A model that only quotes has no line for the first round, in which it only searches."""

    kind = "round_started"
    round: int  # from 1
    rounds: int  # at most
    step: Step | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStarted(TracedEvent):
    """A stage has something to show that no other event shows."""

    kind = "stage_started"
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFinished(TurnEvent):
    """Ends the lines of the trace that are still running: one stage runs at a time."""

    kind = "stage_finished"
    stage: str
    ms: float
    tokens: int = 0  # used by models; shown on the line that the stage began with, else on its last one


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSkipped(TracedEvent):
    """An optional stage failed or took too long."""

    kind = "stage_skipped"
    stage: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionUnderstood(TracedEvent):
    """The question as it reads without the conversation, and its type."""

    kind = "question_understood"
    question: str
    intent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled(TracedEvent):
    kind = "tool_called"
    call_id: str
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReturned(TracedEvent):
    kind = "tool_returned"
    call_id: str
    tool: str
    hits: int
    ms: int
    ok: bool
    summary: str  # what went wrong, or the titles of the documents found


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDelta(TurnEvent):
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
class ClaimsJudged(TracedEvent):
    """The second reader has answered, or could not; a second `citation_checked` was sent for each claim that
    it has an opinion on. answers: `wholly`, `partly`, `not`, or empty.
    """

    kind = "claims_judged"
    asked: int
    answered: int
    supported: int
    calls: int
    answers: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCompleted(TurnEvent):
    kind = "answer_completed"
    answer: str
    status: str
    usage: dict[str, int]
    seconds: float
    notices: list[dict[str, Any]]


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
