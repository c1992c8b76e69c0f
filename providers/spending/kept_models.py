"""Models that answer a repeated request from stored replies, so that it is paid for once."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import asdict
from typing import Any, Protocol

from providers.protocols import (
    ChatModel,
    Message,
    Reply,
    StructuredModel,
    TextDelta,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from providers.protocols.in_front import ChatInFront, StructuredInFront
from providers.spending.paid_replies import key_of, replayed


class KeptReplies(Protocol):
    """Where replies are kept, as JSON with their `usage`, by the key of their request."""

    async def get(self, key: str) -> dict[str, Any] | None:
        """The usage is what counts for one that is shown again."""

    def request(self) -> AbstractAsyncContextManager[None]:
        """Around a request that is to be paid; `put` is called within."""

    async def put(self, key: str, reply: dict[str, Any]) -> None: ...


class KeptChat(ChatInFront[ChatModel]):
    """The model, except that requests it has answered before are answered from storage."""

    def __init__(self, model: ChatModel, replies: KeptReplies) -> None:
        super().__init__(model)
        self._replies = replies

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        """Raises ProviderError, and what keeping raises."""
        key = key_of(self.name, list(messages), list(tools), tool_choice)
        if kept := await self._replies.get(key):
            for item in replayed(kept):
                yield item
            return
        whole: Reply | None = None
        async with self._replies.request():
            async with aclosing(self._model.stream(messages, tools, tool_choice=tool_choice)) as pieces:
                async for item in pieces:
                    if isinstance(item, Reply):
                        whole = item
                    else:
                        yield item
            if whole is not None:  # and counted by now
                await self._replies.put(key, asdict(whole))
        if whole is not None:
            yield whole


class KeptJson(StructuredInFront):
    """The same for a model whose answers are JSON."""

    def __init__(self, model: StructuredModel, replies: KeptReplies) -> None:
        super().__init__(model)
        self._replies = replies

    async def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[str, Usage]:
        """Raises ProviderError, and what keeping raises."""
        key = key_of(self.name, list(messages), schema)
        if kept := await self._replies.get(key):
            return kept["answer"], Usage(**kept["usage"])
        async with self._replies.request():
            answer, usage = await self._model.complete(messages, schema)
            await self._replies.put(key, {"answer": answer, "usage": asdict(usage)})
        return answer, usage
