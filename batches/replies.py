"""Models whose replies are kept until their thing is written down, so that nothing is paid for twice."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Any

from django.db import models

from batches.budget import UsedUp
from batches.upkeep import forget_replies
from jobs.threads import Pool
from providers.protocols import ChatModel, StructuredModel, Usage
from providers.spending.allowance import OverLimit
from providers.spending.kept_models import KeptChat, KeptJson
from providers.spending.paid_replies import PaidReplyRow
from providers.spending.prices import Prices

STORE = Pool("kept-replies", 2)  # of its own: a ranking waits for it within a search


class Replies:
    """The replies to one thing of a batch, by whichever model, and what they cost: each reply once.

    `rows`: where they are kept; `of`: for what, by its columns. The batch itself counts at the meter, also
    calls without a reply.
    """

    def __init__(self, rows: type[PaidReplyRow], /, **of: models.Model) -> None:
        self._rows, self._of = rows, of
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
        """The model, charged to the payer of the run. It raises UsedUp too."""
        return KeptChat(model, _Priced(self, prices))

    def structured(self, model: StructuredModel, prices: Prices) -> KeptJson:
        """The same for one that answers with JSON."""
        return KeptJson(model, _Priced(self, prices))

    def forget(self) -> None:
        """What they were for is written down. In the caller's transaction."""
        forget_replies(self._rows, **self._of)

    async def get(self, key: str, prices: Prices) -> dict[str, Any] | None:
        reply: dict[str, Any] | None = await STORE.run(self._read, key)
        if reply:
            self._count(key, reply, prices)
        return reply

    @asynccontextmanager
    async def request(self) -> AsyncGenerator[None]:
        """Around a request that is to be paid; `put` is called within. Raises UsedUp."""
        try:
            yield
        except OverLimit as refused:
            self.is_cut_short = True
            raise UsedUp from refused

    async def put(self, key: str, reply: dict[str, Any], prices: Prices) -> None:
        self._count(key, reply, prices)
        await STORE.run(self._write, key, reply)

    def _count(self, key: str, reply: Mapping[str, Any], prices: Prices) -> None:
        usage = Usage(**reply["usage"])
        money = prices.of(usage)
        self._usage[key] = usage
        if money is not None:
            self._money[key] = money

    def _read(self, key: str) -> dict[str, Any] | None:
        return self._rows.kept(key, **self._of)

    def _write(self, key: str, reply: dict[str, Any]) -> None:
        self._rows.keep(key, reply, **self._of)


class _Priced:
    """The replies of one model, each with what it costs there."""

    def __init__(self, replies: Replies, prices: Prices) -> None:
        self._replies, self._prices = replies, prices
        self.request = replies.request

    async def get(self, key: str) -> dict[str, Any] | None:
        return await self._replies.get(key, self._prices)

    async def put(self, key: str, reply: dict[str, Any]) -> None:
        await self._replies.put(key, reply, self._prices)
