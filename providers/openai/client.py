"""Any server that speaks the OpenAI protocol: chat with tools as a stream, and embeddings.

Servers differ in what they accept. A refused extra (a forced tool call, token counts, a vector size) is left
out and the request repeated; what worked is remembered for the next request.
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from openai import AsyncOpenAI, AsyncStream, BadRequestError, OpenAI, OpenAIError, UnprocessableEntityError
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCall

from providers.base import (
    Message,
    ProviderError,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
    Vectors,
)
from providers.openai.errors import provider_error

BYTES_PER_TOKEN = 4  # A rule of thumb: the server's tokenizer is not known here.
NO_KEY = "none"  # A server without keys still gets a header: the openai package insists on one.


class OpenAIChat:
    """A chat model. `timeout` is in seconds and counts between two pieces of an answer.

    Each stream opens and closes its own connection, so one object serves any number of event loops.
    """

    writes_prose = True

    def __init__(self, base_url: str, api_key: str, model: str, timeout: float = 120.0) -> None:
        self.name = model
        self._connection: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key or NO_KEY,
            "timeout": timeout,
        }
        self._forces_tools = True
        self._counts_tokens = True

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        """Yield the deltas as they come and, always last, the whole Reply. Raises ProviderError.

        To stop early, close the iterator (contextlib.aclosing): that ends the request.
        """
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [_message(message) for message in messages],
        }
        if tools:
            request |= {"tools": [_tool(tool) for tool in tools], "tool_choice": tool_choice}
        answer = _Answer()
        try:
            async with (
                AsyncOpenAI(**self._connection, max_retries=0) as client,
                await self._open(client, request) as chunks,
            ):
                async for chunk in chunks:
                    for delta in answer.add(chunk):
                        yield delta
        except (OpenAIError, json.JSONDecodeError) as error:
            raise provider_error(error, self.name) from error
        yield answer.reply()

    async def _open(self, client: AsyncOpenAI, request: dict[str, Any]) -> AsyncStream[ChatCompletionChunk]:
        """Send the request with the extras that this server is not known to refuse."""
        forces, counts = self._forces_tools, self._counts_tokens
        while True:
            extras: dict[str, Any] = {"stream_options": {"include_usage": True}} if counts else {}
            if request.get("tool_choice") == "required" and not forces:
                extras["tool_choice"] = "auto"
            try:
                chunks: AsyncStream[ChatCompletionChunk] = await client.chat.completions.create(
                    **(request | extras), stream=True
                )
            except (BadRequestError, UnprocessableEntityError) as error:
                if counts and "stream_options" in str(error):
                    counts = False
                elif forces and request.get("tool_choice") == "required":
                    forces = False
                else:
                    raise
                continue
            self._forces_tools, self._counts_tokens = forces, counts
            return chunks


@dataclass(slots=True, kw_only=True)
class _Call:
    """A tool call of which more may come."""

    key: int | None
    id: str
    name: str
    arguments: str = ""


@dataclass(slots=True, kw_only=True)
class _Answer:
    """An answer of which more may come."""

    texts: list[str] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    finished: bool = False

    def add(self, chunk: ChatCompletionChunk) -> Iterator[TextDelta | ToolCallDelta]:
        if chunk.usage:
            self.usage = Usage(
                prompt_tokens=chunk.usage.prompt_tokens or 0,
                completion_tokens=chunk.usage.completion_tokens or 0,
            )
        for choice in (chunk.choices or [])[:1]:
            self.finished = self.finished or choice.finish_reason is not None
            if text := choice.delta.content or choice.delta.refusal:
                self.texts.append(text)
                yield TextDelta(text=text)
            for fragment in choice.delta.tool_calls or []:
                yield self._add_call(fragment)

    def _add_call(self, fragment: ChoiceDeltaToolCall) -> ToolCallDelta:
        """Calls are told apart by their index; or by id, where a server numbers all alike."""
        name = (fragment.function.name if fragment.function else None) or ""
        arguments = (fragment.function.arguments if fragment.function else None) or ""
        position = next(
            (i for i in reversed(range(len(self.calls))) if self.calls[i].key == fragment.index), None
        )
        if position is None or (name and fragment.id and fragment.id != self.calls[position].id):
            position = len(self.calls)
            self.calls.append(_Call(key=fragment.index, id=fragment.id or f"call_{position}", name=name))
        call = self.calls[position]
        call.arguments += arguments
        return ToolCallDelta(index=position, id=call.id, name=call.name, arguments=arguments)

    def reply(self) -> Reply:
        if not self.finished:
            raise ProviderError(
                "The model server broke off its answer. Nothing is lost. Try again.", transient=True
            )
        return Reply(
            content="".join(self.texts),
            tool_calls=tuple(
                ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in self.calls
            ),
            usage=self.usage,
        )


def _message(message: Message) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        wire["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        wire["content"] = message.content or None
        wire["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return wire


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


class OpenAIEmbedder:
    """An embedding model. Without `dimensions` the size of its vectors is learnt from the first one."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        dimensions: int | None = None,
        *,
        batch: int = 64,
        timeout: float = 60.0,
    ) -> None:
        self.name = model
        self._connection: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key or NO_KEY,
            "timeout": timeout,
        }
        self._asked_dimensions = dimensions
        self._chooses_dimensions = dimensions is not None
        self._batch = batch

    @cached_property
    def dimensions(self) -> int:
        """As configured, else as the server answers: then the first look is a request and may raise."""
        return self._asked_dimensions or self._embed(["dimensions"]).shape[1]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, float32 (len(texts), dimensions), in the order of the texts."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        vectors = self._embed(texts)
        if vectors.shape[1] != self.dimensions:
            raise ProviderError(
                f"The embedding model {self.name} returns {vectors.shape[1]} numbers per text where "
                f"{self.dimensions} are expected. No document is changed. Correct the model "
                "or its dimensions in the settings."
            )
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate: a token per four bytes."""
        return [math.ceil(len(text.encode()) / BYTES_PER_TOKEN) for text in texts]

    def _embed(self, texts: Sequence[str]) -> Vectors:
        try:
            with OpenAI(**self._connection, max_retries=0) as client:
                rows = [
                    row
                    for start in range(0, len(texts), self._batch)
                    for row in self._request(client, texts[start : start + self._batch])
                ]
        except (OpenAIError, json.JSONDecodeError) as error:
            raise provider_error(error, self.name) from error
        return self._checked(rows, len(texts))

    def _request(self, client: OpenAI, texts: Sequence[str]) -> list[list[float]]:
        # Servers refuse an empty text; a space means as little.
        request: dict[str, Any] = {"model": self.name, "input": [text or " " for text in texts]}
        extras: dict[str, Any] = {"dimensions": self._asked_dimensions} if self._chooses_dimensions else {}
        try:
            answer = client.embeddings.create(**request, **extras, encoding_format="float")
        except (BadRequestError, UnprocessableEntityError) as error:
            if not extras or "dimension" not in str(error):
                raise
            answer = client.embeddings.create(**request, encoding_format="float")
            self._chooses_dimensions = False
        return [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]

    def _checked(self, rows: list[list[float]], expected: int) -> Vectors:
        """The rows as vectors of length 1."""
        if len(rows) != expected or len({len(row) for row in rows}) != 1:
            raise ProviderError(
                f"The embedding model {self.name} returns {len(rows)} vectors for {expected} texts, "
                "or vectors of different sizes. No document is changed. Check the model in the settings."
            )
        vectors = np.asarray(rows, np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths) & (lengths > 0)):
            raise ProviderError(
                f"The embedding model {self.name} returns vectors that are empty or not numbers. "
                "No document is changed. Check the model in the settings."
            )
        unit: Vectors = vectors / lengths
        return unit
