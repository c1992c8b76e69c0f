"""Models that count their costs: every call is charged to somebody, even one that broke off."""

import asyncio
import logging
import math
import time
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Lock
from typing import Any, ParamSpec, Protocol, Self

from asgiref.sync import sync_to_async
from django.db import DatabaseError
from django.utils import timezone

from jobs.threads import TURN_WRITES
from localization.stored import said
from providers.openai.tokens import BYTES_PER_TOKEN, estimated_request, estimated_tokens
from providers.protocols import (
    ChatModel,
    Embedder,
    Message,
    ProviderError,
    Reply,
    Reranker,
    StructuredModel,
    TextDelta,
    TextRecogniser,
    ToolCallDelta,
    ToolSpec,
    Usage,
    Vectors,
)
from providers.protocols.dialect import Rung
from providers.protocols.in_front import ChatInFront, EmbedderInFront, StructuredInFront
from providers.spending.allowance import LEAST_REPLY, Allowance, NoRoomYet, OverLimit
from providers.spending.models import EVERYWHERE, Purpose
from providers.spending.prices import Prices
from providers.spending.sql import query
from providers.spending.watching import watched
from text.pictures import PictureText

logger = logging.getLogger(__name__)

P = ParamSpec("P")

LONGEST_REPLY = 8_000  # tokens; a server is not asked for a limit above: its own may be lower
LONGEST_JSON = 1_000  # tokens reserved for an answer in JSON
LOOK_AGAIN = 0.02  # seconds until a call of a batch looks whether those under way have left room for it
_CHARGING = Lock()  # several threads may charge one payer


@dataclass(slots=True, kw_only=True)
class Payer:
    """Whom calls are charged to, and what they have cost since; `money` is None while no price is known.

    `waits`: the calls are made by `async_to_sync` for a request, whose own thread writes down what they cost.
    `told`: is called in the same thread for each call that was charged, also for one without an answer, with
    its tokens and money.
    """

    person: int = 0
    datasource: int = 0
    purpose: Purpose = Purpose.ANSWERS
    waits: bool = False
    usage: Usage = field(default_factory=Usage)
    money: Decimal | None = None
    allowance: Allowance = field(default_factory=Allowance)  # what all of it may cost
    told: Callable[[Usage, Decimal | None], None] | None = None

    @classmethod
    def asking(cls, person: int, datasources: Collection[int]) -> Self:
        """Who asks one datasource; or several at once, of which none is charged."""
        return cls(person=person, datasource=next(iter(datasources)) if len(datasources) == 1 else EVERYWHERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """Counts the calls of one model. Prices are per million tokens, 0 where unknown."""

    payer: Payer
    model: str
    host: str
    price_input: Decimal = Decimal(0)
    price_output: Decimal = Decimal(0)

    @property
    def prices(self) -> Prices:
        return Prices(sent=self.price_input, written=self.price_output)

    def reserved(
        self, sent: int, *, least: int = LEAST_REPLY, most: int | None = None
    ) -> AbstractContextManager[int | None]:
        """As `Allowance.reserved`, for a call that sends so many tokens."""
        payer = self.payer
        paid = payer.money or Decimal(0)
        return payer.allowance.reserved(sent, payer.usage, paid, self.prices, least=least, most=most)

    @asynccontextmanager
    async def admitted(
        self, sent: int, *, least: int = LEAST_REPLY, most: int | None = None
    ) -> AsyncGenerator[int | None]:
        """The same; a call of a batch waits until those under way have told what they cost, if only that can
        make room for it.
        """
        with ExitStack() as held:
            while True:
                try:
                    reply = held.enter_context(self.reserved(sent, least=least, most=most))
                    break
                except NoRoomYet:
                    await asyncio.sleep(LOOK_AGAIN)
            yield reply

    async def count(self, usage: Usage, seconds: float, *, sent: int) -> None:
        """Charge one call; `sent`: how many tokens its request was estimated to have."""
        money = self._charge(usage)
        self.payer.allowance.learn(sent, usage, money)
        await self.write(self._record, usage, money, round(seconds * 1000))

    async def write(self, function: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call what writes to the database: in the caller's transaction where the payer waits."""
        if self.payer.waits:
            await sync_to_async(function)(*args, **kwargs)
        else:
            await TURN_WRITES.run(function, *args, **kwargs)

    def count_here(self, usage: Usage, seconds: float) -> None:
        """The same for code that does not run in an event loop."""
        self._record(usage, self._charge(usage), round(seconds * 1000))

    def _charge(self, usage: Usage) -> Decimal | None:
        """What it cost; None where no price is known."""
        money = self.prices.of(usage)
        with _CHARGING:
            self.payer.usage += usage
            if money is not None:
                self.payer.money = (self.payer.money or Decimal(0)) + money
        return money

    def _record(self, usage: Usage, money: Decimal | None, milliseconds: int) -> None:
        """An answer never fails because its cost could not be recorded."""
        try:
            query(
                "record",
                day=timezone.localdate(),
                person=self.payer.person,
                datasource=self.payer.datasource,
                purpose=str(self.payer.purpose),
                model=self.model[:200],
                host=self.host[:255],
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                milliseconds=milliseconds,
                money=money or Decimal(0),
            )
            if self.payer.told:
                self.payer.told(usage, money)
        except DatabaseError:
            logger.exception("what a call of %s has cost was not recorded", self.model)


class LimitedChat(ChatModel, Protocol):
    """A chat model on a server, which can be asked to write so many tokens at most. `rung`: how it is spoken
    to by now.
    """

    @property
    def rung(self) -> Rung: ...

    def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        tool_choice: str = ...,
        most: int | None = ...,
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]: ...


class MeteredChat(ChatInFront[LimitedChat]):
    """A chat model whose calls are counted. Where the server tells no tokens, they are estimated.

    `remember` is given the rung that the model is found on, when that is another than before.
    """

    def __init__(
        self, model: LimitedChat, meter: Meter, remember: Callable[[Rung], None] | None = None
    ) -> None:
        super().__init__(model)
        self._meter, self._remember = meter, remember
        self._rung = model.dialect.rung

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        """As the model does. A call that is broken off is charged for what was sent and received.

        One that the server refuses is not. Raises OverLimit for what the payer may not spend.
        """
        sent = estimated_request(messages, tools)
        async with (
            self._meter.admitted(sent) as most,
            aclosing(self._counted(messages, tools, tool_choice, sent, most)) as pieces,
        ):
            async for piece in pieces:
                yield piece

    async def _counted(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: str,
        sent: int,
        most: int | None,
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        begun, written, usage = time.monotonic(), 0, Usage()
        costs, started = True, False
        asked = most if most is not None and most < LONGEST_REPLY else None
        stream = self._model.stream(messages, tools, tool_choice=tool_choice, most=asked)
        try:
            with watched("chat") as call:
                async with aclosing(stream) as pieces:
                    async for piece in pieces:
                        started = True
                        match piece:
                            case TextDelta(text=text) | ToolCallDelta(arguments=text):
                                written += len(text.encode())
                                if most is not None and written > most * BYTES_PER_TOKEN:
                                    raise OverLimit(said("The limit of a question was reached"), cut=True)
                            case Reply():
                                usage, call.is_done = piece.usage, True
                        yield piece
        except ProviderError as error:
            costs = started or error.may_cost
            raise
        finally:
            if costs:
                await self._meter.count(_usage_of(usage, sent, written), time.monotonic() - begun, sent=sent)
            if self._remember is not None and self._model.rung != self._rung:
                self._rung = self._model.rung
                await self._meter.write(self._remember, self._rung)


class LimitedStructured(StructuredModel, Protocol):
    """The same of a model that answers with JSON."""

    async def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any], *, most: int | None = ...
    ) -> tuple[str, Usage]: ...


