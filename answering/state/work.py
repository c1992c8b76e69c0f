"""The state of one answer: frozen values, each made by one stage or two and named for what it holds."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from answering.cleaning.cleaner import Cleaner
from answering.question.intent import Intent
from answering.state.reply import Found, ReplyStream
from answering.tools.runner import ToolResult, ToolRunner
from answering.values.events import AnswerEvent, Notice
from answering.values.outcome import Outcome
from answering.values.settings import Settings
from answering.whole.library import Library
from citations.checked import CheckedQuote
from citations.opinion import Answers
from localization.stored import words_of
from providers.protocols import ChatModel, Embedder, Message, Reranker, StructuredModel, ToolCall, Usage
from providers.spending.metering import Payer


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked. `rounds`: at most; `history`: of the conversation; `instructions`: of the asker,
    for all answers. `has_model`: whether a language model is connected, be it one that does not answer
    here.
    """

    question: str
    rounds: int
    history: Sequence[Message] = ()
    instructions: str = ""
    settings: Settings = field(default_factory=Settings)
    has_model: bool = False
    begun: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """An earlier answer that is given again; `label` says so."""

    outcome: Outcome
    intent: str
    missing: str
    notices: Sequence[Notice]
    label: str


async def _no_titles(most: int) -> tuple[Sequence[str], int]:
    return (), 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What an answer is made with, and where it goes.

    `emit` logs an event. `show` takes the whole answer as far as it is written, with its citation tags,
    and says whether it is complete; `rewrite` shows another in its place. `revise` takes citations whose
    verdict has changed, in the place of those with their numbers. `cleaner` cleans what is shown.

    `helper` is for small questions about the question, `judge` the second reader, `judge_wrote`: it is
    the model that wrote the answer. `window` and `judge_window`: tokens that these read at once, if
    known; `payer`: what was charged, also for replies that were broken off. `titles`: the first titles
    of the documents that are searched, and how many documents there are. `library`: where documents may
    be read whole. `recall` shows an earlier answer, if there is one, to the question as it is
    understood; whether nothing was said before it. `window`, `judge_window`, `reranker` and
    `local_embedder` block.
    """

    emit: Callable[[AnswerEvent], Awaitable[None]]
    show: Callable[[str, bool], Awaitable[None]]
    rewrite: Callable[[str], Awaitable[None]]
    revise: Callable[[Sequence[CheckedQuote]], Awaitable[None]]
    model: ChatModel
    tools: ToolRunner
    cleaner: Cleaner = field(default_factory=Cleaner)
    helper: StructuredModel | None = None
    judge: StructuredModel | None = None
    judge_wrote: bool = False
    judge_window: Callable[[], int | None] = lambda: None
    window: Callable[[], int | None] = lambda: None
    payer: Payer = field(default_factory=Payer)
    titles: Callable[[int], Awaitable[tuple[Sequence[str], int]]] = _no_titles
    library: Library | None = None
    recall: Callable[[str, bool], Awaitable[Earlier | None]] | None = None
    reranker: Callable[[], Reranker | None] = lambda: None
    local_embedder: Callable[[], Embedder] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rephrased:
    """Made by Rephrasing: the question as it is understood without the conversation. `by_model`: it is
    better read than the words that were asked; `intent`: as that model says; `failed`: it would fail
    again.
    """

    question: str
    by_model: bool = False
    intent: Intent | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """The result of a tool call, at its place among the messages that the model reads."""

    call: ToolCall
    result: ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """Made by Planning, Searching and Correcting: what was said with the model after the question.

    `number`: of the round, from 1; `most`: of rounds. `calls`: that the model asks for, to be run;
    `asked_before`: calls of this turn; `unread`: results that it has not read yet; `must_search`: in the
    next round, as what was found is not enough; `corrected`: it had to, once. `history_left_out`: it was
    too long.
    """

    most: int
    number: int = 0
    said: tuple[Message | CallResult, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    asked_before: frozenset[str] = frozenset()
    unread: tuple[CallResult, ...] = ()
    must_search: bool = False
    corrected: bool = False
    history_left_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """Made by Ranking and Compressing, or by Reading: what the model may read of what was found.

    `texts`: by chunk; None: all of it. `tokens`: how long these may be together. `read_whole`: they are
    chosen already. `too_long`: even what was asked for by its place has to be shortened.
    """

    tokens: int
    texts: Mapping[int, str] | None = None
    read_whole: bool = False
    too_long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Made by Answering, or by what answers in its place; Proving and Differing add to it.

    `text`: with its citation tags. `found`: how much of the question the passages answer, as the model
    sees it, and `missing` which part they do not. `greeted`: it was no question, and nothing was
    searched. `repeated`: it is an earlier answer.
    """

    text: str = ""
    found: Found = "none"
    missing: str = ""
    greeted: bool = False
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Made by Judging: how much of the question is answered, as the second reader sees it, and which
    part is not.
    """

    answers: Answers = Answers.UNKNOWN
    lacks: str = ""


@dataclass(slots=True, kw_only=True)
class Work:
    """One answer under way. Each stage reads the values of those before it and puts its own in its
    place.

    `citations`: of the answer so far, each checked. `notices`: what a reader must know beside it.
    `usage`: as the replies say that came to their end. `manner`, by Reading: how the answer is to be
    written; empty: as its type says. `sought`, by Pointing: what code searches for; empty: the question;
    None where nothing was pointed at. `reply`: in which the model has begun to answer; `held`: an answer
    in part, until another search has brought a better one. `differ`: as a turn keeps it.
    """

    asked: Asked
    means: Means
    citations: list[CheckedQuote] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    rephrased: Rephrased = field(init=False)
    intent: Intent = Intent.FACTUAL
    manner: str = ""
    sought: str | None = None
    rounds: Rounds = field(init=False)
    passages: Passages = field(init=False)
    reply: ReplyStream | None = None
    held: ReplyStream | None = None
    written: Written | None = None
    differ: Mapping[str, Any] = field(default_factory=dict)
    judged: Judged = field(default_factory=Judged)
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        self.rephrased = Rephrased(question=self.asked.question)
        self.rounds = Rounds(most=self.asked.rounds)
        self.passages = Passages(tokens=self.asked.settings.context_tokens)

    @property
    def question(self) -> str:
        """As it is understood by itself."""
        return self.rephrased.question

    @property
    def helper(self) -> StructuredModel | None:
        """The model for small questions about the question, while it answers them."""
        return None if self.rephrased.failed else self.means.helper

    @property
    def new_answer(self) -> Written | None:
        """The answer, if it was written for this question."""
        written = self.written
        return None if written is None or written.repeated or written.greeted else written

    @property
    def seconds_left(self) -> float | None:
        """Of the time of the question; None where that has no limit."""
        limit = self.asked.settings.seconds
        return limit - (time.monotonic() - self.asked.begun) if limit else None

    @property
    def used(self) -> Usage:
        """What the answer has taken so far."""
        return max(self.means.payer.usage, self.usage, key=lambda usage: usage.tokens)

    def notice(self, code: str, text: str, documents: Sequence[Mapping[str, Any]] = ()) -> None:
        """Add a notice to the answer, once for each code. text: with values in it, one that was `said`."""
        if all(notice.code != code for notice in self.notices):
            self.notices.append(Notice(code=code, text=str(text), documents=documents, words=words_of(text)))
