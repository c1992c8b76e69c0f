"""Limits what calls may cost together, for a question or in a batch: each reserves its cost in advance."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Lock

from localization.stored import said
from providers.protocols import ProviderError, Usage
from providers.spending.prices import MILLION, Prices

CAUTION = 1.25  # how many tokens a server may count for one that is estimated, until it has told
# What the calls of a batch are made for. Who has one under way, such as an answer that streams, and makes
# another waits for nobody: somebody else may wait for it.
asked_for: ContextVar[object] = ContextVar("asked_for", default=None)
LEAST_REPLY = 200  # tokens; in fewer nothing is answered


class OverLimit(ProviderError):
    """A call was not made, or its reply not read to the end, as it would have cost more than is allowed."""

    code = "over_limit"


class NoRoomYet(OverLimit):
    """The same, but calls are under way that may cost less than they have reserved."""


@dataclass(slots=True, kw_only=True)
class Allowance:
    """`tokens` and `money` in all; 0 is no limit. Safe to share between threads.

    `reply`: in a batch, how many tokens a reply is expected to have until one has told. From then on each
    call reserves at least what the dearest so far has cost, `dearest` tokens and `dearest_money`. No reply is
    cut short. 0: for a question, whose replies get what is left and end there.
    """

    tokens: int = 0
    money: Decimal = Decimal(0)
    reply: int = 0
    dearest: int = 0
    dearest_money: Decimal = Decimal(0)
    _counted: float = CAUTION  # tokens that the server counts for each that is estimated
    _is_told: bool = False  # whether it has
    _reserved: int = 0  # tokens
    _reserved_money: Decimal = Decimal(0)
    _under_way: list[object] = field(default_factory=list)  # for each call, what it is made for
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    @contextmanager
    def reserved(
        self, sent: int, spent: Usage, paid: Decimal, prices: Prices, *, least: int, most: int | None
    ) -> Iterator[int | None]:
        """For a call that sends so many tokens, estimated: how many its reply may have, None for any number.

        `spent` and `paid`: what the calls before have cost. `least`: what a reply must have to be worth it;
        `most`: what it never needs more than. Raises OverLimit; in a batch NoRoomYet while others are under
        way.
        """
        mine = asked_for.get()
        with self._lock:
            sent = round(sent * self._counted)
            if self.reply:
                reply, tokens, money = None, *self._of_batch(sent, spent, paid, prices)
            else:
                reply, tokens, money = self._of_question(sent, spent, paid, prices, least, most)
            self._reserved, self._reserved_money = self._reserved + tokens, self._reserved_money + money
            self._under_way.append(mine)
        try:
            yield reply
        finally:
            with self._lock:
                self._reserved, self._reserved_money = self._reserved - tokens, self._reserved_money - money
                self._under_way.remove(mine)

    def learn(self, estimated: int, told: Usage, money: Decimal | None = None) -> None:
        """What the server has counted for a call, and what that has cost; `estimated`: tokens sent."""
        with self._lock:
            if estimated and told.prompt_tokens:
                share = told.prompt_tokens / estimated
                self._counted = max(self._counted, share) if self._is_told else share
                self._is_told = True
            self.dearest = max(self.dearest, told.tokens)
            self.dearest_money = max(self.dearest_money, money or Decimal(0))

    def _of_question(
        self, sent: int, spent: Usage, paid: Decimal, prices: Prices, least: int, most: int | None
    ) -> tuple[int | None, int, Decimal]:
        """How long its reply may be, and what to reserve: tokens and money."""
        room = self._room(sent, spent, paid, prices)
        if room is not None and room < least:
            raise OverLimit(said("It would cost more than the limit of a question"))
        reply = room if room is None or most is None else min(room, most)
        usage = Usage(prompt_tokens=sent, completion_tokens=reply or 0)
        return reply, usage.tokens, prices.of(usage) or Decimal(0)

    def _of_batch(self, sent: int, spent: Usage, paid: Decimal, prices: Prices) -> tuple[int, Decimal]:
        """What to reserve: tokens and money."""
        usage = Usage(prompt_tokens=sent, completion_tokens=0 if self.dearest else self.reply)
        tokens = max(usage.tokens, self.dearest)
        money = max(prices.of(usage) or Decimal(0), self.dearest_money)
        is_long = self.tokens and spent.tokens + self._reserved + tokens > self.tokens
        is_dear = self.money and paid + self._reserved_money + money > self.money
        if is_long or is_dear:
            refused = NoRoomYet if self._may_wait() else OverLimit
            raise refused(said("It would cost more than the budget has left"))
        return tokens, money

    def _may_wait(self) -> bool:
        mine = asked_for.get()
        return bool(self._under_way) and (mine is None or mine not in self._under_way)

    def _room(self, sent: int, spent: Usage, paid: Decimal, prices: Prices) -> int | None:
        """Tokens of a reply; less than nothing where not even the question fits. None for any number."""
        rooms = []
        if self.tokens:
            rooms.append(self.tokens - spent.tokens - self._reserved - sent)
        if self.money and prices.are_known:
            left = self.money - paid - self._reserved_money - sent * prices.sent / MILLION
            if left < 0:
                rooms.append(-1)
            elif prices.written:
                rooms.append(int(left * MILLION / prices.written))
        return min(rooms, default=None)
