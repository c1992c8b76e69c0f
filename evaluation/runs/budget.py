"""What a run may still spend on models: no request is sent that could go beyond it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from decimal import Decimal
from threading import Lock

from jobs.runs import Stopped

LOOK_AGAIN = 0.02  # seconds


class UsedUp(Stopped):
    """The budget has no room for another request. It has what `jobs.failures.Explained` asks for, so that no
    tool or stage takes it for a fault of its own.
    """

    code = "budget_used_up"
    message = "The budget of this run is used up."
    hint = "Go on with a larger one."
    transient = False


class Budget:
    """Each request is given as much room as the dearest so far has cost. Until one has been counted, those of
    one question alone are sent. Safe to use from several threads and event loops.

    tokens, money: the limits; None: there is none. spent: tokens and money before now; dearest: those of the
    dearest request before now.
    """

    def __init__(
        self,
        tokens: int | None,
        money: Decimal | None,
        spent: tuple[int, Decimal],
        dearest: tuple[int, Decimal] = (0, Decimal(0)),
    ) -> None:
        self._most_tokens, self._most_money = tokens, money
        self._tokens, self._money = spent
        self._dearest = dearest if any(dearest) else None
        self._under_way: list[object] = []  # for each request, its question
        self._lock = Lock()
        self.is_used_up = False  # a request was refused

    @asynccontextmanager
    async def request(self, question: object) -> AsyncGenerator[None]:
        """Around a request to a model; `count` is called within. Raises UsedUp."""
        while not self._is_admitted(question):
            await asyncio.sleep(LOOK_AGAIN)
        try:
            yield
        finally:
            with self._lock:
                self._under_way.remove(question)

    def count(self, tokens: int, money: Decimal | None) -> None:
        """What a request has cost."""
        cost = money or Decimal(0)
        with self._lock:
            self._tokens += tokens
            self._money += cost
            most = self._dearest or (0, Decimal(0))
            self._dearest = max(most[0], tokens), max(most[1], cost)

    def _is_admitted(self, question: object) -> bool:
        """False while nobody knows what a request costs and another question asks for one. Raises UsedUp."""
        with self._lock:
            is_limited = self._most_tokens is not None or self._most_money is not None
            others = any(each is not question for each in self._under_way)
            if is_limited and self._dearest is None and others:
                return False
            if not self._has_room():
                self.is_used_up = True
                raise UsedUp
            self._under_way.append(question)
            return True

    def _has_room(self) -> bool:
        tokens, money = self._dearest or (1, Decimal(0))
        count = len(self._under_way) + 1
        if self._most_tokens is not None and self._tokens + tokens * count > self._most_tokens:
            return False
        if self._most_money is None:
            return True
        return self._money < self._most_money and self._money + money * count <= self._most_money
