"""What a stage of answering is, and the work that the stages of one answer share."""

import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from chat.answering.cleaning.cleaner import Cleaner
from chat.answering.question.intent import Intent
from chat.answering.stages.reply import Found, ReplyStream
from chat.answering.tools.runner import ToolResult, ToolRunner
from chat.answering.whole.library import Library
from chat.events import Notice, Step, TurnEvent
from chat.models import AnswerSettings, Citation, TurnStatus
from citations.opinion import Answers
from providers.protocols import (
    ChatModel,
    Embedder,
    Message,
    ProviderError,
    Reranker,
    StructuredModel,
    ToolCall,
    Usage,
)
from providers.spending.metering import Payer


class Unusable(ProviderError):
    """What the model has answered is not shown; something else is, in its place."""


class NothingProven(Unusable):
    """All its quotes are invented."""

    code = "nothing_proven"

    def __init__(self) -> None:
        super().__init__("Nothing that the model wrote is in your documents, so it is not shown.")


class Unsearched(Unusable):
    """The model has answered from nothing, although it was told to search."""

    code = "unsearched"

    def __init__(self) -> None:
        super().__init__("The model answered without looking into the documents. SVQ searched for it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """The result of a tool call, at its place among the messages that the model reads."""

    call: ToolCall
    result: ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """An earlier answer that is given again; `label` says so."""

    outcome: TurnStatus
    intent: str
    missing: str
    notices: Sequence[Notice]
    label: str


async def _no_titles(most: int) -> tuple[Sequence[str], int]:
    return (), 0


@dataclass(slots=True, kw_only=True)
class Work:
    """The state of one answer: each stage reads what earlier stages have left, and adds what it made.

    `emit` logs an event. `show` takes the whole answer as far as it is written, with its citation tags, and
    says whether it is complete; `rewrite` shows another in its place. `revise` keeps citations whose verdict
    has changed.
    """

    emit: Callable[[TurnEvent], Awaitable[None]]
    show: Callable[[str, bool], Awaitable[None]]
    rewrite: Callable[[str], Awaitable[None]]
    revise: Callable[[Sequence[Citation]], Awaitable[None]]
    model: ChatModel
    tools: ToolRunner
    question: str  # as it was asked
    sought: str = ""  # what code searches for; empty: the question
    rounds: int  # at most
    history: Sequence[Message] = ()
    instructions: str = ""  # of the asker, for all answers
    settings: AnswerSettings = field(default_factory=AnswerSettings)
    has_model: bool = False  # whether a language model is connected, be it one that does not answer here
    helper: StructuredModel | None = None  # for small questions about the question
    begun: float = field(default_factory=time.monotonic)
    done: set[str] = field(default_factory=set)  # names of the stages that have run
    notices: list[Notice] = field(default_factory=list)  # what a reader must know beside the answer

    standalone: str = ""  # the question as it is understood without the conversation
    rephrased: bool = False  # by a model, so that it is better read than the words that were asked
    intent: Intent = Intent.FACTUAL
    supposed_intent: Intent | None = None  # as the model says that made the question standalone
    round: int = 0  # from 1
    most_rounds: int = 0  # as the model is told, also when it gets fewer
    said: list[Message | CallResult] = field(default_factory=list)  # after the question
    usage: Usage = field(default_factory=Usage)  # as the replies say that came to their end
    payer: Payer = field(default_factory=Payer)  # what was charged, also for replies that were broken off
    window: Callable[[], int | None] = lambda: None  # tokens that the model reads at once, if known; blocks
    calls: tuple[ToolCall, ...] = ()  # that the model asks for, to be run
    asked_before: set[str] = field(default_factory=set)  # calls of this turn
    unread: list[CallResult] = field(default_factory=list)  # results that the model has not read yet
    passages: Mapping[int, str] | None = None  # text by chunk that the model may read; None: all of it
    context_tokens: int = 0  # how long these may be together
    too_long: bool = False  # even what was asked for by its place has to be shortened
    must_search: bool = False  # in the next round, as what was found is not enough
    reply: ReplyStream | None = None  # in which the model has begun to answer
    held: ReplyStream | None = None  # an answer in part, until another search has brought a better one
    answered: bool = False
    text: str = ""  # of the answer, with its citation tags, once it is written
    greeted: bool = False  # it was no question; nothing was searched
    repeated: bool = False  # the answer is an earlier one
    # The first titles of the documents that are searched, and how many documents there are.
    titles: Callable[[int], Awaitable[tuple[Sequence[str], int]]] = _no_titles
    library: Library | None = None  # where documents may be read whole
    manner: str = ""  # how the answer is to be written; empty: as its type says
    recall: Callable[[], Awaitable[Earlier | None]] | None = None  # shows an earlier answer, if there is one
    found: Found = "none"  # how much of the question the passages answer, as the model sees it
    missing: str = ""  # which part they do not answer
    cleaner: Cleaner = field(default_factory=Cleaner)  # which cleans what is shown
    citations: list[Citation] = field(default_factory=list)  # of the answer so far, each checked
    reranker: Callable[[], Reranker | None] = lambda: None  # the server that ranks passages; blocks
    judge: StructuredModel | None = None  # the second reader, once the answer is written
    judge_wrote: bool = False  # whether it is the model that wrote the answer
    judge_window: Callable[[], int | None] = lambda: None  # as `window`
    answers: Answers = Answers.UNKNOWN  # how much of the question, as the second reader sees it
    lacks: str = ""  # which part is not answered, as it says
    local_embedder: Callable[[], Embedder] | None = None  # in this process; blocks
    differ: Mapping[str, Any] = field(default_factory=dict)  # as `Turn.differ` keeps it
    outcome: TurnStatus | None = None

    def __post_init__(self) -> None:
        self.standalone = self.standalone or self.question
        self.most_rounds = self.most_rounds or self.rounds
        self.context_tokens = self.context_tokens or self.settings.context_tokens

    @property
    def is_new(self) -> bool:
        """Whether the answer was written for this question."""
        return self.answered and not self.repeated and not self.greeted

    @property
    def seconds_left(self) -> float | None:
        """Of the time of the question; None where that has no limit."""
        limit = self.settings.seconds
        return limit - (time.monotonic() - self.begun) if limit else None

    @property
    def used(self) -> Usage:
        """What the answer has taken so far."""
        return max(self.payer.usage, self.usage, key=lambda usage: usage.tokens)

    def notice(self, code: str, text: str, documents: Sequence[Mapping[str, Any]] = ()) -> None:
        """Add a notice to the answer, once for each code."""
        if all(notice.code != code for notice in self.notices):
            self.notices.append(Notice(code=code, text=text, documents=documents))


class Stage(ABC):
    """One part of answering. `label`, `icon` and `doing` are what the trace shows of it.

    The first stage of the registry that is due runs next, until none is due. A stage with a `time_limit` is
    optional: if it fails or takes longer, the answer goes on without it and says `without`.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    icon: ClassVar[str]
    doing: ClassVar[str] = ""
    switch: ClassVar[str] = ""  # the field of AnswerSettings that leaves it out
    time_limit: ClassVar[float | None] = None  # seconds
    without: ClassVar[str] = ""

    def is_on(self, work: Work) -> bool:
        return not self.switch or bool(getattr(work.settings, self.switch))

    @abstractmethod
    def is_due(self, work: Work) -> bool:
        """Whether there is something to do; False once it has run, until another stage leaves it more."""

    @abstractmethod
    async def run(self, work: Work) -> None:
        """Do it. Raises ProviderError."""

    def give_up(self, work: Work) -> None:
        """Make sure that it is not due again; called when an optional stage has failed."""
        work.done.add(self.name)

    def step(self, key: str, text: str, **values: Any) -> Step:
        """A line of the trace about this stage."""
        named = {"label": self.label, "icon": self.icon, "doing": self.doing}
        return Step(id=key, text=text, **{**named, **values})