class MeteredStructured(StructuredInFront):
    """The same for a model that answers with JSON."""

    def __init__(self, model: LimitedStructured, meter: Meter) -> None:
        super().__init__(model)
        self._limited, self._meter = model, meter

    async def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[str, Usage]:
        """As the model does. Also a call that is broken off is charged, for what was sent."""
        begun, text, usage = time.monotonic(), "", Usage()
        sent, costs = estimated_request(messages), True
        async with self._meter.admitted(sent, most=LONGEST_JSON) as most:
            try:
                with watched("structured"):
                    text, usage = await self._limited.complete(messages, schema, most=most)
            except ProviderError as error:
                costs = error.may_cost
                raise
            finally:
                if costs:
                    told = _usage_of(usage, sent, len(text.encode()))
                    await self._meter.count(told, time.monotonic() - begun, sent=sent)
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
            with watched("embedding"):
                return self._model.embed(texts, tokens.append)
        finally:
            if tokens:
                self._meter.count_here(Usage(prompt_tokens=sum(tokens)), time.monotonic() - begun)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """The same: a server is not told what a text is."""
        return self.embed(texts)


class CountingReranker(Reranker, Protocol):
    """A reranker on a server, which tells the tokens of each request, or an estimate."""

    def score(
        self, question: str, texts: Sequence[str], told: Callable[[int], None] = ...
    ) -> list[float]: ...


class MeteredReranker:
    """The same for a reranker."""

    def __init__(self, model: CountingReranker, meter: Meter) -> None:
        self._model, self._meter = model, meter

    @property
    def name(self) -> str:
        return self._model.name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """As the model does."""
        begun = time.monotonic()
        tokens: list[int] = []
        sent = sum(estimated_tokens(question) + estimated_tokens(text) for text in texts)
        with self._meter.reserved(sent, least=0, most=0):
            try:
                with watched("rerank"):
                    return self._model.score(question, texts, tokens.append)
            finally:
                if tokens:
                    self._meter.count_here(Usage(prompt_tokens=sum(tokens)), time.monotonic() - begun)


class MeteredRecogniser:
    """The same for a server that reads pages: it reads no tokens, so that each page counts as a call."""

    def __init__(self, model: TextRecogniser, meter: Meter) -> None:
        self._model, self._meter = model, meter

    @property
    def name(self) -> str:
        return self._model.name

    def read(self, picture: bytes, languages: Sequence[str]) -> PictureText:
        """As the model does."""
        begun = time.monotonic()
        with watched("ocr"):
            read = self._model.read(picture, languages)
        self._meter.count_here(Usage(), time.monotonic() - begun)
        return read


def _usage_of(usage: Usage, sent: int, written: int) -> Usage:
    """What the server says, else an estimate from the tokens of the request and the bytes of the answer."""
    if usage.prompt_tokens or usage.completion_tokens:
        return usage
    return Usage(prompt_tokens=sent, completion_tokens=math.ceil(written / BYTES_PER_TOKEN))
