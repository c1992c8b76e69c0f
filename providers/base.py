"""What every model provider promises: the Protocols, the values that cross them, the one error they raise."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class ProviderError(Exception):
    """A model server did not deliver.

    `message` is fit for a person to read. `transient` says that the same request may succeed later;
    `retry_after` is the wait in seconds that the server asked for, if it asked; `busy` that it gets too many
    requests, whatever they ask.
    """

    def __init__(
        self,
        message: str,
        *,
        transient: bool = False,
        retry_after: float | None = None,
        busy: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.transient = transient
        self.retry_after = retry_after
        self.busy = busy


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens spent; two usages add up."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

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
    """A model's whole answer to one request."""

    content: str
    tool_calls: tuple[ToolCall, ...]
    usage: Usage


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
    """Answers a conversation, calling tools. `writes_prose` is False for a model that can only quote."""

    @property
    def name(self) -> str: ...

    @property
    def writes_prose(self) -> bool: ...

    def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        """Yield the deltas as they come and, always last, the whole Reply. Raises ProviderError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as an embedder reads it: its vector; of each token a state of length 1, (tokens, dimensions),
    and where in the text it stands.
    """

    vector: Vectors
    states: Vectors
    spans: tuple[tuple[int, int], ...]


class Embedder(Protocol):
    """Turns texts into vectors. Sync and safe to share between threads."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, shape (len(texts), dimensions), in the order of the texts.

        Raises ProviderError.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each whole text has, however many of them `embed` reads."""
        ...


class Reader(Embedder, Protocol):
    """An embedder that also tells how it read each token."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """What `embed` makes of the texts, with the state of each token. Raises ProviderError."""
        ...
