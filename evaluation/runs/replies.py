"""Models whose replies are kept until their question is finished, so that nothing is paid for twice."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest

from evaluation.models import PaidReply, Question, Run
from evaluation.runs.budget import Budget, UsedUp
from jobs.threads import Pool
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
from providers.protocols.in_front import StructuredInFront
from providers.spending.paid_replies import key_of, replayed
from providers.spending.prices import Prices

STORE = Pool("evaluation-replies", 2)  # of its own: a ranking waits for it within a search


class Kept:
    """The replies to one question of one run, by whichever model, and what they cost: each reply once."""

    def __init__(self, run: Run, question: Question, budget: Budget) -> None:
        self._run, self._question, self._budget = run, question, budget
        self.is_cut_short = False  # the budget had no room for a request
        self._usage: dict[str, Usage] = {}
        self._money: dict[str, Decimal] = {}

    @property
    def usage(self) -> Usage:
        return sum(self._usage.values(), Usage())

    @property
    def money(self) -> Decimal | None:
        """None while no price is known."""
        return sum(self._money.values(), Decimal(0)) if self._money else None

    def chat(self, model: ChatModel, prices: Prices) -> "KeptReplies":
        return KeptReplies(model, self, prices)

    def structured(self, model: StructuredModel, prices: Prices) -> "KeptJson":
        return KeptJson(model, self, prices)

    async def get(self, key: str, prices: Prices) -> dict[str, Any] | None:
        reply: dict[str, Any] | None = await STORE.run(self._read, key)
        if reply:
            self._count(key, reply, prices)
        return reply

    @asynccontextmanager
    async def request(self) -> AsyncGenerator[None]:
        """Around a request that is to be paid; `put` is called within. Raises UsedUp."""
        try:
            async with self._budget.request(self):
                yield
        except UsedUp:
            self.is_cut_short = True
            raise

    async def put(self, key: str, reply: dict[str, Any], prices: Prices) -> None:
        usage, money = self._count(key, reply, prices)
        self._budget.count(usage.tokens, money)
        await STORE.run(self._write, key, reply | {"usage": asdict(usage)}, usage.tokens, money)

    def _count(self, key: str, reply: Mapping[str, Any], prices: Prices) -> tuple[Usage, Decimal | None]:
        usage = Usage(**reply["usage"])
        money = prices.of(usage)
        self._usage[key] = usage
        if money is not None:
            self._money[key] = money
        return usage, money

    def _read(self, key: str) -> dict[str, Any] | None:
        return PaidReply.kept(key, run=self._run, question=self._question)

    @transaction.atomic
    def _write(self, key: str, reply: dict[str, Any], tokens: int, money: Decimal | None) -> None:
        """The run counts by itself: the reply goes with a purge, and what it has cost does not."""
        PaidReply.keep(key, reply, run=self._run, question=self._question)
        cost = money or Decimal(0)
        Run.objects.filter(pk=self._run.pk).update(
            spent_tokens=F("spent_tokens") + tokens,
            spent_money=F("spent_money") + cost,
            dearest_tokens=Greatest("dearest_tokens", tokens),
            dearest_money=Greatest("dearest_money", cost),
        )


class KeptReplies:
    """The model, but for requests that it has answered before in this run: those are answered at once."""

    def __init__(self, model: ChatModel, kept: Kept, prices: Prices) -> None:
        self._model, self._kept, self._prices = model, kept, prices
        self.name, self.quotes_only = model.name, model.quotes_only

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        """Raises ProviderError."""
        key = key_of(self.name, list(messages), list(tools), tool_choice)
        if kept := await self._kept.get(key, self._prices):
            for item in replayed(kept):
                yield item
            return
        async with self._kept.request():
            async for item in self._model.stream(messages, tools, tool_choice=tool_choice):
                if isinstance(item, Reply):
                    await self._kept.put(key, asdict(item), self._prices)
                yield item


class KeptJson(StructuredInFront):
    """The same for a model whose answers are JSON."""

    def __init__(self, model: StructuredModel, kept: Kept, prices: Prices) -> None:
        super().__init__(model)
        self._kept, self._prices = kept, prices

    async def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[str, Usage]:
        """Raises ProviderError."""
        key = key_of(self.name, list(messages), schema)
        if kept := await self._kept.get(key, self._prices):
            return kept["answer"], Usage(**kept["usage"])
        async with self._kept.request():
            answer, usage = await self._model.complete(messages, schema)
            await self._kept.put(key, {"answer": answer, "usage": asdict(usage)}, self._prices)
        return answer, usage
