"""Answers one question as a conversation would, but in memory: no turn is written."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from answering import agent
from answering.answer_stream import AnswerStream
from answering.cleaning.cleaner import Cleaner
from answering.stages.stage import Unusable
from answering.state.work import Asked, Means, Work
from answering.tools.relations import Relations, beginnings_of
from answering.tools.runner import ToolRunner
from answering.values.events import AnswerEvent, StageFinished, Step, ToolReturned
from answering.values.outcome import Outcome
from answering.values.settings import Settings
from citations.checked import CheckedQuote
from citations.checking import check
from citations.choices import Support
from citations.entailed import looked_up_once
from citations.parse import Quotation
from desks.evaluation.runs.recut import Recut
from desks.evaluation.runs.tools import Reader, tools_of
from desks.evaluation.runs.variants import Variant
from jobs.threads import Pool
from providers.protocols import ChatModel, Embedder, StructuredModel
from retrieval.evidence import Evidence
from retrieval.query import Scope

WORK = Pool("evaluation", 3, niceness=5)  # people who wait for an answer come first


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """`passages`: all that the answer could rest on, in the order in which they were found."""

    outcome: Outcome
    answer: str
    quotes_only: bool
    citations: Sequence[CheckedQuote]
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
    settings: Settings,
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
    tools = ToolRunner(
        scope,
        embedder,
        [recut.within(tool) for tool in offered] if recut else offered,
        Relations(beginnings_of),
    )
    cleaner = Cleaner(policy=settings.personal_data, markup=not model.quotes_only)
    written = _Written(tools, cleaner, claims=not model.quotes_only)
    trace = _Trace(cleaner)
    asked = Asked(question=question, rounds=agent.ROUNDS[variant.mode], settings=settings)
    means = Means(
        emit=trace.receive,
        show=written.show,
        rewrite=written.rewrite,
        revise=written.revise,
        model=model,
        tools=tools,
        cleaner=cleaner,
        helper=helper,
    )
    work = Work(asked=asked, means=means, citations=written.citations)
    try:
        await agent.run(work)
    except Unusable:  # the product would show the documents' own words, which are not the model's
        work.outcome = Outcome.NOT_FOUND
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

    def __init__(self, tools: ToolRunner, cleaner: Cleaner, *, claims: bool) -> None:
        self._tools, self._cleaner, self._claims = tools, cleaner, claims
        self._shown = AnswerStream(cleaner)
        self._entailment = looked_up_once()
        self.citations: list[CheckedQuote] = []

    @property
    def text(self) -> str:
        return self._shown.shown.strip()

    async def show(self, raw: str, complete: bool) -> None:
        if not complete:
            return
        for new in self._shown.receive(raw, complete=True):
            if isinstance(new, Quotation):
                self.citations.append(self._cleaner.cited(await WORK.run(self._checked, new)))

    async def rewrite(self, raw: str) -> None:
        self._shown = AnswerStream(self._cleaner)
        await self.show(raw, True)

    def _checked(self, quotation: Quotation) -> CheckedQuote:
        passages, scope = self._tools.by_key, self._tools.scope
        return check(quotation, passages, scope, self._entailment, claims=self._claims)

    async def revise(self, quotes: Sequence[CheckedQuote]) -> None:
        changed = {quote.n: quote for quote in quotes}
        self.citations[:] = [changed.get(quote.n, quote) for quote in self.citations]


def _read(tools: ToolRunner, work: Work) -> list[Evidence]:
    """The passages that the answer could rest on: those that were left after ranking, if there was one."""
    found = list(tools.by_key.values())
    if work.passages.texts is None:
        return found
    by_chunk = {each.chunk_id: each for each in found}
    return [by_chunk[chunk] for chunk, text in work.passages.texts.items() if text and chunk in by_chunk]


class _Trace:
    """The steps that the events tell."""

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        self._steps: dict[str, Step] = {}
        self.searches = 0

    async def receive(self, event: AnswerEvent) -> None:
        event = self._cleaner.event(event)
        if isinstance(event, ToolReturned):
            self.searches += 1
        if step := getattr(event, "step", None):
            self._steps[step.id] = step
        if isinstance(event, StageFinished):
            for key, step in self._steps.items():
                if step.state == "now":
                    self._steps[key] = replace(step, state="", ms=event.ms)

    @property
    def steps(self) -> list[dict[str, Any]]:
        return [asdict(step) for step in self._steps.values()]


def citation_json(citation: CheckedQuote) -> dict[str, Any]:
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


def is_supported(citation: CheckedQuote) -> bool | None:
    """Whether the quote carries its claim; None where nothing is claimed."""
    return None if citation.support == Support.NONE else citation.support == Support.SUPPORTED
