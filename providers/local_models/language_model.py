"""The installed language model, asked where its process listens now: after a restart that is elsewhere."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Self

from asgiref.sync import sync_to_async

from localization.stored import said
from providers.connections.dialects import dialect_of
from providers.gguf import running
from providers.gguf.running import NOT_RUNNING, Running, State
from providers.local_models import store
from providers.openai.chat import MOST_TOKENS, OpenAIChat
from providers.openai.structured import OpenAIStructured
from providers.openai.tokens import estimated_request
from providers.protocols import (
    Message,
    ProviderError,
    Reply,
    TextDelta,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from providers.protocols.dialect import Dialect, Rung

LOADING = 120.0  # seconds that a start may take
COMING = 6.0  # seconds until `up` has noticed that a model is to run
LOOK = 0.2  # seconds
LONGEST_JSON = 1_000  # tokens
TOO_BUSY = (
    "The language model of this server has not answered in time: it is slow, or something else keeps the"
    " processors busy."
)


def window_here(identity: str) -> int | None:
    """How many tokens it reads at once; None while it is not loaded."""
    now = running.last_known(store.running_folder())
    return now.context if now and now.state == State.READY and now.identity == identity else None


class ChatHere:
    """A chat model, see `OpenAIChat`; `name` is its identity. A request waits while the model is loaded."""

    quotes_only = plans_here = False

    def __init__(
        self, identity: str, timeout: float, *, dialect: Dialect, longest: int = MOST_TOKENS
    ) -> None:
        self.name, self.dialect = identity, dialect
        self._timeout, self._longest = timeout, longest
        self._last: OpenAIChat | None = None

    @property
    def rung(self) -> Rung:
        """How it is spoken to by now."""
        return self._last.rung if self._last else self.dialect.rung

    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        tool_choice: str = "required",
        most: int | None = None,
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        """As `OpenAIChat.stream`. Raises ProviderError: no transient one where it was waited for as long as
        is allowed, since what keeps it busy will go on for a while.
        """
        now = await _found(self.name)
        self._last = OpenAIChat(
            now.address, now.token, self.name, self._timeout, dialect=self.dialect, longest=self._longest
        )
        stream = self._last.stream(messages, tools, tool_choice=tool_choice, most=most)
        try:
            async with aclosing(stream) as pieces:
                async for piece in pieces:
                    yield piece
        except ProviderError as error:
            if error.stalled:
                error.message, error.transient = TOO_BUSY, False
            raise


class StructuredHere:
    """The same for answers in JSON, see `OpenAIStructured`. A slow model gets the time that it needs."""

    address = ""

    def __init__(self, identity: str, timeout: float) -> None:
        self.name, self._timeout = identity, timeout
        self._dialect = Dialect()

    async def __aenter__(self) -> Self:
        self._dialect = await sync_to_async(dialect_of)(self.address, self.name)
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any], *, most: int | None = None
    ) -> tuple[str, Usage]:
        """Raises ProviderError."""
        now = await _found(self.name)
        _, needed = self._dialect.patience(estimated_request(messages), most or LONGEST_JSON)
        timeout = max(self._timeout, needed)
        async with OpenAIStructured(now.address, now.token, self.name, timeout) as model:
            return await model.complete(messages, schema, most=most)


async def _found(identity: str) -> Running:
    """The process, once it is ready. Raises ProviderError."""
    begun = time.monotonic()
    while True:
        now = running.last_known(store.running_folder())
        if now and now.identity == identity:
            if now.state == State.READY:
                return now
            if now.state == State.FAILED:
                raise ProviderError(now.why)
        patience = LOADING if now else COMING
        if time.monotonic() - begun > patience:
            break
        await asyncio.sleep(LOOK)
    if now:
        raise ProviderError(
            said("{model} is still being loaded. Try again in a minute.", model=identity), transient=True
        )
    raise ProviderError(said(NOT_RUNNING, identity=identity))
