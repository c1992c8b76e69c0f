"""Running the agent over a model and tools of a test's own, and seeing what it did."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel

from chat.answering import agent
from chat.answering.stages.registry import STAGES
from chat.answering.stages.stage import Stage, Work
from chat.answering.tools.runner import ToolRunner
from chat.events import TurnEvent
from chat.models import Citation
from providers.protocols import ChatModel, Embedder, Message, StructuredModel, Vectors
from providers.protocols.embedding import AlikeEmbedder
from retrieval.evidence import Evidence
from retrieval.query import Scope
from retrieval.tools.tool import Tool

SCOPE = Scope(user_id=1, datasource_id=1)
E = TypeVar("E", bound=TurnEvent)
# Without the one that doubts an answer from nothing: most models here search for nothing.
CREDULOUS = tuple(stage for stage in STAGES if stage.name != "proving")


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
    events: list[TurnEvent] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    revised: list[Citation] = field(default_factory=list)

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
    stages: Sequence[Stage] = CREDULOUS,
    citations: Sequence[Citation] = (),
    judge: StructuredModel | None = None,
    **more: Any,
) -> Seen:
    """Run the stages to their end."""

    async def emit(event: TurnEvent) -> None:
        seen.events.append(event)

    async def show(text: str, complete: bool) -> None:
        seen.texts.append(text)

    async def rewrite(text: str) -> None:
        seen.texts.append(text)

    async def revise(citations: Sequence[Citation]) -> None:
        seen.revised += citations

    seen = Seen(
        Work(
            emit=emit,
            show=show,
            rewrite=rewrite,
            revise=revise,
            model=model,
            judge=judge,
            tools=tools,
            rounds=rounds,
            citations=list(citations),
            question=question,
            history=history,
            **more,
        )
    )
    await agent.run(seen.work, stages)
    return seen


def answer_now(model: ChatModel, tools: ToolRunner, question: str = "Why?", **options: Any) -> Seen:
    return asyncio.run(answer(model, tools, question, **options))


def query(arguments: Mapping[str, Any]) -> str:
    return str(arguments.get("query"))
