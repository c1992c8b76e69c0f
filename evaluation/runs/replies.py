"""A chat model that keeps each reply until its question is finished, so that nothing is paid for twice."""

import hashlib
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Self

from evaluation.models import PaidReply, Question, Run
from jobs.threads import Pool
from providers.protocols import (
    ChatModel,
    Message,
    Reply,
    StructuredModel,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)


def key_of(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=asdict).encode()).hexdigest()


class _Kept:
    """The replies to one question of one run."""

    def __init__(self, run: Run, question: Question, pool: Pool) -> None:
        self._run, self._question, self._pool = run, question, pool

    async def get(self, key: str) -> dict[str, Any] | None:
        return await self._pool.run(self._read, key)

    async def put(self, key: str, reply: dict[str, Any]) -> None:
        await self._pool.run(self._write, key, reply)

    def _read(self, key: str) -> dict[str, Any] | None:
        rows = PaidReply.objects.filter(run=self._run, question=self._question, key=key)
        return rows.values_list("reply", flat=True).first()

    def _write(self, key: str, reply: dict[str, Any]) -> None:
        PaidReply.objects.get_or_create(
            run=self._run, question=self._question, key=key, defaults={"reply": reply}
        )


class KeptReplies:
    """The model, but for requests that it has answered before in this run: those are answered at once."""

    def __init__(self, model: ChatModel, run: Run, question: Question, pool: Pool) -> None:
        self._model = model
        self.name, self.quotes_only = model.name, model.quotes_only
        self._kept = _Kept(run, question, pool)

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        """Raises ProviderError."""
        key = key_of(self.name, list(messages), list(tools), tool_choice)
        if kept := await self._kept.get(key):
            for item in _replayed(kept):
                yield item
            return
        async for item in self._model.stream(messages, tools, tool_choice=tool_choice):
            if isinstance(item, Reply):
                await self._kept.put(key, asdict(item))
            yield item


def _replayed(kept: Mapping[str, Any]) -> list[TextDelta | ToolCallDelta | Reply]:
    calls = tuple(ToolCall(**call) for call in kept["tool_calls"])
    reply = Reply(content=kept["content"], tool_calls=calls, usage=Usage(**kept["usage"]))
    deltas: list[TextDelta | ToolCallDelta | Reply] = [TextDelta(text=reply.content)] if reply.content else []
    deltas += [
        ToolCallDelta(index=index, id=call.id, name=call.name, arguments=call.arguments)
        for index, call in enumerate(calls)
    ]
    return [*deltas, reply]


class KeptJson:
    """The same for a model whose answers are JSON."""

    def __init__(self, model: StructuredModel, run: Run, question: Question, pool: Pool) -> None:
        self._model = model
        self.name, self.address = model.name, model.address
        self._kept = _Kept(run, question, pool)

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._model.__aexit__(*error)

    async def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[str, Usage]:
        """Raises ProviderError."""
        key = key_of(self.name, list(messages), schema)
        if kept := await self._kept.get(key):
            return kept["answer"], Usage(**kept["usage"])
        answer, usage = await self._model.complete(messages, schema)
        await self._kept.put(key, {"answer": answer, "usage": asdict(usage)})
        return answer, usage
