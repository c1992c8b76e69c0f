"""The interface of chat models: conversations with tools in, pieces of a reply out."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from providers.protocols.dialect import Dialect


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens spent; two usages add up."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as it is offered to a model; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call as the model wrote it: `arguments` is raw text that should be JSON, but may not be."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation. A "tool" message answers the call named by `tool_call_id`."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A model's whole answer to one request. `cut`: it ends where it had as many tokens as it may have."""

    content: str
    tool_calls: tuple[ToolCall, ...]
    usage: Usage
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """The next piece of a reply's text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallDelta:
    """The next piece of call number `index`: `arguments` is a piece, `id` and `name` are whole."""

    index: int
    id: str
    name: str
    arguments: str


class ChatModel(Protocol):
    """Answers a conversation, calling tools. `quotes_only`: it copies sentences and writes nothing.
    `plans_here`: code chooses its searches, in this process, and reads all of what they find. `dialect`: how
    it is spoken to, and how fast it is.
    """

    @property
    def name(self) -> str: ...

    @property
    def quotes_only(self) -> bool: ...

    @property
    def plans_here(self) -> bool: ...

    @property
    def dialect(self) -> Dialect: ...

    def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        """Yield the deltas as they come and, always last, the whole Reply. Raises ProviderError."""
        ...
