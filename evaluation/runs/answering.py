"""Answers one question as a conversation would, but in memory: no turn is written."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from chat import events
from chat.answering import agent
from chat.answering.answer_stream import AnswerStream
from chat.answering.cleaning.cleaner import Cleaner
from chat.answering.stages.stage import Unusable, Work
from chat.answering.tools.runner import ToolRunner
from chat.citation_rows.store import checked
from chat.models import AnswerSettings, Citation, Turn, TurnStatus
from citations.choices import OnPage, Support
from citations.entailed import looked_up_once
from citations.parse import Quotation
from evaluation.runs.recut import Recut
from evaluation.runs.tools import Reader, tools_of
from evaluation.runs.variants import Variant
from jobs.threads import Pool
from providers.protocols import ChatModel, Embedder, StructuredModel
from retrieval.evidence import Evidence
from retrieval.query import Scope

WORK = Pool("evaluation", 3, niceness=5)  # people who wait for an answer come first


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """`passages`: all that the answer could rest on, in the order in which they were found."""

    outcome: TurnStatus
    answer: str
    quotes_only: bool
    citations: Sequence[Citation]
    passages: Sequence[Evidence]
    trace: Sequence[dict[str, Any]]
    searches: int
    seconds: float


async def answer(
    question: str,
    scope: Scope,
    variant: Variant,
    model: ChatModel,
    embedder: Embedder,
    settings: AnswerSettings,
    helper: StructuredModel | None = None,
    reader: Reader = lambda: None,
    recut: Recut | None = None,
) -> Answered:
    """`settings`: the stages that are on. `helper`: the model for small questions about the question;
    `reader` makes the one that ranks passages. `recut`: the other chunks to search, where there are such.

    The product's own second opinion is left out: the judge of an evaluation is kept apart from the code.
    Raises what the agent raises: ProviderError, SearchFailed, errors of the database."""
    begun = time.monotonic()
    offered = await WORK.run(tools_of, variant, reader, scope.datasource_id)
    tools = ToolRunner(scope, embedder, [recut.within(tool) for tool in offered] if recut else offered)
    cleaner = Cleaner(policy=settings.personal_data, markup=not model.quotes_only)
    written = _Written(Turn(question=question, quotes_only=model.quotes_only), tools, cleaner)
    trace = _Trace(cleaner)
    work = Work(
        emit=trace.receive,
        show=written.show,
        rewrite=written.rewrite,
        revise=written.revise,
        model=model,
        helper=helper,
        tools=tools,
        question=question,
        rounds=agent.ROUNDS[variant.mode],
        settings=settings,
        citations=written.citations,
        cleaner=cleaner,
    )
    try:
        await agent.run(work)
    except Unusable:  # the product would show the documents' own words, which are not the model's
        work.outcome = TurnStatus.NOT_FOUND
    assert work.outcome is not None
    return Answered(
        outcome=work.outcome,
        answer=written.text,
        quotes_only=model.quotes_only,
        citations=written.citations,
        passages=_read(tools, work),
        trace=trace.steps,
        searches=trace.searches,
        seconds=round(time.monotonic() - begun, 3),
    )


class _Written:
    """The answer, with its citations as they were checked."""

    def __init__(self, turn: Turn, tools: ToolRunner, cleaner: Cleaner) -> None:
        self._turn, self._tools, self._cleaner = turn, tools, cleaner
        self._shown = AnswerStream(cleaner)
        self._entailment = looked_up_once()
        self.citations: list[Citation] = []

    @property
    def text(self) -> str:
        return self._shown.shown.strip()

    async def show(self, raw: str, complete: bool) -> None:
        if not complete:
            return
        for new in self._shown.receive(raw, complete=True):
            if isinstance(new, Quotation):
                citation = await WORK.run(
                    checked, self._turn, new, self._tools.by_key, self._tools.scope, self._entailment
                )
                self._cleaner.cite(citation)
                self.citations.append(citation)

    async def rewrite(self, raw: str) -> None:
        self._shown = AnswerStream(self._cleaner)
        await self.show(raw, True)

    async def revise(self, _: Sequence[Citation]) -> None:
        """The citations are changed already."""


def _read(tools: ToolRunner, work: Work) -> list[Evidence]:
    """The passages that the answer could rest on: those that were left after ranking, if there was one."""
    found = list(tools.by_key.values())
    if work.passages is None:
        return found
    by_chunk = {each.chunk_id: each for each in found}
    return [by_chunk[chunk] for chunk, text in work.passages.items() if text and chunk in by_chunk]


class _Trace:
    """The steps that the events tell."""

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        self._steps: dict[str, events.Step] = {}
        self.searches = 0

    async def receive(self, event: events.TurnEvent) -> None:
        event = self._cleaner.event(event)
        if isinstance(event, events.ToolReturned):
            self.searches += 1
        if step := getattr(event, "step", None):
            self._steps[step.id] = step
        if isinstance(event, events.StageFinished):
            for key, step in self._steps.items():
                if step.state == "now":
                    self._steps[key] = replace(step, state="", ms=event.ms)

    @property
    def steps(self) -> list[dict[str, Any]]:
        return [asdict(step) for step in self._steps.values()]


def citation_json(citation: Citation) -> dict[str, Any]:
    """What a result keeps of a citation."""
    return {
        "n": citation.n,
        "claim": citation.claim,
        "quote": citation.quote or citation.written,
        "document": citation.document_id,
        "title": citation.document_title,
        "pages": list(citation.pages),
        "start": citation.start,
        "end": citation.end,
        "on_page": str(citation.on_page),
        "support": str(citation.support),
        "reason": citation.reason,
    }


def is_on_page(citation: Citation) -> bool:
    return citation.on_page != OnPage.ABSENT


def is_supported(citation: Citation) -> bool | None:
    """Whether the quote carries its claim; None where nothing is claimed."""
    return None if citation.support == Support.NONE else citation.support == Support.SUPPORTED
