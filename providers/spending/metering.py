"""Models that count what they cost: every call is charged to somebody, also one that was broken off."""

import logging
import math
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol

from django.db import DatabaseError
from django.utils import timezone

from jobs.threads import TURN_WRITES
from providers.openai.tokens import BYTES_PER_TOKEN, estimated_tokens
from providers.protocols import (
    ChatModel,
    Embedder,
    Message,
    ProviderError,
    Reply,
    StructuredModel,
    TextDelta,
    ToolCallDelta,
    ToolSpec,
    Usage,
    Vectors,
)
from providers.protocols.in_front import EmbedderInFront, StructuredInFront
from providers.spending.models import Purpose
from providers.spending.prices import Prices
from providers.spending.sql import query

logger = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Payer:
    """Whom calls are charged to, and what they have cost since; `money` is None while no price is known."""

    person: int = 0
    datasource: int = 0
    purpose: Purpose = Purpose.ANSWERS
    usage: Usage = field(default_factory=Usage)
    money: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """Counts the calls of one model. Prices are per million tokens, 0 where unknown."""

    payer: Payer
    model: str
    host: str
    price_input: Decimal = Decimal(0)
    price_output: Decimal = Decimal(0)

    async def count(self, usage: Usage, seconds: float) -> None:
        """Charge one call."""
        await TURN_WRITES.run(self._record, usage, self._charge(usage), round(seconds * 1000))

    def count_here(self, usage: Usage, seconds: float) -> None:
        """The same for code that does not run in an event loop."""
        cost = self._charge(usage)
        self._record(usage, cost, round(seconds * 1000))

    def _charge(self, usage: Usage) -> Decimal:
        cost = Prices(sent=self.price_input, written=self.price_output).of(usage)
        self.payer.usage += usage
        if cost is not None:
            self.payer.money = (self.payer.money or Decimal(0)) + cost
        return cost or Decimal(0)

    def _record(self, usage: Usage, money: Decimal, milliseconds: int) -> None:
        """An answer never fails because its price could not be written down."""
        try:
            query(
                "record", day=timezone.localdate(), person=self.payer.person,
                datasource=self.payer.datasource, purpose=str(self.payer.purpose), model=self.model[:200],
                host=self.host[:255], prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens, milliseconds=milliseconds, money=money,
            )  # fmt: skip
        except DatabaseError:
            logger.exception("what a call of %s has cost was not recorded", self.model)


class MeteredChat:
    """A chat model whose calls are counted. Where the server tells no tokens, they are estimated."""

    def __init__(self, model: ChatModel, meter: Meter) -> None:
        self._model, self._meter = model, meter

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def quotes_only(self) -> bool:
        return self._model.quotes_only

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        """As the model does. A call that is broken off is charged for what was sent and received.

        One that the server refuses is not.
        """
        begun, written, usage = time.monotonic(), 0, Usage()
        costs, started = True, False
        try:
            async with aclosing(self._model.stream(messages, tools, tool_choice=tool_choice)) as pieces:
                async for piece in pieces:
                    started = True
                    match piece:
                        case TextDelta(text=text) | ToolCallDelta(arguments=text):
                            written += len(text.encode())
                        case Reply():
                            usage = piece.usage
                    yield piece
        except ProviderError as error:
            costs = started or error.may_cost
            raise
        finally:
            if costs:
                usage = _told(usage, messages, written)
                await self._meter.count(usage, time.monotonic() - begun)


class MeteredStructured(StructuredInFront):
    """The same for a model that answers with JSON."""

    def __init__(self, model: StructuredModel, meter: Meter) -> None:
        super().__init__(model)
        self._meter = meter

    async def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[str, Usage]:
        """As the model does. Also a call that is broken off is charged, for what was sent."""
        begun, text, usage = time.monotonic(), "", Usage()
        costs = True
        try:
            text, usage = await self._model.complete(messages, schema)
        except ProviderError as error:
            costs = error.may_cost
            raise
        finally:
            if costs:
                usage_told = _told(usage, messages, len(text.encode()))
                await self._meter.count(usage_told, time.monotonic() - begun)
        return text, usage


class CountingEmbedder(Embedder, Protocol):
    """An embedder on a server, which tells the tokens of each request."""

    def embed(self, texts: Sequence[str], told: Callable[[int], None] = ...) -> Vectors: ...


class MeteredEmbedder(EmbedderInFront[CountingEmbedder]):
    """The same for an embedder."""

    def __init__(self, model: CountingEmbedder, meter: Meter) -> None:
        super().__init__(model)
        self._meter = meter

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As the model does."""
        begun = time.monotonic()
        tokens: list[int] = []
        try:
            return self._model.embed(texts, tokens.append)
        finally:
            if tokens:
                self._meter.count_here(Usage(prompt_tokens=sum(tokens)), time.monotonic() - begun)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """The same: a server is not told what a text is."""
        return self.embed(texts)


def _told(usage: Usage, messages: Sequence[Message], written: int) -> Usage:
    """What the server says, else an estimate; `written`: bytes of the answer."""
    if usage.prompt_tokens or usage.completion_tokens:
        return usage
    sent = sum(
        estimated_tokens(message.content)
        + sum(estimated_tokens(call.arguments) for call in message.tool_calls)
        for message in messages
    )
    return Usage(prompt_tokens=sent, completion_tokens=math.ceil(written / BYTES_PER_TOKEN))
