"""A chat model on any server that speaks the OpenAI protocol: tools and a streamed answer."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from openai import AsyncOpenAI, AsyncStream, BadRequestError, OpenAIError, UnprocessableEntityError
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import ChoiceDelta, ChoiceDeltaToolCall

from providers.http.clients import async_client
from providers.openai.errors import TOO_LARGE, is_too_long, provider_error
from providers.openai.patience import Patience, Waiting
from providers.openai.refusals import Extra, refusals, refused_limit, reply_limit
from providers.openai.resting import Server, asking
from providers.openai.thoughts import without_thoughts
from providers.openai.tokens import usage_of
from providers.protocols import (
    Message,
    ProviderError,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from text.storable import storable

LONGEST_REPLY = 1_000_000  # characters of words and calls; no model writes as many tokens
MOST_CALLS = 200  # of tools in a reply
NO_KEY = "none"  # A server without keys still gets a header: the openai package insists on one.


class OpenAIChat:
    """A chat model. `timeout` is in seconds for a whole answer; half of it may pass before the first word, a
    sixth between two pieces.

    Each stream opens and closes its own connection, so one object serves any number of event loops. An extra
    that the server refuses is left out, and the request is sent again. `public_only`: an address of this
    machine or of a private network is not connected to.
    """

    quotes_only = False

    def __init__(
        self, base_url: str, api_key: str, model: str, timeout: float = 120.0, *, public_only: bool = False
    ) -> None:
        self.name, self._public_only = model, public_only
        self._connection: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key or NO_KEY,
            "timeout": timeout,
        }
        self._server = Server(base_url=base_url, api_key=api_key, model=model)
        self._patience = Patience.of(timeout)
        self._refused = refusals(base_url, model)

    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        tool_choice: str = "required",
        most: int | None = None,
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        """Yield the deltas as they come and, always last, the whole Reply. Raises ProviderError.

        `most`: how many tokens the server is asked to write at most. To stop early, close the iterator
        (contextlib.aclosing): that ends the request.
        """
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [_message(message) for message in messages],
        }
        if tools:
            request |= {"tools": [_tool(tool) for tool in tools], "tool_choice": tool_choice}
        answer, waiting = _Answer(), Waiting(self._patience)
        with asking(self._server):
            try:
                async with (
                    self._client() as client,
                    await waiting.for_begin(self._open(client, request, most)) as chunks,
                ):
                    while (chunk := await waiting.for_next(chunks)) is not None:
                        for delta in answer.add(chunk):
                            yield delta
                        waiting.begun = waiting.begun or answer.says_something(chunk)
            except (OpenAIError, ValueError) as error:  # one that is no JSON, or no text
                failure = provider_error(error, self.name)
                failure.cut = waiting.begun and failure.transient
                raise failure from error
        yield answer.reply()

    def _client(self) -> AsyncOpenAI:
        http = async_client(timeout=self._connection["timeout"], public_only=self._public_only)
        return AsyncOpenAI(**self._connection, http_client=http, max_retries=0)

    async def _open(
        self, client: AsyncOpenAI, request: dict[str, Any], most: int | None
    ) -> AsyncStream[ChatCompletionChunk]:
        """Send the request with the extras that this server is not known to refuse."""
        refused = set(self._refused)
        while True:
            limit = reply_limit(most, refused)
            try:
                chunks: AsyncStream[ChatCompletionChunk] = await client.chat.completions.create(
                    **_without(request | limit, refused), stream=True
                )
            except (BadRequestError, UnprocessableEntityError) as error:
                if is_too_long(error):
                    if not limit:
                        raise
                    most = None  # the limit and the question are more than the model reads at once
                elif name := refused_limit(error, limit):
                    refused.add(name)
                elif Extra.TOKEN_COUNTS not in refused and "stream_options" in str(error):
                    refused.add(Extra.TOKEN_COUNTS)
                elif Extra.FORCED_TOOLS not in refused and request.get("tool_choice") == "required":
                    refused.add(Extra.FORCED_TOOLS)
                else:
                    raise
                continue
            self._refused |= refused  # only now is it known that the extras were the cause
            return chunks


def _without(request: dict[str, Any], refused: set[Extra]) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    if Extra.TOKEN_COUNTS not in refused:
        extras["stream_options"] = {"include_usage": True}
    if Extra.FORCED_TOOLS in refused and request.get("tool_choice") == "required":
        extras["tool_choice"] = "auto"
    return request | extras


@dataclass(slots=True, kw_only=True)
class _Call:
    """A tool call of which more may come."""

    key: int | None
    id: str
    given: str  # the id as the server has it, perhaps none or another call's
    name: str
    arguments: str = ""


@dataclass(slots=True, kw_only=True)
class _Answer:
    """An answer of which more may come."""

    texts: list[str] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    length: int = 0
    finished: bool = False
    cut: bool = False

    def add(self, chunk: ChatCompletionChunk) -> Iterator[TextDelta | ToolCallDelta]:
        """What it adds. Raises ProviderError for an answer that has no end."""
        if chunk.usage:
            self.usage = usage_of(chunk.usage)
        for choice in (chunk.choices or [])[:1]:
            self.finished = self.finished or choice.finish_reason is not None
            self.cut = self.cut or choice.finish_reason == "length"
            delta: ChoiceDelta | None = choice.delta  # some servers end without one
            if text := delta and (delta.content or delta.refusal):
                self._lengthen(text)
                self.texts.append(text)
                yield TextDelta(text=text)
            for fragment in (delta and delta.tool_calls) or []:
                yield self._add_call(fragment)

    def says_something(self, chunk: ChatCompletionChunk) -> bool:
        """Whether it has more than the role and blanks: a word, a piece of a call, a thought."""
        for choice in (chunk.choices or [])[:1]:
            delta: ChoiceDelta | None = choice.delta
            said = delta.model_dump(exclude_none=True, warnings=False) if delta else {}
            return any(str(value or "").strip() for name, value in said.items() if name != "role")
        return False

    def _add_call(self, fragment: ChoiceDeltaToolCall) -> ToolCallDelta:
        """Calls are told apart by their index; by id where a server numbers all alike; and where the ids are
        alike, too, by a name that comes after complete arguments.
        """
        name = storable((fragment.function.name if fragment.function else None) or "")
        given: Any = fragment.function.arguments if fragment.function else None
        arguments = storable(given if isinstance(given, str) else json.dumps(given) if given else "")
        self._lengthen(arguments)
        position = next(
            (i for i in reversed(range(len(self.calls))) if self.calls[i].key == fragment.index), None
        )
        if position is None or (name and self._is_another(self.calls[position], fragment.id, arguments)):
            position = len(self.calls)
            if position >= MOST_CALLS:
                raise ProviderError(TOO_LARGE, may_cost=True)
            self.calls.append(
                _Call(key=fragment.index, id=self._free_id(fragment.id), given=fragment.id or "", name=name)
            )
        call = self.calls[position]
        call.arguments += arguments
        return ToolCallDelta(index=position, id=call.id, name=call.name, arguments=arguments)

    def _lengthen(self, text: str) -> None:
        self.length += len(text)
        if self.length > LONGEST_REPLY:
            raise ProviderError(TOO_LARGE, may_cost=True)

    @staticmethod
    def _is_another(call: _Call, given: str | None, arguments: str) -> bool:
        """Whether a named fragment with this id begins a call besides the one whose number it has."""
        return bool(given and given != call.given) or bool(arguments and _is_complete(call.arguments))

    def _free_id(self, given: str | None) -> str:
        """The id of a new call. A result names its call by the id, so that no two may have the same."""
        position = len(self.calls)
        taken = {call.id for call in self.calls}
        return given if given and given not in taken else f"{given or 'call'}_{position}"

    def reply(self) -> Reply:
        if not self.finished:
            raise ProviderError(
                "The model server broke off its answer. Nothing is lost. Try again.",
                transient=True,
                cut=True,
            )
        return Reply(
            content=without_thoughts("".join(self.texts)),
            tool_calls=tuple(
                ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in self.calls
            ),
            usage=self.usage,
            cut=self.cut,
        )


def _is_complete(arguments: str) -> bool:
    """Whether the text is a whole JSON object."""
    if not arguments.rstrip().endswith("}"):
        return False  # spares reading a long text again with each of its pieces
    try:
        return isinstance(json.loads(arguments), dict)
    except ValueError:
        return False


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
