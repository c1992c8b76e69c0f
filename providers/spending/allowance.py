"""Limits what the calls for one question may cost together: each reserves its cost in advance."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Lock

from providers.protocols import ProviderError, Usage
from providers.spending.prices import MILLION, Prices

CAUTION = 1.25  # how many tokens a server may count for one that is estimated, until it has told
LEAST_REPLY = 200  # tokens; in fewer nothing is answered


class OverLimit(ProviderError):
    """A call was not made, or its reply not read to the end, as it would have cost more than is allowed."""

    code = "over_limit"


@dataclass(slots=True, kw_only=True)
class Allowance:
    """`tokens` and `money` in all; 0 is no limit. Safe to share between threads."""

    tokens: int = 0
    money: Decimal = Decimal(0)
    _counted: float = CAUTION  # tokens that the server counts for each that is estimated
    _is_told: bool = False  # whether it has
    _reserved: Usage = field(default_factory=Usage)
    _reserved_money: Decimal = Decimal(0)
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    @contextmanager
    def reserved(
        self, sent: int, spent: Usage, paid: Decimal, prices: Prices, *, least: int, most: int | None
    ) -> Iterator[int | None]:
        """For a call that sends so many tokens, estimated: how many its reply may have, None for any number.

        `spent` and `paid`: what the calls before have cost. `least`: what a reply must have to be worth it;
        `most`: what it never needs more than. Raises OverLimit.
        """
        with self._lock:
            sent = round(sent * self._counted)
            room = self._room(sent, spent, paid, prices)
            if room is not None and room < least:
                raise OverLimit("It would cost more than the limit of a question")
            reply = room if room is None or most is None else min(room, most)
            usage = Usage(prompt_tokens=sent, completion_tokens=reply or 0)
            money = prices.of(usage) or Decimal(0)
            self._reserved, self._reserved_money = self._reserved + usage, self._reserved_money + money
        try:
            yield reply
        finally:
            with self._lock:
                self._reserved = Usage(
                    prompt_tokens=self._reserved.prompt_tokens - usage.prompt_tokens,
                    completion_tokens=self._reserved.completion_tokens - usage.completion_tokens,
                )
                self._reserved_money -= money

    def learn(self, estimated: int, told: int) -> None:
        """How many tokens the server has counted for what was estimated."""
        if estimated and told:
            share = told / estimated
            with self._lock:
                self._counted = max(self._counted, share) if self._is_told else share
                self._is_told = True

    def _room(self, sent: int, spent: Usage, paid: Decimal, prices: Prices) -> int | None:
        """Tokens of a reply; less than nothing where not even the question fits. None for any number."""
        rooms = []
        if self.tokens:
            rooms.append(self.tokens - spent.tokens - self._reserved.tokens - sent)
        if self.money and prices.are_known:
            left = self.money - paid - self._reserved_money - sent * prices.sent / MILLION
            if left < 0:
                rooms.append(-1)
            elif prices.written:
                rooms.append(int(left * MILLION / prices.written))
        return min(rooms, default=None)
