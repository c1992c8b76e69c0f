"""What the stages of an answer announce: one frozen value each, whose `kind` is its name everywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEvent:
    """`final`: the last one of its answer. `ephemeral`: of no use once the answer is there."""

    kind: ClassVar[str]
    final: ClassVar[bool] = False
    ephemeral: ClassVar[bool] = False


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

    text: in English. words: what it is made of, as `localization.stored` keeps it.
    documents: of a total, {document, title, passages, places, chunk, page} for each; chunk and page are those
    of its first passage. Of what is still being read, {document, title}.
    """

    code: str
    text: str
    documents: Sequence[Mapping[str, Any]] = ()
    words: Mapping[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """Most list no documents, and only a text with values has words."""
        return {name: value for name, value in asdict(self).items() if value not in ((), None)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedEvent(AnswerEvent):
    """An event that begins or changes a line of the trace."""

    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(AnswerEvent):
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
class StageFinished(AnswerEvent):
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
