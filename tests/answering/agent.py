"""Running the agent over a model and tools of a test's own, and seeing what it did."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel

from answering import agent
from answering.stages.registry import ORDER, Order
from answering.state.work import Asked, Means, Work, Written
from answering.tools.runner import ToolRunner
from answering.values.events import AnswerEvent
from citations.checked import CheckedQuote
from providers.protocols import ChatModel, Embedder, Message, StructuredModel, Vectors
from providers.protocols.embedding import AlikeEmbedder
from retrieval.evidence import Evidence
from retrieval.query import Scope
from retrieval.tools.tool import Tool

SCOPE = Scope(user_id=1, datasource_id=1)
E = TypeVar("E", bound=AnswerEvent)
# Without the one that doubts an answer from nothing: most models here search for nothing.
CREDULOUS = ORDER.without("proving")
OF_QUESTION = {each.name for each in fields(Asked)}


class NoEmbedder(AlikeEmbedder):
    """For tools that embed nothing."""

    name, dimensions = "none", 1

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 1), dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class AnyArguments(BaseModel, extra="allow"):
    """Takes whatever it is given."""


def passage(chunk: int, text: str, title: str = "Title", score: float = 0.5, **more: Any) -> Evidence:
    """A passage of one page that is a document of its own."""
    values = {"document_id": chunk, "first_page": 1, "last_page": 1, "start": 0, "end": len(text)} | more
    return Evidence(chunk_id=chunk, document_title=title, text=text, score=score, **values)


def make_tool(name: str, run: Any, **more: Any) -> Tool:
    """`run(arguments)` is given a mapping."""
    values: dict[str, Any] = {"label": name.title(), "icon": "search", "arguments": AnyArguments} | more
    return Tool(name=name, run=lambda scope, embedder, given: run(given.model_dump()), **values)


def runner(*tools: Tool, embedder: Embedder | None = None) -> ToolRunner:
    return ToolRunner(SCOPE, embedder or NoEmbedder(), tools)


@dataclass
class Seen:
    """What a run has done."""

    work: Work
    events: list[AnswerEvent] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    revised: list[CheckedQuote] = field(default_factory=list)

    @property
    def written(self) -> Written:
        assert self.work.written is not None
        return self.work.written

    @property
    def text(self) -> str:
        return self.texts[-1]

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


async def answer(
    model: ChatModel,
    tools: ToolRunner,
    question: str = "Why?",
    *,
    rounds: int = 5,
    history: Sequence[Message] = (),
    order: Order = CREDULOUS,
    citations: Sequence[CheckedQuote] = (),
    judge: StructuredModel | None = None,
    **more: Any,
) -> Seen:
    """Run the stages to their end."""

    async def emit(event: AnswerEvent) -> None:
        seen.events.append(event)

    async def show(text: str, complete: bool) -> None:
        seen.texts.append(text)

    async def rewrite(text: str) -> None:
        seen.texts.append(text)

    async def revise(citations: Sequence[CheckedQuote]) -> None:
        seen.revised += citations
        changed = {each.n: each for each in citations}
        seen.work.citations[:] = [changed.get(each.n, each) for each in seen.work.citations]

    given: dict[str, Any] = {name: value for name, value in more.items() if name in OF_QUESTION}
    others: dict[str, Any] = {name: value for name, value in more.items() if name not in OF_QUESTION}
    means = Means(
        emit=emit,
        show=show,
        rewrite=rewrite,
        revise=revise,
        model=model,
        judge=judge,
        tools=tools,
        **others,
    )
    asked = Asked(question=question, rounds=rounds, history=history, **given)
    seen = Seen(Work(asked=asked, means=means, citations=list(citations)))
    await agent.run(seen.work, order)
    return seen


def answer_now(model: ChatModel, tools: ToolRunner, question: str = "Why?", **options: Any) -> Seen:
    return asyncio.run(answer(model, tools, question, **options))


def query(arguments: Mapping[str, Any]) -> str:
    return str(arguments.get("query"))
