"""A chat model on any server that speaks the OpenAI protocol: tools and a streamed answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from openai import APIStatusError, AsyncOpenAI, OpenAIError
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from providers.http.clients import async_client
from providers.openai.arriving import LONGEST_REPLY, Answer
from providers.openai.errors import is_too_long, provider_error
from providers.openai.patience import Patience, Waiting
from providers.openai.refusals import refusals, refused_limit, reply_limit
from providers.openai.resting import Server, asking
from providers.openai.tokens import estimated_request
from providers.openai.whole_replies import pieces_of
from providers.openai.wire import refused_in, request_of, rung_of
from providers.protocols import Message, Reply, TextDelta, ToolCallDelta, ToolSpec
from providers.protocols.dialect import Dialect, Rung

__all__ = ["LONGEST_REPLY", "NO_KEY", "OpenAIChat"]

MOST_TOKENS = 8_000  # of a reply, where nothing smaller is asked for: no reply is without an end
SECONDS_OF_WRITING = 90  # that a slow model may take for a reply
LEAST_TOKENS = 400  # of a slow model's reply
NO_KEY = "none"  # A server without keys still gets a header: the openai package insists on one.
# What a server says that does not take a part of the request: some say it with a fault of their own.
REFUSALS = (400, 404, 422, 500, 501)


class OpenAIChat:
    """A chat model. `timeout` is in seconds for a whole answer; half of it may pass before the first word, a
    sixth between two pieces. `dialect`: how it is spoken to; a slow one gets time by its speed.

    Each stream opens and closes its own connection, so one object serves any number of event loops. An extra
    that the server refuses is left out, and the request is sent again; tools that it refuses are described in
    the text. `longest`: tokens that a reply may have where nothing smaller is asked for.
    `public_only`: an address of this machine or of a private network is not connected to.
    """

    quotes_only = plans_here = False

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        timeout: float = 120.0,
        *,
        public_only: bool = False,
        dialect: Dialect | None = None,
        longest: int = MOST_TOKENS,
    ) -> None:
        self.name, self._public_only = model, public_only
        self.dialect = dialect or Dialect()
        self._connection: dict[str, Any] = {"base_url": base_url, "api_key": api_key or NO_KEY}
        self._server = Server(base_url=base_url, api_key=api_key, model=model)
        self._timeout, self._most = timeout, longest
        self._refused = refusals(base_url, model)

    @property
    def rung(self) -> Rung:
        """How it is spoken to now: less than its dialect says where the server has refused that."""
        return rung_of(self.dialect.rung, self._refused)

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
        most = most or self._longest
        patience = Patience.of(
            self._timeout, *self.dialect.patience(estimated_request(messages, tools), most)
        )
        answer, waiting = Answer(), Waiting(patience)
        with asking(self._server):
            try:
                async with self._client(patience.whole) as client:
                    opened = self._open(client, messages, tools, tool_choice, most)
                    async with await waiting.for_begin(opened) as chunks:
                        while (chunk := await waiting.for_next(chunks)) is not None:
                            for delta in answer.add(chunk):
                                yield delta
                            waiting.begun = waiting.begun or answer.says_something(chunk)
            except (OpenAIError, ValueError) as error:  # one that is no JSON, or no text
                failure = provider_error(error, self.name)
                failure.cut = waiting.begun and failure.transient
                raise failure from error
        yield answer.reply(tools)

    @property
    def _longest(self) -> int:
        """Tokens that a reply may have."""
        if not self.dialect.is_slow:
            return self._most
        return min(self._most, max(LEAST_TOKENS, round(self.dialect.writes * SECONDS_OF_WRITING)))

    def _client(self, timeout: float) -> AsyncOpenAI:
        http = async_client(timeout=timeout, public_only=self._public_only)
        return AsyncOpenAI(**self._connection, timeout=timeout, http_client=http, max_retries=0)

    async def _open(
        self,
        client: AsyncOpenAI,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: str,
        most: int | None,
    ) -> Any:
        """The stream of chunks. It is asked for with the extras that this server is not known to refuse."""
        refused = set(self._refused)
        while True:
            limit = reply_limit(most, refused)
            request = request_of(
                self.name,
                messages,
                tools,
                tool_choice=tool_choice,
                refused=refused,
                rung=rung_of(self.dialect.rung, refused),
                stream=self.dialect.streams,
            )
            try:
                reply = await client.chat.completions.create(**(request | limit))
            except APIStatusError as error:
                if error.status_code not in REFUSALS or not _is_fault_of_request(error):
                    raise
                if is_too_long(error):
                    if not limit:
                        raise
                    most = None  # the limit and the question are more than the model reads at once
                    continue
                extra = refused_limit(error, limit) or refused_in(error, request)
                if extra is None or extra in refused:
                    raise
                refused.add(extra)
                continue
            self._refused |= refused  # only now is it known that the extras were the cause
            return _whole(reply) if isinstance(reply, ChatCompletion) else reply


def _is_fault_of_request(error: APIStatusError) -> bool:
    """Whether the server says that the request is at fault: one that is down says the same to each."""
    return error.status_code in (400, 422) or "tool" in str(error).lower()


@asynccontextmanager
async def _whole(reply: ChatCompletion) -> AsyncIterator[AsyncIterator[ChatCompletionChunk]]:
    """A reply that came in one piece, as a stream has it."""
    yield pieces_of(reply)
