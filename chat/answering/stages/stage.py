"""What a stage of answering is, and the work that the stages of one answer share."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from chat.answering.stages.reply import ReplyStream
from chat.answering.tools.runner import ToolResult, ToolRunner
from chat.events import Step, TurnEvent
from chat.models import Citation, TurnStatus
from providers.protocols import ChatModel, Message, StructuredModel, ToolCall, Usage

Found = Literal["all", "some", "none"]


@dataclass(slots=True, kw_only=True)
class Work:
    """Each stage takes from it what the stages before have left, and leaves what it made.

    `emit` logs an event. `show` takes the whole answer as far as it is written, with its citation tags, and
    says whether it is complete. `revise` keeps citations whose verdict has changed.
    """

    emit: Callable[[TurnEvent], Awaitable[None]]
    show: Callable[[str, bool], Awaitable[None]]
    revise: Callable[[Sequence[Citation]], Awaitable[None]]
    model: ChatModel
    tools: ToolRunner
    messages: list[Message]
    rounds: int  # at most
    round: int = 0  # from 1
    usage: Usage = field(default_factory=Usage)
    calls: tuple[ToolCall, ...] = ()  # that the model asks for, to be run
    results: list[tuple[ToolCall, ToolResult]] = field(
        default_factory=list
    )  # the model has not read them yet
    reply: ReplyStream | None = None  # in which the model has begun to answer
    answered: bool = False
    found: Found = "none"  # how much of the question the passages answer, as the model sees it
    citations: list[Citation] = field(default_factory=list)  # of the answer so far, each checked
    judge: StructuredModel | None = None  # asked about each claim once the answer is written
    judged: bool = False
    outcome: TurnStatus | None = None


class Stage(ABC):
    """One part of answering. `label`, `icon` and `doing` are what the trace shows of it.

    Whichever stage of the registry is due first runs next, until none is due.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    icon: ClassVar[str]
    doing: ClassVar[str] = ""

    @abstractmethod
    def is_due(self, work: Work) -> bool:
        """Whether there is something to do; False once it has run, until another stage leaves it more."""

    @abstractmethod
    async def run(self, work: Work) -> None:
        """Do it. Raises ProviderError."""

    def step(self, key: str, text: str, **values: Any) -> Step:
        """A line of the trace about this stage."""
        named = {"label": self.label, "icon": self.icon, "doing": self.doing}
        return Step(id=key, text=text, **{**named, **values})
