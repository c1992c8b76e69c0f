"""A reply that came in one piece, as the pieces of a stream."""

from collections.abc import AsyncIterator
from typing import Any

from openai.types.chat import ChatCompletion, ChatCompletionChunk


async def pieces_of(reply: ChatCompletion) -> AsyncIterator[ChatCompletionChunk]:
    """One chunk with all of it; none where the server sent no choice."""
    told: dict[str, Any] = reply.model_dump(exclude_none=True, warnings=False)
    for choice in (told.get("choices") or [])[:1]:
        message = choice.get("message") or {}
        calls = message.get("tool_calls") or []
        delta = {**message, "tool_calls": [{**call, "index": index} for index, call in enumerate(calls)]}
        piece = {"index": 0, "delta": delta, "finish_reason": choice.get("finish_reason") or "stop"}
        yield ChatCompletionChunk.model_validate(
            {
                "id": told.get("id", ""),
                "created": told.get("created", 0),
                "model": told.get("model", ""),
                "object": "chat.completion.chunk",
                "choices": [piece],
                "usage": told.get("usage"),
            }
        )
