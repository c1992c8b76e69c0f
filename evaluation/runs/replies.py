"""Models whose replies are kept until their question is finished, so that nothing is paid for twice."""

from collections.abc import AsyncGenerator, Mapping
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
from providers.protocols import ChatModel, StructuredModel, Usage
from providers.spending.kept_models import KeptChat, KeptJson
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

    def chat(self, model: ChatModel, prices: Prices) -> KeptChat:
        return KeptChat(model, _Priced(self, prices))

    def structured(self, model: StructuredModel, prices: Prices) -> KeptJson:
        return KeptJson(model, _Priced(self, prices))

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


class _Priced:
    """The replies of one model, each with what it costs there."""

    def __init__(self, kept: Kept, prices: Prices) -> None:
        self._kept, self._prices = kept, prices
        self.request = kept.request

    async def get(self, key: str) -> dict[str, Any] | None:
        return await self._kept.get(key, self._prices)

    async def put(self, key: str, reply: dict[str, Any]) -> None:
        await self._kept.put(key, reply, self._prices)
